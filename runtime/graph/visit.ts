import type {
  AgentContext,
  Json,
  Logger,
  Services,
  Settings,
  StateData,
  Wait,
  WaitSpec,
} from "./contract.js";
import { tellStart } from "./events.js";
import type { Region, Run } from "./run.js";
import { type Scope, signalFor } from "./scope.js";
import { wait } from "./signal.js";
import type { Inputs, Output, PreparedNode } from "./table.js";

/** A visit whose agent waits, or has waited. */
export interface Asking {
  /** What it waits for; null when the answer is there. */
  spec: WaitSpec | null;
  answer: Json | undefined;
  /** The wait ended without an answer. */
  overdue: boolean;
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

/**
 * One visit of a node while it goes on, which is also what its agent may know of it. One is made for every
 * visit, so what is rarely asked for is worked out on demand.
 */
export class Visit implements AgentContext {
  readonly region: Region;
  readonly prepared: PreparedNode;
  /** Counts the visits of this node from 1. */
  readonly visit: number;
  attempt: number;
  /** Calls of the agent so far: attempts, and calls with an answer. */
  calls: number;
  inputs: Inputs;
  /** An attempt with a time-out has a scope of its own. */
  scope: Scope;
  /** The way on is a failure edge. */
  overFailure: boolean;
  /** Null unless the agent has waited for an answer. */
  asking: Asking | null;
  /** Null unless somebody listens. */
  readonly notes: Notes | null;

  constructor(region: Region, node: PreparedNode, visit: number, notes: Notes | null) {
    this.region = region;
    this.prepared = node;
    this.visit = visit;
    this.attempt = 1;
    this.calls = 0;
    this.inputs = NO_INPUTS;
    this.scope = region.scope;
    this.overFailure = false;
    this.asking = null;
    this.notes = notes;
  }

  get runId(): string {
    return this.region.run.runId;
  }
  get graph(): string {
    return this.region.run.table.name;
  }
  get node(): string {
    return this.prepared.name;
  }
  get settings(): Settings {
    return this.prepared.settings;
  }
  get prompt(): string | undefined {
    const { prepared, inputs, region } = this;
    return prepared.prompt === null ? undefined : prepared.prompt(inputs, region.state as StateData);
  }
  get outputs(): readonly Output[] {
    return this.prepared.outputs;
  }
  get signal(): AbortSignal {
    return signalFor(this.scope);
  }
  get log(): Logger {
    return this.region.run.log;
  }
  get key(): string {
    return `${this.runId}/${this.node}/${this.visit}`;
  }
  get services(): Services {
    return this.region.run.services;
  }
  get answer(): Json | undefined {
    return this.asking?.answer;
  }
  given(field: string): Json | undefined {
    return this.region.run.given[field];
  }
  wait(spec: WaitSpec): Wait {
    return wait(spec);
  }

  /** Printed, a context shows what it says, not how it works. */
  [Symbol.for("nodejs.util.inspect.custom")](): object {
    const { runId, graph, node, visit, attempt, settings, prompt, answer } = this;
    return { runId, graph, node, visit, attempt, settings, prompt, answer };
  }
}

const NO_INPUTS: Inputs = Object.freeze({});

/** Begins a visit, and tells those who listen. */
export function createVisit(region: Region, node: PreparedNode, number: number): Visit {
  if (region.run.on === null) return new Visit(region, node, number, null);
  const notes = createNotes(region.run);
  const visit = new Visit(region, node, number, notes);
  tellStart(visit, notes);
  return visit;
}

function createNotes({ steps, options }: Run): Notes {
  return { step: steps, began: performance.now(), error: null, writes: options.trace === true ? {} : null };
}
