import { signal } from "@preact/signals";
import { type RunRecord, readRun } from "../run/records.js";
import type { Card } from "./inbox-state.js";

export type Visit = NonNullable<RunRecord["visits"]>[number];

/** The visits that ask, by card; null for one of which nothing more is known. */
export const visits = signal<ReadonlyMap<string, Visit | null>>(new Map());

const asked = new Set<string>();

/** Reads what a card shows beside its question, once. */
export async function readVisit({ key, run, wait }: Card): Promise<void> {
  if (asked.has(key)) return;
  asked.add(key);
  const record = await readRun(run.run_id, "questions").catch(() => null);
  if (asked.has(key)) takeVisit(key, visitIn(record, wait.node));
}

export function takeVisit(key: string, visit: Visit | null): void {
  asked.add(key);
  visits.value = new Map(visits.value).set(key, visit);
}

/** The same node may ask again, about something else. */
export function forgetVisits(isThere: (key: string) => boolean): void {
  for (const key of asked) if (!isThere(key)) asked.delete(key);
  visits.value = new Map([...visits.value].filter(([key]) => isThere(key)));
}

export const visitIn = (record: RunRecord | null, node: string): Visit | null =>
  record?.visits?.find((visit) => visit.node === node && visit.asks !== undefined) ?? null;
