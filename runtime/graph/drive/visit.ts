import type {
  AgentContext,
  Answered,
  Candidate,
  Formula,
  InsideData,
  Json,
  Logger,
  RunValues,
  Services,
  Settings,
  StateData,
  Wait,
  WaitSpec,
} from "../contract/contract.js";
import type { Turn, Usage } from "../contract/services.js";
import { wait } from "../contract/signal.js";
import { isAsking } from "../link/marks.js";
import type { Inputs, Output, PreparedNode } from "../link/table.js";
import { tellStart } from "../tell/events.js";
import { checkLength, recall } from "./conversations.js";
import { dateIn } from "./date-in.js";
import { type Line, type Run, timezoneOf } from "./run.js";
import { type Scope, signalFor } from "./scope.js";

export interface Said {
  readonly conversation: string;
  readonly turns: readonly Turn[];
}

/** Fields that few visits need. */
export interface Extra {
  attempt: number;
  /** Calls so far, for durable engines: attempts, and calls with an answer. */
  calls: number;
  /** The scope of an attempt with a time-out. */
  scope: Scope | null;
  /** The open question; null when there is none, or when the answer is there. */
  spec: WaitSpec | null;
  answer: Json | undefined;
  /** Who gave the answer, and when; null when nobody did. */
  answered: Answered | null;
  /** The wait has ended without an answer. */
  overdue: boolean;
  /** Turns to add to conversations when the visit succeeds. */
  said: readonly Said[] | null;
  /** The tokens of calls of models so far. */
  usage: Usage | null;
  /** Suspended runs inside the node; null when there are none, or when they have been resumed. */
  inside: InsideData | null;
  /** The durable engine has no answer yet: the visit waits until this time, or without a limit. */
  parked: { readonly until: number | null } | null;
  /** A debugger has released it. */
  isReleased: boolean;
  /** The clock that the inputs have read, in milliseconds since 1970; null when they read none. */
  clock: number | null;
}

/** Data for the events of a visit. */
export interface Notes {
  readonly step: number;
  readonly began: number;
  error: string | null;
  /** The written values; kept only for a trace. */
  readonly writes: { [field: string]: Json } | null;
}

const NO_INPUTS: Inputs = Object.freeze({});

/**
 * One visit of a node, which is also the base of its agent's context. There is one for every visit, so rare values
 * are computed on demand.
 */
export class Visit implements AgentContext, RunValues {
  declare readonly line: Line;
  declare readonly prepared: PreparedNode;
  /** The number of the visit among those of its node, from 1. */
  declare readonly visit: number;
  declare inputs: Inputs;
  /** The next edge is a failure edge. */
  declare overFailure: boolean;
  declare extra: Extra | null;
  /** Null without a listener. */
  declare notes: Notes | null;

  // Defaults are on the prototype, because V8 inlines only short constructors.
  static {
    Object.assign(Visit.prototype, { inputs: NO_INPUTS, overFailure: false, extra: null, notes: null });
  }

  constructor(line: Line, node: PreparedNode, visit: number) {
    this.line = line;
    this.prepared = node;
    this.visit = visit;
  }

  get runId(): string {
    return this.line.run.runId;
  }
  get graph(): string {
    return this.line.run.table.name;
  }
  get startedAt(): string {
    return isoTime(this.line.run.startedAt);
  }
  get startedBy(): string | undefined {
    return this.line.run.options.startedBy;
  }
  get now(): string {
    return isoTime(clockOf(this));
  }
  get today(): string {
    return dateIn(clockOf(this), timezoneOf(this.line.run));
  }
  get node(): string {
    return this.prepared.name;
  }
  get attempt(): number {
    return this.extra?.attempt ?? 1;
  }
  get timeoutMs(): number | undefined {
    return this.prepared.timeoutMs === 0 ? undefined : this.prepared.timeoutMs;
  }
  get settings(): Settings {
    return this.prepared.settings;
  }
  get prompt(): string | undefined {
    const { prepared, inputs, line } = this;
    return prepared.prompt === null ? undefined : prepared.prompt(inputs, line.state as StateData);
  }
  get formula(): Formula | undefined {
    const { compute, tables } = this.prepared;
    return compute === null ? undefined : { tables, compute: (read) => compute(this.inputs, read) };
  }
  get outputs(): readonly Output[] {
    return this.prepared.outputs;
  }
  get signal(): AbortSignal {
    return signalFor(this.extra?.scope ?? this.line.scope);
  }
  get log(): Logger {
    return this.line.run.log;
  }
  get key(): string {
    const { runId, caller } = this.line.run;
    return `${caller === null ? runId : caller.stem}/${this.node}/${this.visit}`;
  }
  get services(): Services {
    return this.line.run.services;
  }
  get answer(): Json | undefined {
    return this.extra?.answer;
  }
  get answered(): Answered | undefined {
    return this.extra?.answered ?? undefined;
  }
  get targets(): readonly Candidate[] {
    return this.prepared.candidates;
  }
  given(field: string): Json | undefined {
    const { given } = this.line.run;
    return Object.hasOwn(given, field) && !wasTaken(this, field) ? given[field] : undefined;
  }
  wait(spec: WaitSpec): Wait {
    return wait(spec);
  }

  recall(conversation: string): readonly Turn[] {
    const pending = this.extra?.said?.filter((one) => one.conversation === conversation) ?? [];
    return [...recall(this.line, conversation), ...pending.flatMap(({ turns }) => turns)];
  }
  remember(conversation: string, turns: readonly Turn[]): void {
    checkLength(conversation, [...this.recall(conversation), ...turns]);
    const extra = extraOf(this);
    // Copies, because the agent may change its objects later.
    const said = turns.map((turn) => Object.freeze({ ...turn }));
    extra.said = [...(extra.said ?? []), { conversation, turns: said }];
  }
  spend({ input_tokens, output_tokens }: Usage): void {
    const extra = extraOf(this);
    extra.usage = {
      input_tokens: (extra.usage?.input_tokens ?? 0) + input_tokens,
      output_tokens: (extra.usage?.output_tokens ?? 0) + output_tokens,
    };
  }
}

/** True when another node that asks for the field was visited: the given value was its answer. */
function wasTaken({ prepared, line: { run } }: Visit, field: string): boolean {
  if (!isAsking(prepared.call)) return false;
  return run.table.nodes.some(
    (node) =>
      node !== prepared &&
      run.visits[node.index]! > 0 &&
      isAsking(node.call) &&
      node.outputs.some((output) => output.field === field),
  );
}

/** Creates the rare fields on first use. */
export function extraOf(visit: Visit): Extra {
  visit.extra ??= {
    attempt: 1,
    calls: 0,
    scope: null,
    spec: null,
    answer: undefined,
    answered: null,
    overdue: false,
    said: null,
    usage: null,
    inside: null,
    parked: null,
    isReleased: false,
    clock: null,
  };
  return visit.extra;
}

function clockOf(visit: Visit): number {
  const extra = extraOf(visit);
  extra.clock ??= visit.line.run.options.clock?.() ?? Date.now();
  return extra.clock;
}

/** An answer that comes while the run is driven. */
export const answeredNow = ({ options }: Run, by: string | undefined): Answered => ({
  by,
  at: isoTime(options.clock?.() ?? Date.now()),
});

export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Begins a visit, and emits its event. */
export function createVisit(line: Line, node: PreparedNode, number: number): Visit {
  const visit = new Visit(line, node, number);
  return line.run.on === null ? visit : noteStart(visit);
}

function noteStart(visit: Visit): Visit {
  visit.notes = createNotes(visit.line.run);
  tellStart(visit, visit.notes);
  return visit;
}

function createNotes({ steps, options }: Run): Notes {
  return { step: steps, began: performance.now(), error: null, writes: options.trace === true ? {} : null };
}
