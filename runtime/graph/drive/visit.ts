import type {
  AgentContext,
  Candidate,
  InsideData,
  Json,
  Logger,
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
import type { Line, Run } from "./run.js";
import { type Scope, signalFor } from "./scope.js";

/** What was said in a conversation. */
export interface Said {
  readonly conversation: string;
  readonly turns: readonly Turn[];
}

/** What few visits need. */
export interface Extra {
  attempt: number;
  /** Calls so far, for durable engines: attempts, and calls with an answer. */
  calls: number;
  /** An attempt with a time-out has a scope of its own. */
  scope: Scope | null;
  /** What the agent waits for; null when it does not, or when the answer is there. */
  spec: WaitSpec | null;
  answer: Json | undefined;
  /** The wait ended without an answer. */
  overdue: boolean;
  /** What is to be added to conversations when the visit succeeds; null when there is nothing. */
  said: readonly Said[] | null;
  /** What calls of models cost so far; null when there were none. */
  usage: Usage | null;
  /** What waited inside the node; null when nothing did, or when it has been taken up. */
  inside: InsideData | null;
  /** A debugger has held it and let it go. */
  isReleased: boolean;
}

/** What listeners are told of a visit. */
export interface Notes {
  /** The number of the visit in the run. */
  readonly step: number;
  readonly began: number;
  /** The reason of a failure. */
  error: string | null;
  /** What was written; kept only for a trace. */
  readonly writes: { [field: string]: Json } | null;
}

const NO_INPUTS: Inputs = Object.freeze({});

/**
 * One visit of a node while it goes on, which is also what its agent may know of it. One is made for every
 * visit, so what is rarely asked for is worked out on demand.
 */
export class Visit implements AgentContext {
  declare readonly line: Line;
  declare readonly prepared: PreparedNode;
  /** Counts the visits of this node from 1. */
  declare readonly visit: number;
  declare inputs: Inputs;
  /** The way on is a failure edge. */
  declare overFailure: boolean;
  declare extra: Extra | null;
  /** Null unless somebody listens. */
  declare notes: Notes | null;

  // First values stand in the prototype: V8 inlines a constructor only while it is short.
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
  get node(): string {
    return this.prepared.name;
  }
  get attempt(): number {
    return this.extra?.attempt ?? 1;
  }
  get settings(): Settings {
    return this.prepared.settings;
  }
  get prompt(): string | undefined {
    const { prepared, inputs, line } = this;
    return prepared.prompt === null ? undefined : prepared.prompt(inputs, line.state as StateData);
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
    // Copies: what the agent does to its own later is not said.
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

/** Whether another node that asks for a field has been visited: what the caller gave was its answer. */
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

/** What few visits need, made when it is first needed. */
export function extraOf(visit: Visit): Extra {
  visit.extra ??= {
    attempt: 1,
    calls: 0,
    scope: null,
    spec: null,
    answer: undefined,
    overdue: false,
    said: null,
    usage: null,
    inside: null,
    isReleased: false,
  };
  return visit.extra;
}

/** Begins a visit, and tells those who listen. */
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
