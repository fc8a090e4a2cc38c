import type { RunLimits } from "../config/folders.js";
import type { Answers, Checkpoint } from "../graph/contract/contract.js";
import { isMapping } from "../graph/values/values.js";
import type { Waiting, WorkflowResult } from "./result.js";

/** A suspended run as JSON data. */
export interface RunRecord {
  readonly version: 1;
  readonly runId: string;
  readonly graph: string;
  /** Relative to the project's folder; null for standard input. */
  readonly sheet: string | null;
  /** Null for UTF-8. */
  readonly encoding: string | null;
  readonly fingerprint: string;
  readonly suspendedAt: string;
  /** The limits of the first start hold for every resume. */
  readonly limits: RunLimits;
  readonly waiting: readonly Waiting[];
  /** Answers of an interrupted resume. They stay valid. */
  readonly answers: Answers;
  readonly checkpoint: Checkpoint;
  /** The user who started it; unknown in files of earlier versions. */
  readonly startedBy?: string | null;
  /** The result of an ended run, until it was delivered. */
  readonly end: WorkflowResult | null;
}

type Origin = Pick<RunRecord, "sheet" | "encoding" | "limits" | "startedBy">;

export function createRecord(
  { sheet, encoding, limits, startedBy = null }: Origin,
  checkpoint: Checkpoint,
  waiting: readonly Waiting[],
): RunRecord {
  const { runId, graph, fingerprint } = checkpoint;
  const suspendedAt = new Date().toISOString();
  const about = { version: 1, runId, graph, sheet, encoding, fingerprint, suspendedAt } as const;
  return { ...about, limits, waiting, answers: {}, checkpoint, startedBy, end: null };
}

/** The result of a run that was not resumed. */
export function resultOf({ runId, graph, checkpoint, waiting }: RunRecord): WorkflowResult {
  const { steps, durationMs, regions } = checkpoint;
  const state = regions[0]?.state ?? {};
  const path = regions.flatMap((region) => region.path);
  const end = { status: "suspended", success: false, error: null } as const;
  return { runId, graph, ...end, state, path, steps, durationMs, waiting };
}

/** Null when the file is damaged or not a record. */
export function parseRecord(text: string, runId: string): RunRecord | null {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  return isRecord(data) && data.runId === runId ? data : null;
}

function isRecord(data: unknown): data is RunRecord {
  if (!isMapping(data) || data["version"] !== 1) return false;
  const { sheet, encoding, limits, answers, end, waiting } = data;
  return (
    ["runId", "graph", "fingerprint", "suspendedAt"].every((key) => typeof data[key] === "string") &&
    [sheet, encoding, data["startedBy"] ?? null].every((one) => one === null || typeof one === "string") &&
    [limits, answers].every(isMapping) &&
    (end === null || isMapping(end)) &&
    Array.isArray(waiting) &&
    waiting.every((one) => isMapping(one) && typeof one["node"] === "string") &&
    isCheckpoint(data["checkpoint"])
  );
}

/** Checks the structure that the driver relies on. The driver itself checks that it fits the graph. */
function isCheckpoint(data: unknown): boolean {
  if (!isMapping(data) || !isMapping(data["given"]) || !isMapping(data["visits"])) return false;
  const { regions, steps, durationMs } = data;
  return typeof steps === "number" && typeof durationMs === "number" && isList(regions, isRegion);
}

function isRegion(data: unknown): boolean {
  if (!isMapping(data) || !isMapping(data["state"])) return false;
  const { path, heads, arrivals, asleep, split } = data;
  return (
    isList(path, isText) &&
    isList(heads, isText) &&
    isList(arrivals, (one) => isMapping(one) && isText(one["node"])) &&
    (asleep === null ||
      (isMapping(asleep) &&
        isText(asleep["node"]) &&
        (asleep["attempt"] === undefined || typeof asleep["attempt"] === "number") &&
        isMapping(asleep["spec"]) &&
        isInside(asleep["spec"]["inside"]))) &&
    (split === null || (isMapping(split) && isText(split["node"])))
  );
}

/** Suspended runs of sub-graphs. */
function isInside(data: unknown): boolean {
  if (data === undefined) return true;
  return isMapping(data) && isList(data["runs"], (one) => isMapping(one) && isCheckpoint(one["checkpoint"]));
}

const isText = (data: unknown): boolean => typeof data === "string";
const isList = (data: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(data) && data.every(isItem);
