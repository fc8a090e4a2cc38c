import type { Answers, Checkpoint } from "../graph/contract/contract.js";
import { isMapping } from "../graph/values/values.js";
import type { Waiting, WorkflowResult } from "./result.js";

/** A suspended run as it is kept: plain JSON data. */
export interface RunRecord {
  readonly version: 1;
  readonly runId: string;
  readonly graph: string;
  /** The sheet's way from the project's folder; null when it came from standard input. */
  readonly sheet: string | null;
  /** How the sheet is encoded when it is not UTF-8. */
  readonly encoding: string | null;
  readonly fingerprint: string;
  readonly suspendedAt: string;
  readonly limits: RunLimits;
  readonly waiting: readonly Waiting[];
  /** Answers that a resume has taken: they stand, also when it is cut short. */
  readonly answers: Answers;
  readonly checkpoint: Checkpoint;
  /** How the run ended, until that has been told. */
  readonly end: WorkflowResult | null;
}

/** What the run was started with, for all of its life. */
export interface RunLimits {
  readonly maxSteps: number | null;
  readonly timeoutMs: number | null;
}

export interface RunOrigin {
  readonly sheet: string | null;
  readonly encoding: string | null;
  readonly limits: RunLimits;
}

export function createRecord(
  { sheet, encoding, limits }: RunOrigin,
  checkpoint: Checkpoint,
  waiting: readonly Waiting[],
): RunRecord {
  const { runId, graph, fingerprint } = checkpoint;
  const suspendedAt = new Date().toISOString();
  const about = { version: 1, runId, graph, sheet, encoding, fingerprint, suspendedAt } as const;
  return { ...about, limits, waiting, answers: {}, checkpoint, end: null };
}

/** A suspended run that nobody has gone on with. */
export function resultOf({ runId, graph, checkpoint, waiting }: RunRecord): WorkflowResult {
  const { steps, durationMs, regions } = checkpoint;
  const state = regions[0]?.state ?? {};
  const path = regions.flatMap((region) => region.path);
  const end = { status: "suspended", success: false, error: null } as const;
  return { runId, graph, ...end, state, path, steps, durationMs, waiting };
}

/** Reads a record's text; null when it is none: the file was damaged, or written by something else. */
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
    [sheet, encoding].every((one) => one === null || typeof one === "string") &&
    [limits, answers].every(isMapping) &&
    (end === null || isMapping(end)) &&
    Array.isArray(waiting) &&
    waiting.every((one) => isMapping(one) && typeof one["node"] === "string") &&
    isCheckpoint(data["checkpoint"])
  );
}

/** Enough that the driver reads it without a stumble: what does not fit its graph it refuses by itself. */
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
        isMapping(asleep["spec"]) &&
        isInside(asleep["spec"]["inside"]))) &&
    (split === null || (isMapping(split) && isText(split["node"])))
  );
}

/** The suspended runs inside a node, if there are any. */
function isInside(data: unknown): boolean {
  if (data === undefined) return true;
  return isMapping(data) && isList(data["runs"], (one) => isMapping(one) && isCheckpoint(one["checkpoint"]));
}

const isText = (data: unknown): boolean => typeof data === "string";
const isList = (data: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(data) && data.every(isItem);
