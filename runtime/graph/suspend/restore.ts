import type {
  Answers,
  AsleepData,
  Checkpoint,
  InsideData,
  Json,
  LineData,
  RunOptions,
  StateData,
  WaitSpec,
} from "../contract/contract.js";
import { AnswerError, StaleError } from "../contract/errors.js";
import { restoreMemory } from "../drive/conversations.js";
import { addArrival, addHead } from "../drive/moves.js";
import {
  type Asleep,
  type Caller,
  createBranch,
  createRun,
  type Line,
  linesOf,
  type Run,
} from "../drive/run.js";
import { openScope } from "../drive/scope.js";
import { childOf } from "../link/marks.js";
import { type PreparedNode, type Table, tableOf } from "../link/table.js";
import { createState, put } from "../values/state.js";
import type { State } from "../values/state-type.js";
import { convertAnswer, waitingFor } from "./answers.js";
import { waitingIn } from "./checkpoint.js";
import { asleepIn, nameInside } from "./names-inside.js";

export interface Restoring {
  readonly answers: Answers;
  readonly options: RunOptions;
  readonly caller?: Caller;
}

/** Prepares a suspended run to continue, with the answers in place. Nothing is run yet. */
export function restoreRun(
  table: Table,
  checkpoint: Checkpoint,
  { answers, options, caller }: Restoring,
): Line {
  checkFit(table, checkpoint);
  const { runId, steps, durationMs: earlierMs, carrier } = checkpoint;
  const given = thaw(table, checkpoint.given) as StateData;
  const root = createRun(
    table,
    { runId, given, state: new table.State(), steps, earlierMs, caller, carrier },
    options,
  );
  root.run.unhandled = checkpoint.unhandled === true;
  for (const [name, count] of Object.entries(checkpoint.visits)) root.run.visits[find(table, name)] = count;
  restoreLines(root, checkpoint.regions);
  giveAnswers(root, answers);
  return root;
}

/** Stored values are copied and frozen, since the caller may change the originals. */
const thaw = (table: Table, state: StateData): State =>
  createState(state, table.State, Number.POSITIVE_INFINITY);

/** `by` is the node that runs the graph, for a sub-graph. */
function checkFit(table: Table, checkpoint: Checkpoint, by: string | null = null): void {
  if (checkpoint.version !== 1) throw new StaleError("the suspended run was written by another version");
  if (checkpoint.graph !== table.name) {
    const what = by === null ? "the suspended run is one of" : `"${by}" waited in a run of`;
    throw new StaleError(`${what} "${checkpoint.graph}", not of "${table.name}"`);
  }
  if (checkpoint.fingerprint !== table.definition.fingerprint) {
    const graph = by === null ? `"${table.name}"` : `the graph "${table.name}", which "${by}" runs,`;
    throw new StaleError(`${graph} has changed its meaning since the run was suspended`);
  }
}

function find(table: Table, name: string): number {
  const index = table.indexOf.get(name);
  if (index === undefined) throw new StaleError(`the suspended run knows a node "${name}" that is not there`);
  return index;
}

/** Each line comes after its parent, and branches are in order. */
function restoreLines(root: Line, data: readonly LineData[]): void {
  const regions: Line[] = [];
  const begun: number[] = [];
  data.forEach((one, index) => {
    const parent = one.parent === null ? undefined : regions[one.parent];
    if ((index === 0) !== (parent === undefined)) throw new StaleError("the suspended run cannot be read");
    const branch = parent === undefined ? 0 : (begun[one.parent ?? 0] ?? 0);
    const line = parent === undefined ? root : parent.split?.branches[branch];
    if (line === undefined) throw new StaleError("the suspended run knows a branch that is not there");
    if (one.parent !== null) begun[one.parent] = branch + 1;
    regions.push(line);
    restoreLine(line, one);
  });
}

function restoreLine(line: Line, data: LineData): void {
  const { run } = line;
  const index = (name: string): number => find(run.table, name);
  for (const [field, value] of Object.entries(thaw(run.table, data.state))) put(line, field, value as Json);
  line.memory = restoreMemory(data.memory);
  for (const name of data.path) line.path.push(name);
  for (const name of data.heads) addHead(line, index(name));
  line.start = data.start === null ? -1 : index(data.start);
  for (const { node, failure } of data.arrivals) addArrival(line, index(node), failure);
  if (data.asleep !== null) line.asleep = restoreAsleep(run, data.asleep);
  if (data.split !== null) restoreSplit(line, data.split);
}

function restoreAsleep(run: Run, { node: name, visit, attempt = 1, spec, until }: AsleepData): Asleep {
  const node = find(run.table, name);
  if (spec.inside !== undefined) checkInside(run.table.nodes[node]!, spec.inside);
  const waiting = waitingFor(run.table.nodes[node]!, spec);
  return { node, visit, attempt, spec, until, waiting, answer: undefined, answered: null };
}

/** Runs inside a node are checked, too, so that an error is found before anything is run. */
function checkInside(node: PreparedNode, { runs }: InsideData): void {
  const graph = childOf(node.call);
  if (graph === null)
    throw new StaleError(`in the suspended run "${node.name}" ran a graph, which it does no longer`);
  const table = tableOf(graph.definition);
  for (const { checkpoint } of runs) {
    checkFit(table, checkpoint, node.name);
    for (const { asleep } of checkpoint.regions) {
      if (asleep?.spec.inside !== undefined)
        checkInside(table.nodes[find(table, asleep.node)]!, asleep.spec.inside);
    }
  }
}

function restoreSplit(line: Line, data: NonNullable<LineData["split"]>): void {
  const { table } = line.run;
  const node = find(table, data.node);
  const within = table.splits.find((split) => split.node === node && split.edge === data.edge);
  if (within === undefined) {
    throw new StaleError(`the suspended run knows a split at "${data.node}" that is not there`);
  }
  const scope = openScope(line.scope);
  const branches = within.targets.map((_, branch) => createBranch(line, { within, scope }, branch));
  line.split = { prepared: within, scope, branches };
}

/** A waiting visit, and the name of the question when it is inside. */
interface Sleeper {
  readonly asleep: Asleep;
  readonly spec: WaitSpec;
  readonly inner: string | null;
}

function giveAnswers(root: Line, answers: Answers): void {
  if (Object.keys(answers).length === 0) return;
  const sleepers = new Map<string, Sleeper>();
  for (const { asleep } of linesOf(root)) if (asleep !== null) addSleepers(sleepers, asleep);
  for (const [name, raw] of Object.entries(answers)) {
    const one = sleepers.get(name);
    if (one === undefined) {
      const waiting = waitingIn(root).map(({ node }) => `"${node}"`);
      throw new AnswerError(name, `"${name}" waits for no answer; what waits is ${waiting.join(", ")}`);
    }
    const converted = convertAnswer(one.spec, raw);
    if ("problem" in converted)
      throw new AnswerError(name, `the answer for "${name}" does not fit: ${converted.problem}`);
    const { asleep, inner } = one;
    const answered = root.run.options.answered?.[name];
    if (answered !== undefined) {
      asleep.until = null;
      if (inner === null) asleep.answered = answered;
    }
    // The run inside converts its own answers.
    asleep.answer = inner === null ? converted.value : { ...(asleep.answer as object), [inner]: raw };
  }
}

function addSleepers(sleepers: Map<string, Sleeper>, asleep: Asleep): void {
  const { node } = asleep.waiting;
  const { inside } = asleep.spec;
  if (inside === undefined) sleepers.set(node, { asleep, spec: asleep.spec, inner: null });
  for (const { index, checkpoint } of inside?.runs ?? []) {
    for (const { node: name, spec } of asleepIn(checkpoint)) {
      const inner = nameInside("", index, name);
      if (!sleepers.has(`${node}${inner}`)) sleepers.set(`${node}${inner}`, { asleep, spec, inner });
    }
  }
}
