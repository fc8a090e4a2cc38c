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
import type { Region, Run } from "./run.js";
import { type Scope, signalFor } from "./scope.js";
import { wait } from "./signal.js";
import type { Inputs, Output, PreparedNode } from "./table.js";

/** One visit of a node while it goes on. */
export interface Visit {
  readonly run: Run;
  readonly region: Region;
  readonly node: PreparedNode;
  /** Counts the visits of this node from 1. */
  readonly number: number;
  /** The number of the visit in the run. */
  readonly step: number;
  attempt: number;
  /** Calls of the agent so far: attempts, and calls with an answer. */
  calls: number;
  inputs: Inputs;
  /** An attempt with a time-out has a scope of its own. */
  scope: Scope;
  answer: Json | undefined;
  /** What the agent waits for, when its last answer was a wait. */
  spec: WaitSpec | null;
  /** The wait ended without an answer. */
  overdue: boolean;
  outcome: "success" | "failure" | "thrown";
  /** The reason of a failure. */
  error: string | null;
  /** What was written; kept only for a trace. */
  writes: { [field: string]: Json } | null;
  /** When the visit began; only when somebody listens. */
  readonly began: number;
}

/** What an agent may know of its visit. A class, so that what is rarely asked for is worked out on demand. */
export class VisitContext implements AgentContext {
  readonly #visit: Visit;

  constructor(visit: Visit) {
    this.#visit = visit;
  }

  get runId(): string {
    return this.#visit.run.runId;
  }
  get graph(): string {
    return this.#visit.run.table.name;
  }
  get node(): string {
    return this.#visit.node.name;
  }
  get visit(): number {
    return this.#visit.number;
  }
  get attempt(): number {
    return this.#visit.attempt;
  }
  get settings(): Settings {
    return this.#visit.node.settings;
  }
  get prompt(): string | undefined {
    const { node, inputs, region } = this.#visit;
    return node.prompt === null ? undefined : node.prompt(inputs, region.state as StateData);
  }
  get outputs(): readonly Output[] {
    return this.#visit.node.outputs;
  }
  get signal(): AbortSignal {
    return signalFor(this.#visit.scope);
  }
  get log(): Logger {
    return this.#visit.run.log;
  }
  get key(): string {
    return `${this.runId}/${this.node}/${this.visit}`;
  }
  get services(): Services {
    return this.#visit.run.services;
  }
  get answer(): Json | undefined {
    return this.#visit.answer;
  }
  given(field: string): Json | undefined {
    return this.#visit.run.given[field];
  }
  wait(spec: WaitSpec): Wait {
    return wait(spec);
  }
}
