import type {
  Answered,
  Carrier,
  ErrorCode,
  Json,
  Logger,
  ObservedRun,
  Ops,
  RunEvent,
  RunOptions,
  RunSeen,
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

/** Ends a run early: an unhandled throw, a limit, or a cancellation. */
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

/** Ends a run with an error of its durable engine, which no handler of the graph takes. */
export class EngineStop extends RunStop {
  readonly thrown: unknown;
  constructor(thrown: unknown) {
    super("internal", messageOf(thrown), null);
    this.thrown = thrown;
  }
}

/** The state that all parts of one run share. */
export interface Run {
  readonly table: Table;
  readonly runId: string;
  readonly startedAt: number;
  readonly options: RunOptions;
  readonly given: StateData;
  /** Agents are not called directly: there are stand-ins, a durable engine, a debugger, or an observer. */
  readonly isSpecial: boolean;
  readonly observed: ObservedRun | null;
  readonly standIns: ReadonlyMap<number, AgentCall> | null;
  readonly on: ((event: RunEvent) => void) | null;
  /** Called when a branch has settled. It is used to emit events in the order of the path. */
  readonly onSettled: ((branch: readonly number[]) => void) | null;
  readonly ops: Ops | null;
  readonly log: Logger;
  readonly services: Services;
  readonly maxSteps: number;
  /** Below this number of visits no limit can be reached, so none is checked. */
  readonly freeSteps: number;
  /** Visits so far by node. A plain array, because a typed array takes longer to create than it saves. */
  readonly visits: number[];
  /** Nodes whose surplus entries are in the log already; null until there is one. */
  noted: Set<number> | null;
  /** Sizes of the large values by field; null until there is one. */
  sizes: Map<string, number> | null;
  /** The time of the parts before a suspension. */
  readonly earlierMs: number;
  /** Null unless the run belongs to a sub-graph. */
  readonly caller: Caller | null;
  steps: number;
  /** The step at which the event loop gets its next turn. */
  nextTurn: number;
  /** Visits that a limit has redirected since the last real visit. */
  redirects: number;
  redirectedAt: number;
  /** A line has ended right after a failure without a failure edge. */
  unhandled: boolean;
}

/** The visit that runs a sub-graph. */
export interface Caller {
  /** Closing it closes the run. */
  readonly scope: Scope;
  /** The run whose limit also counts these visits; null when they have their own count. */
  readonly counts: Run | null;
  /** The number of runs around it. */
  readonly depth: number;
  /** The prefix of its visits' keys. */
  readonly stem: string;
}

export function countOutside({ counts }: Caller, node: string): void {
  for (let run = counts; run !== null; run = run.caller?.counts ?? null) {
    if (run.steps >= run.maxSteps) throw tooManySteps(run, node);
    run.steps += 1;
  }
}

export const tooManySteps = ({ maxSteps }: Run, node: string): RunStop =>
  new RunStop("step_limit", `the run did not end within ${maxSteps} node visits`, node);

/** The run itself or one branch of a split, with its own state. */
export interface Line {
  readonly run: Run;
  readonly parent: Line | null;
  /** Index of the branch; 0 for the run. */
  readonly branch: number;
  readonly depth: number;
  /** The split that the branch belongs to; null for the run. */
  readonly within: PreparedSplit | null;
  readonly scope: Scope;
  readonly state: State;
  /** The fields that a branch has written, in the order of its writes; null for the run itself. */
  readonly written: string[] | null;
  readonly path: string[];
  /** Nodes that wait for their turn, lowest rank first; null until there is one. */
  heads: number[] | null;
  /** The first node of the current stretch. */
  start: number;
  /** The places where the branch stopped; null until there is one. */
  arrivals: Arrival[] | null;
  asleep: Asleep | null;
  split: RunningSplit | null;
  /** The conversations of this line; null until there is one. */
  memory: Memory | null;
  /** The visit whose agent is awaited; null otherwise. */
  visit: Visit | null;
}

/** A node that a line reached, and whether over a failure edge. */
export interface Arrival {
  readonly node: number;
  failure: boolean;
}

export interface Asleep {
  readonly node: number;
  readonly visit: number;
  readonly attempt: number;
  readonly waiting: WaitingFor;
  readonly spec: WaitSpec;
  until: number | null;
  answer: Json | undefined;
  /** Who gave the answer, and when; null when whoever goes on with the run did, just now. */
  answered: Answered | null;
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

/** The data of a run at its start, or of a suspended one. */
export interface Origin {
  readonly runId: string;
  /** Two objects with the same values: the given values never change, the state does. */
  readonly given: StateData;
  readonly state: State;
  readonly steps?: number;
  readonly earlierMs?: number;
  readonly onSettled?: Run["onSettled"];
  readonly caller?: Caller | undefined;
  readonly carrier?: Carrier | undefined;
}

/** Starts or restores a run: its outermost line. */
export function createRun(table: Table, origin: Origin, options: RunOptions): Line {
  const { runId, given, state, steps = 0, earlierMs = 0, onSettled = null, caller = null } = origin;
  const { maxSteps = MAX_STEPS, observer } = options;
  const run: Run = {
    table,
    runId,
    startedAt: options.startedAt ?? Date.now(),
    options,
    given,
    isSpecial:
      options.nodes !== undefined ||
      options.ops !== undefined ||
      options.pause !== undefined ||
      observer !== undefined,
    observed: observer === undefined ? null : observer.begin(seenBy(table, origin)),
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

const seenBy = ({ name }: Table, { runId, caller, carrier }: Origin): RunSeen => ({
  ...{ runId, graph: name, isInner: caller !== undefined, earlier: carrier ?? null },
});

export const timezoneOf = ({ table, options }: Run): string =>
  table.definition.timezone ?? options.timezone ?? "UTC";

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

/** The index of the branch in each enclosing split, outermost first. */
export function branchOf(line: Line): readonly number[] {
  const branch: number[] = [];
  for (let inner = line; inner.parent !== null; inner = inner.parent) branch.push(inner.branch);
  return branch.reverse();
}

/** All lines of a run, each before the branches of its split. No recursion, because splits nest deep. */
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

/** The message of an error for the caller: without secrets, and cut. */
export function publicMessage(run: Run, thrown: unknown): string {
  const { redact } = run.options;
  if (isMisfit(thrown)) return cut(thrown.tell(redact ?? ((text) => text)));
  const message = messageOf(thrown);
  // Secrets are removed before the message is cut: a cut secret would not be found.
  return cut(redact === undefined ? message : redact(message));
}

/** Asks a thrown value. It may be a Proxy that throws; the answer is then no. */
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
export const isEngineStop = (thrown: unknown): thrown is EngineStop =>
  safely(() => thrown instanceof EngineStop);
const isAbort = (thrown: unknown): boolean =>
  safely(() => thrown instanceof Error && thrown.name === "AbortError");

/** Emits an event. Errors of a listener are ignored. */
export function tell(run: Run, event: RunEvent): void {
  try {
    run.on?.(event);
  } catch (thrown) {
    run.log.error(`a listener for ${event.type} threw`, thrown);
  }
}

/** Logs what comes too late. An agent that stops after its signal was aborted is not logged. */
export function noteLate(run: Run, node: string, thrown: unknown): void {
  if (isAbort(thrown)) return;
  run.log.warn(`the agent of "${node}" failed after its visit was over: ${publicMessage(run, thrown)}`);
}
