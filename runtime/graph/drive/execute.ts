import { describeValue } from "../../../compiler/types/describe-value.js";
import { fits } from "../../../compiler/types/fits.js";
import { formatType } from "../../../compiler/types/format-type.js";
import type {
  Answers,
  Checkpoint,
  Given,
  Result,
  RunError,
  RunOptions,
  StateData,
} from "../contract/contract.js";
import { InputError } from "../contract/errors.js";
import type { Table } from "../link/table.js";
import { toCheckpoint, waitingIn } from "../suspend/checkpoint.js";
import { restoreRun } from "../suspend/restore.js";
import { createState, release, snapshot } from "../values/state.js";
import type { State } from "../values/state-type.js";
import { drive } from "./drive.js";
import {
  createRun,
  isEngineStop,
  type Line,
  linesOf,
  publicMessage,
  type Run,
  RunStop,
  tell,
} from "./run.js";
import { closeScope, LONGEST_MS, onClose } from "./scope.js";

/** Runs a graph from its entry. It rejects only when a given value cannot be used. */
export function execute(
  ready: () => Table,
  given: Given,
  options: RunOptions,
  onSettled: Run["onSettled"] = null,
): Promise<Result<StateData>> {
  try {
    const table = ready();
    const runId = options.runId ?? createRunId();
    const state = createState(given, table.State);
    checkTypes(table, state);
    const origin = { runId, given: { ...state } as StateData, state, onSettled };
    const root = createRun(table, origin, options);
    return finish(root, table.entry);
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}

/** Refuses given values of a wrong type before anything is run. */
function checkTypes({ given }: Table, state: State): void {
  for (const { field, type } of given()) {
    const value = state[field];
    if (value === undefined || fits(value, type)) continue;
    throw new InputError(field, `input "${field}" must be ${formatType(type)}, not ${describeValue(value)}`);
  }
}

/** Continues a suspended run. It rejects before running anything when the checkpoint or an answer cannot be used. */
export async function resume(
  table: Table,
  checkpoint: Checkpoint,
  { answers, options }: { readonly answers: Answers; readonly options: RunOptions },
): Promise<Result<StateData>> {
  return finish(restoreRun(table, checkpoint, { answers, options }));
}

async function finish(root: Line, entry?: number): Promise<Result<StateData>> {
  const { timed, on, signal, timeoutMs, deadline } = root.run.options;
  const began = timed === false && on === undefined ? UNTIMED : performance.now();
  const isFree = signal === undefined && timeoutMs === undefined && deadline === undefined;
  const watch = isFree ? null : watchRun(root);
  try {
    const rest = drive(root, entry);
    if (typeof rest === "boolean") return settled(root, began, rest);
    const ended = await (watch === null ? rest : Promise.race([rest, watch.interrupted]));
    return settled(root, began, ended);
  } catch (stop) {
    return failed(root, began, stop);
  } finally {
    watch?.end();
  }
}

function settled(root: Line, began: number, ended: boolean): Result<StateData> {
  return told(root.run, ended ? completed(root, began) : suspended(root, began));
}

function told(run: Run, result: Result<StateData>): Result<StateData> {
  run.observed?.end(result);
  if (run.on !== null) tell(run, { type: "run_end", runId: run.runId, result });
  return result;
}

const ID_BYTES = 16;
/** Random bytes for so many ids are read at once: one read costs more than a small run. */
const BATCH = 256;
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const bytes = new Uint8Array(ID_BYTES * BATCH);
let used = bytes.length;

/** 128 random bits, so that ids cannot be guessed. Web Crypto works in browsers, too. */
function createRunId(): string {
  if (used === bytes.length) {
    crypto.getRandomValues(bytes);
    used = 0;
  }
  let id = "";
  for (const end = used + ID_BYTES; used < end; used++) id += HEX[bytes[used]!];
  return id;
}

/** Reading a clock costs as much as a node, so runs may go without. */
const UNTIMED = -1;

function durationOf(run: Run, began: number): number {
  return began === UNTIMED ? run.earlierMs : run.earlierMs + performance.now() - began;
}

interface Facts {
  readonly runId: string;
  readonly graph: string;
  readonly path: readonly string[];
  readonly steps: number;
  readonly durationMs: number;
}

function factsOf(root: Line, began: number): Facts {
  const { run } = root;
  const { runId, table, steps } = run;
  const path = root.split === null ? root.path : linesOf(root).flatMap((line) => line.path);
  return { runId, graph: table.name, path, steps, durationMs: durationOf(run, began) };
}

function completed({ run, path, state }: Line, began: number): Result<StateData> {
  return {
    status: "completed",
    runId: run.runId,
    graph: run.table.name,
    path,
    steps: run.steps,
    durationMs: durationOf(run, began),
    state: release(state, run.table.isRoomy),
    error: null,
    waiting: [],
  };
}

function suspended(root: Line, began: number): Result<StateData> {
  const facts = factsOf(root, began);
  const waiting = waitingIn(root);
  const checkpoint = toCheckpoint(root, facts.durationMs);
  return { status: "suspended", ...facts, state: snapshot(root.state), error: null, waiting, checkpoint };
}

function failed(root: Line, began: number, thrown: unknown): Result<StateData> {
  if (isEngineStop(thrown)) {
    closeScope(root.scope, thrown);
    throw thrown.thrown;
  }
  const error = errorOf(root.run, thrown);
  const result: Result<StateData> = {
    status: error.code === "cancelled" ? "cancelled" : "failed",
    ...factsOf(root, began),
    state: snapshot(root.state),
    error,
    waiting: [],
  };
  // Stopped branches that still work find their scope closed.
  closeScope(root.scope, thrown instanceof Error ? thrown : new RunStop("internal", error.message, null));
  return told(root.run, result);
}

function errorOf(run: Run, thrown: unknown): RunError {
  if (thrown instanceof RunStop) {
    const { code, message, node, item } = thrown;
    return { code, message, graph: run.table.name, node, ...(item === null ? {} : { item }) };
  }
  run.log.error("the run failed inside flowsheet itself", thrown);
  return { code: "internal", message: publicMessage(run, thrown), graph: run.table.name, node: null };
}

/** The only node at work; null when there are several, or none. */
function nodeAtWork(root: Line): string | null {
  const [only, ...others] = linesOf(root).flatMap(({ visit }) => (visit === null ? [] : [visit.node]));
  return others.length === 0 ? (only ?? null) : null;
}

interface Watch {
  /** Rejects when the run is cancelled or out of time. It never resolves. */
  readonly interrupted: Promise<never>;
  readonly end: () => void;
}

/** Watches the caller's signal and the run's time-out. */
function watchRun(root: Line): Watch {
  const { run, scope } = root;
  const { signal, timeoutMs, deadline } = run.options;
  const stop = (code: "cancelled" | "run_timeout", message: string): void =>
    closeScope(scope, new RunStop(code, message, nodeAtWork(root)));
  const interrupted = new Promise<never>((_, reject) => onClose(scope, reject));
  interrupted.catch(() => {});
  const cancel = (): void => stop("cancelled", "the run was cancelled");
  const expire = (): void => stop("run_timeout", `the run took longer than ${timeoutMs} ms`);
  const timer = timeoutMs === undefined ? undefined : setTimeout(expire, Math.min(timeoutMs, LONGEST_MS));
  const stopDeadline =
    deadline === undefined
      ? null
      : startDeadline(deadline, () => stop("run_timeout", "the run did not end before its deadline"));
  if (signal?.aborted === true) cancel();
  else signal?.addEventListener("abort", cancel, { once: true });
  return {
    interrupted,
    end: () => {
      clearTimeout(timer);
      stopDeadline?.();
      signal?.removeEventListener("abort", cancel);
    },
  };
}

/** Calls back at a time, which may be over already. */
function startDeadline(at: number, callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    const left = at - Date.now();
    if (left <= 0) callback();
    else timer = setTimeout(look, Math.min(left, LONGEST_MS));
  };
  look();
  return () => clearTimeout(timer);
}
