import type {
  ErrorCode,
  Json,
  Logger,
  Ops,
  RunEvent,
  RunOptions,
  Services,
  StateData,
  TypedItem,
  WaitingFor,
  WaitSpec,
} from "../contract/contract.js";
import { cut, FlowsheetError, MisfitError, messageOf } from "../contract/errors.js";
import { type AgentCall, callOf, type PreparedSplit, type Table } from "../link/table.js";
import { forkState } from "../values/state.js";
import type { State } from "../values/state-type.js";
import type { Memory } from "./conversations.js";
import { openScope, type Scope } from "./scope.js";
import type { Visit } from "./visit.js";

/** Ends a run before its end: an unhandled throw, a limit, a cancellation. */
export class RunStop extends FlowsheetError {
  declare readonly code: ErrorCode;
  readonly node: string | null;
  readonly item: TypedItem | null;
  constructor(code: ErrorCode, message: string, node: string | null, item: TypedItem | null = null) {
    super(code, message);
    this.node = node;
    this.item = item;
  }
}

/** One run: what all its parts share. */
export interface Run {
  readonly table: Table;
  readonly runId: string;
  readonly options: RunOptions;
  readonly given: StateData;
  /** Agents are not simply called: there are stand-ins, a durable engine, or a debugger. */
  readonly isSpecial: boolean;
  /** Stand-ins for agents by node; null without any. */
  readonly standIns: ReadonlyMap<number, AgentCall> | null;
  readonly on: ((event: RunEvent) => void) | null;
  /** Told when a branch has settled, for those who put events in the order of the path. */
  readonly onSettled: ((branch: readonly number[]) => void) | null;
  readonly ops: Ops | null;
  readonly log: Logger;
  readonly services: Services;
  readonly maxSteps: number;
  /** Visits below this number need not be looked at: no limit can be reached. */
  readonly freeSteps: number;
  /** Visits so far by node. A plain array: a typed one costs more to make than all that is done with it. */
  readonly visits: number[];
  /** Nodes whose surplus entries have been noted; null until there is one. */
  noted: Set<number> | null;
  /** Sizes of the large values by field; null until there is one. */
  sizes: Map<string, number> | null;
  /** Of the legs before a suspension. */
  readonly earlierMs: number;
  /** Null unless the run is part of another one. */
  readonly caller: Caller | null;
  steps: number;
  /** The number of steps after which the event loop gets its turn. */
  nextTurn: number;
  /** Visits that went elsewhere because of a limit, since the one that took place as this step. */
  redirects: number;
  redirectedAt: number;
  /** A line has ended right after a failure that no edge took. */
  unhandled: boolean;
}

/** The visit that a run of a sub-graph is part of. */
export interface Caller {
  /** Closes the run with it. */
  readonly scope: Scope;
  /** The run whose limit the visits count against as well; null when they have a count of their own. */
  readonly counts: Run | null;
  /** How many runs are around it. */
  readonly depth: number;
  /** What the keys of its visits begin with. */
  readonly stem: string;
}

/** Counts a visit in the runs around its own. */
export function countOutside({ counts }: Caller, node: string): void {
  for (let run = counts; run !== null; run = run.caller?.counts ?? null) {
    if (run.steps >= run.maxSteps) throw tooManySteps(run, node);
    run.steps += 1;
  }
}

export const tooManySteps = ({ maxSteps }: Run, node: string): RunStop =>
  new RunStop("step_limit", `the run did not end within ${maxSteps} node visits`, node);

/** A line of a run: the run itself, or one branch of a split, on its own state. */
export interface Line {
  readonly run: Run;
  readonly parent: Line | null;
  /** Index of the branch; 0 for the run. */
  readonly branch: number;
  readonly depth: number;
  /** The split that this is a branch of; null for the run. */
  readonly within: PreparedSplit | null;
  readonly scope: Scope;
  readonly state: State;
  /** The fields that a branch has written, in the order of its writes; null for the run itself. */
  readonly written: string[] | null;
  /** The visited nodes by name. */
  readonly path: string[];
  /** Nodes that wait for their turn, lowest rank first; null as long as there were none. */
  heads: number[] | null;
  /** The node that began the current stretch. */
  start: number;
  /** Where the branch stopped; null until it has. */
  arrivals: Arrival[] | null;
  asleep: Asleep | null;
  split: RunningSplit | null;
  /** What was said in this line, by conversation; null until something was. */
  memory: Memory | null;
  /** The visit whose agent is awaited; null when another thing is awaited, or nothing. */
  visit: Visit | null;
}

/** Where a line goes on: a node it came to, and whether over a failure edge. */
export interface Arrival {
  readonly node: number;
  failure: boolean;
}

/** A visit that waits for an answer. */
export interface Asleep {
  readonly node: number;
  readonly visit: number;
  readonly waiting: WaitingFor;
  readonly spec: WaitSpec;
  readonly until: number | null;
  answer: Json | undefined;
}

export interface RunningSplit {
  readonly prepared: PreparedSplit;
  readonly scope: Scope;
  readonly branches: readonly Line[];
}

const silent = (): void => {};
const quiet: Logger = { debug: silent, info: silent, warn: console.warn, error: console.error };
const NO_SERVICES: Services = Object.freeze({});
const MAX_STEPS = 10_000;

/** What a run begins with, or what a suspended one goes on from. */
export interface Origin {
  readonly runId: string;
  /** What was given, and the state as it begins: two objects with the same values. */
  readonly given: StateData;
  readonly state: State;
  readonly steps?: number;
  readonly earlierMs?: number;
  readonly onSettled?: Run["onSettled"];
  readonly caller?: Caller | undefined;
}

/** A run that begins, or goes on: its outermost line. */
export function createRun(table: Table, origin: Origin, options: RunOptions): Line {
  const { runId, given, state, steps = 0, earlierMs = 0, onSettled = null, caller = null } = origin;
  const { maxSteps = MAX_STEPS } = options;
  const run: Run = {
    table,
    runId,
    options,
    given,
    isSpecial: options.nodes !== undefined || options.ops !== undefined || options.pause !== undefined,
    standIns: options.nodes === undefined ? null : prepareStandIns(table, options.nodes),
    on: options.on ?? null,
    onSettled,
    ops: options.ops ?? null,
    log: options.log ?? quiet,
    services: (options.services as Services | undefined) ?? NO_SERVICES,
    maxSteps,
    freeSteps: caller === null ? maxSteps : 0,
    visits: table.zeros.slice(),
    noted: null,
    sizes: null,
    earlierMs,
    caller,
    steps,
    nextTurn: steps + 255,
    redirects: 0,
    redirectedAt: steps,
    unhandled: false,
  };
  const scope = openScope(caller === null ? null : caller.scope);
  return createLine(run, null, { branch: 0, within: null, scope, state });
}

function prepareStandIns(
  table: Table,
  nodes: NonNullable<RunOptions["nodes"]>,
): ReadonlyMap<number, AgentCall> {
  const standIns = new Map<number, AgentCall>();
  for (const [name, agent] of Object.entries(nodes)) {
    const index = table.indexOf.get(name);
    if (index !== undefined && agent !== undefined) standIns.set(index, callOf(agent));
  }
  return standIns;
}

/** A branch of a split that begins. */
export function createBranch(
  parent: Line,
  { within, scope }: { readonly within: PreparedSplit; readonly scope: Scope },
  branch: number,
): Line {
  const { run } = parent;
  return createLine(run, parent, { branch, within, scope, state: forkState(parent.state, run.table) });
}

type Beginning = Pick<Line, "branch" | "within" | "scope" | "state">;

function createLine(run: Run, parent: Line | null, { branch, within, scope, state }: Beginning): Line {
  return {
    run,
    parent,
    branch,
    depth: parent === null ? 0 : parent.depth + 1,
    within,
    scope,
    state,
    written: parent === null ? null : [],
    path: [],
    heads: null,
    start: -1,
    arrivals: null,
    asleep: null,
    split: null,
    memory: null,
    visit: null,
  };
}

/** Which branch of each enclosing split, outermost first. */
export function branchOf(line: Line): readonly number[] {
  const branch: number[] = [];
  for (let inner = line; inner.parent !== null; inner = inner.parent) branch.push(inner.branch);
  return branch.reverse();
}

/** All lines of a run, each followed by the branches of its split in order. No recursion: splits nest deep. */
export function linesOf(root: Line): readonly Line[] {
  const lines: Line[] = [];
  const stack = [root];
  for (let line = stack.pop(); line !== undefined; line = stack.pop()) {
    lines.push(line);
    const branches = line.split?.branches ?? [];
    for (let i = branches.length - 1; i >= 0; i--) stack.push(branches[i]!);
  }
  return lines;
}

/** A message as it may leave the run: without secrets, and short. */
export function publicMessage(run: Run, thrown: unknown): string {
  const { redact } = run.options;
  if (isMisfit(thrown)) return cut(thrown.tell(redact ?? ((text) => text)));
  const message = messageOf(thrown);
  // First of all the secrets: a cut one would not be found.
  return cut(redact === undefined ? message : redact(message));
}

/** Asks something of whatever was thrown. That may set traps: the answer is then no. */
function safely(ask: () => boolean): boolean {
  try {
    return ask();
  } catch {
    return false;
  }
}

export const isMisfit = (thrown: unknown): thrown is MisfitError =>
  safely(() => thrown instanceof MisfitError);
export const isRunStop = (thrown: unknown): thrown is RunStop => safely(() => thrown instanceof RunStop);
const isAbort = (thrown: unknown): boolean =>
  safely(() => thrown instanceof Error && thrown.name === "AbortError");

/** Tells an event; a listener that throws is its own problem. */
export function tell(run: Run, event: RunEvent): void {
  try {
    run.on?.(event);
  } catch (thrown) {
    run.log.error(`a listener for ${event.type} threw`, thrown);
  }
}

/** What comes too late is noted, and changes nothing. That an agent gave up when it was told to needs no note. */
export function noteLate(run: Run, node: string, thrown: unknown): void {
  if (isAbort(thrown)) return;
  run.log.warn(`the agent of "${node}" failed after its visit was over: ${publicMessage(run, thrown)}`);
}
