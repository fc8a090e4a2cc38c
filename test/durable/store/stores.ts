import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Lease, NewRun, NewWait, StepRow } from "../../../runtime/durable/rows.js";
import { type Driver, findDriver } from "../../../runtime/durable/sqlite/driver.js";
import type { OpenOptions } from "../../../runtime/durable/sqlite/open.js";
import { openSqliteStore } from "../../../runtime/durable/sqlite/store.js";
import type { DurableStore, Finish, LegEnd } from "../../../runtime/durable/store.js";

/** The kinds of SQLite that this Node has: libsql, and from Node 22.13 on its own. */
export const DRIVERS: readonly Driver["name"][] = (["libsql", "node"] as const).filter((name) => {
  try {
    return findDriver(name).name === name;
  } catch {
    return false;
  }
});

/** A folder that goes away with the tests of a file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-store-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface OpenStore {
  readonly store: DurableStore;
  readonly file: string;
}

/** A new file, closed when the work is done. */
export async function withStore(
  options: OpenOptions,
  work: (open: OpenStore) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-store-"));
  const file = join(folder, "runs", "runs.db");
  const store = await openSqliteStore(file, options);
  try {
    await work({ store, file });
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

let runs = 0;

export function newRun(more: Partial<NewRun> = {}): NewRun {
  runs += 1;
  const runId = runs.toString(16).padStart(32, "0");
  return {
    runId,
    graph: "Orders",
    sheet: "orders.csv",
    version: "v1",
    contract: 1,
    given: { id: 17 },
    options: null,
    key: null,
    userId: null,
    startedBy: null,
    parent: null,
    words: "Orders 17",
    created: 1_000 + runs,
    due: 0,
    deadline: null,
    ...more,
  };
}

export const step = (seq: number, more: Partial<StepRow> = {}): StepRow => ({
  id: `Node${seq}|1`,
  seq,
  pure: false,
  node: `Node${seq}`,
  visit: 1,
  attempt: 1,
  branch: [],
  began: 10,
  ended: 20,
  outcome: "success",
  result: { value: seq },
  seen: { inputs: { a: 1 } },
  writes: { b: 2 },
  error: null,
  worked: 10 * seq,
  ...more,
});

export const wait = (node: string, more: Partial<NewWait> = {}): NewWait => ({
  id: `${node}|1`,
  seq: 0,
  waiting: { node, field: "verdict", prompt: "Well?", options: null, type: null },
  spec: { prompt: "Well?" },
  about: null,
  opened: 100,
  until: null,
  remindAt: null,
  escalateAt: null,
  ...more,
});

export const legEnd = (more: Partial<LegEnd> = {}): LegEnd => ({
  at: 500,
  result: null,
  steps: [],
  events: [],
  worked: 5,
  ...more,
});

export const completed = (more: Partial<LegEnd & Finish> = {}): LegEnd & Finish => ({
  ...legEnd(),
  status: "completed",
  errorCode: null,
  result: { done: true },
  ...more,
});

export const OWNER = "0123456789abcdef-1-1";

/** Starts a run and claims it. */
export async function atWork(store: DurableStore, more: Partial<NewRun> = {}): Promise<Lease> {
  const { lease } = await store.start(newRun(more), { claim: { owner: OWNER } });
  if (lease === null) throw new Error("the run was not claimed");
  return lease;
}

export const claiming = { owner: OWNER, now: 1_000_000, limit: 10, contract: 1 };

let tokens = 0;
export const token = (): string => `token-${++tokens}`;

export const told = (type: string, at = 1): { at: number; type: string; event: { type: string } } => ({
  at,
  type,
  event: { type },
});
