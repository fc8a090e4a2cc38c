import { toCheckpoint, waitingIn } from "./checkpoint.js";
import type { Answers, Checkpoint, Given, Result, RunError, RunOptions, StateData } from "./contract.js";
import { drive } from "./drive.js";
import { restoreRun } from "./restore.js";
import { createRun, linesOf, publicMessage, type Run, RunStop, tell, watchRun } from "./run.js";
import { closeScope } from "./scope.js";
import { copyGiven, snapshot } from "./state.js";
import type { Table } from "./table.js";

/** Runs a graph from its entry. Rejects only when what is given cannot be used. */
export async function execute(
  table: Table,
  given: Given,
  options: RunOptions,
  onSettled: Run["onSettled"] = null,
): Promise<Result<StateData>> {
  const runId = options.runId ?? crypto.randomUUID();
  const run = createRun(
    table,
    { runId, given: copyGiven(given), steps: 0, earlierMs: 0, onSettled },
    options,
  );
  run.root.heads.push(table.entry);
  return finish(run);
}

/** Goes on with a suspended run. Rejects when the checkpoint or an answer cannot be used; nothing is run then. */
export async function resume(
  table: Table,
  checkpoint: Checkpoint,
  { answers, options }: { readonly answers: Answers; readonly options: RunOptions },
): Promise<Result<StateData>> {
  return finish(restoreRun(table, checkpoint, { answers, options }));
}

async function finish(run: Run): Promise<Result<StateData>> {
  const began = performance.now();
  const watch = watchRun(run, (reason) => closeScope(run.root.scope, reason));
  let result: Result<StateData>;
  try {
    const line = drive(run, run.root);
    const settled = await (watch === null ? line : Promise.race([line, watch.interrupted]));
    result = settled ? completed(run, began) : suspended(run, began);
  } catch (stop) {
    result = failed(run, began, stop);
  } finally {
    watch?.end();
  }
  if (run.on !== null) tell(run, { type: "run_end", runId: run.runId, result });
  return result;
}

interface Facts {
  readonly runId: string;
  readonly graph: string;
  readonly path: readonly string[];
  readonly steps: number;
  readonly durationMs: number;
}

function factsOf(run: Run, began: number): Facts {
  const { nodes } = run.table;
  const path = linesOf(run.root).flatMap((line) => line.path.map((index) => nodes[index]!.name));
  const durationMs = run.earlierMs + performance.now() - began;
  return { runId: run.runId, graph: run.table.name, path, steps: run.steps, durationMs };
}

function completed(run: Run, began: number): Result<StateData> {
  const state = snapshot(run.root.state);
  return { status: "completed", ...factsOf(run, began), state, error: null, waiting: [] };
}

function suspended(run: Run, began: number): Result<StateData> {
  const facts = factsOf(run, began);
  const waiting = waitingIn(run.root);
  const checkpoint = toCheckpoint(run, facts.durationMs);
  return { status: "suspended", ...facts, state: snapshot(run.root.state), error: null, waiting, checkpoint };
}

function failed(run: Run, began: number, thrown: unknown): Result<StateData> {
  const error = errorOf(run, thrown);
  const result: Result<StateData> = {
    status: error.code === "cancelled" ? "cancelled" : "failed",
    ...factsOf(run, began),
    state: snapshot(run.root.state),
    error,
    waiting: [],
  };
  // Whatever still goes on in stopped branches finds its run closed.
  closeScope(run.root.scope, thrown instanceof Error ? thrown : new RunStop("internal", error.message, null));
  return result;
}

function errorOf(run: Run, thrown: unknown): RunError {
  if (thrown instanceof RunStop) {
    return { code: thrown.code, message: thrown.message, graph: run.table.name, node: thrown.node };
  }
  run.log.error("the run failed inside flowsheet itself", thrown);
  return { code: "internal", message: publicMessage(run, thrown), graph: run.table.name, node: null };
}
