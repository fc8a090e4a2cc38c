import type { Json } from "../../../compiler/ir.js";
import { isNamed, type NodeNames } from "../../debug/node-names.js";
import { canBeSet, safeView } from "../../debug/views.js";
import type { Ask, RunEvent, Stop, WaitingFor } from "../../graph/contract/contract.js";
import { redactData } from "../../graph/tell/redact.js";
import { describeEvent, type SentEvent } from "../../http/request/event-stream.js";
import { HttpProblem, inputInvalid } from "../../http/request/problem.js";
import { describeResult, type WorkflowResult } from "../../runs/result.js";
import type { StepLeading } from "../../runs/runner.js";
import { Told } from "./told.js";

/** What a debugger can be told to do. */
export type DebugCommand =
  | { readonly do: "next" | "continue" | "quit" }
  | { readonly do: "set"; readonly field: string; readonly value: Json }
  | { readonly do: "answer"; readonly value: Json }
  | { readonly do: "break"; readonly node: string }
  | { readonly do: "clear"; readonly node?: string | undefined };

/** What the run waits for: to be let go, or for an answer. */
type Held =
  | { readonly kind: "stop"; readonly stop: Stop; readonly release: () => void }
  | {
      readonly kind: "ask";
      readonly node: string;
      readonly problemOf: (answer: Json) => string | null;
      readonly release: (answer: Json) => void;
    };

export interface DebugParts {
  readonly names: NodeNames;
  readonly breaks: readonly string[];
  readonly redact: (text: string) => string;
}

/** A run that stops before visits, and does what it is told from afar. */
export class DebugSession {
  readonly told = new Told();
  readonly #names: NodeNames;
  readonly #breaks: Set<string>;
  readonly #redact: (text: string) => string;
  readonly #ending = new AbortController();
  readonly #began = performance.now();
  /** How long each visit was stopped before: that is no work of its own. */
  readonly #stoppedMs = new Map<string, number>();
  #isStepping: boolean;
  #held: Held | null = null;

  constructor({ names, breaks, redact }: DebugParts) {
    this.#names = names;
    this.#breaks = new Set(breaks);
    this.#redact = redact;
    // With breaks the run goes to the first one.
    this.#isStepping = breaks.length === 0;
  }

  /** Begins the run, which goes on by itself until it stops. */
  lead(run: (leading: StepLeading) => Promise<WorkflowResult>): void {
    const ask: Ask = (waiting, signal, problemOf) => this.#ask(waiting, signal, problemOf);
    const pause = (stop: Stop): Promise<void> => this.#pause(stop);
    const on = (event: RunEvent): void => this.#take(event);
    run({ pause, ask, on, trace: true, signal: this.#ending.signal }).then(
      (result) => this.#tell("run_end", { run_id: result.runId, result: describeResult(result) }, true),
      () => this.#tell("run_end", { result: null }, true),
    );
  }

  /** Ends the run, which goes no further. */
  end(): void {
    this.#ending.abort();
    const held = this.#held;
    this.#held = null;
    if (held?.kind === "stop") held.release();
  }

  obey(command: DebugCommand): void {
    if (command.do === "quit") this.end();
    else if (command.do === "break") this.#breaks.add(this.#known(command.node));
    else if (command.do === "clear") this.#clear(command.node);
    else if (command.do === "answer") this.#answer(command.value);
    else if (command.do === "set") this.#set(command.field, command.value);
    else this.#go(command.do === "next");
  }

  #known(node: string): string {
    if (this.#names.isKnown(node)) return node;
    throw unknownNode(this.#names, node, "/node");
  }

  #clear(node: string | undefined): void {
    if (node === undefined) this.#breaks.clear();
    else this.#breaks.delete(node);
  }

  #go(isStep: boolean): void {
    const { release } = this.#stopped();
    this.#held = null;
    this.#isStepping = isStep;
    release();
  }

  #set(field: string, value: Json): void {
    const { stop } = this.#stopped();
    if (!canBeSet(field))
      throw inputInvalid([{ pointer: "/field", message: `${JSON.stringify(field)} cannot be a field` }]);
    stop.set(field, value);
    this.#tellStop(stop);
  }

  #answer(value: Json): void {
    const held = this.#held;
    if (held?.kind !== "ask") throw new HttpProblem("not_stopped", { detail: "no node waits for an answer" });
    const problem = held.problemOf(value);
    if (problem !== null) throw inputInvalid([{ pointer: "/value", message: problem }]);
    this.#held = null;
    held.release(value);
  }

  #stopped(): Held & { readonly kind: "stop" } {
    const held = this.#held;
    if (held?.kind === "stop") return held;
    const detail = held === null ? undefined : `${held.node} waits: answer it first`;
    throw new HttpProblem("not_stopped", { detail });
  }

  async #pause(stop: Stop): Promise<void> {
    if (this.#ending.signal.aborted || !(this.#isStepping || isNamed(this.#breaks, stop))) return;
    this.#isStepping = true;
    const began = performance.now();
    await new Promise<void>((release) => {
      this.#held = { kind: "stop", stop, release };
      this.#tellStop(stop);
    });
    this.#stoppedMs.set(visitOf(stop), performance.now() - began);
  }

  /** Asks until there is an answer. A run that is over takes none, and is not held up by the question. */
  #ask(waiting: WaitingFor, signal: AbortSignal, problemOf: (answer: Json) => string | null): Promise<Json> {
    const { node, field, prompt, options } = waiting;
    const over = AbortSignal.any([signal, this.#ending.signal]);
    return new Promise((resolve) => {
      if (over.aborted) return resolve(null);
      const held: Held = { kind: "ask", node, problemOf, release: resolve };
      over.addEventListener("abort", () => {
        if (this.#held === held) this.#held = null;
        resolve(null);
      });
      this.#held = held;
      this.#tell("ask", { node, field, prompt: this.#redact(prompt), options });
    });
  }

  #tellStop(stop: Stop): void {
    const { node, visit, branch, step, graph } = stop;
    const { inputs, prompt, state } = safeView(stop, this.#redact);
    this.#tell("stop", { node, graph: graph.name, visit, branch, step, inputs, prompt, state });
  }

  #take(event: RunEvent): void {
    if (event.type === "run_end") return;
    const stopped = this.#stoppedMs.get(visitOf(event)) ?? 0;
    const worked = event.type === "node_end" ? { ms: Math.max(0, event.ms - stopped) } : {};
    const at_ms = Math.round(performance.now() - this.#began);
    this.#tell(event.type, { ...describeEvent(event), ...worked, at_ms });
  }

  #tell(type: SentEvent["type"], data: object, isLast = false): void {
    this.told.add(type, redactData(data, this.#redact) as object, isLast);
  }
}

const visitOf = ({ node, visit, branch }: Pick<Stop, "node" | "visit" | "branch">): string =>
  `${node} ${visit} ${branch.join(".")}`;

export function unknownNode(names: NodeNames, node: string, pointer: string): HttpProblem {
  const near = names.meant(node);
  const help = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
  return inputInvalid([{ pointer, message: `no node is called ${JSON.stringify(node)}${help}` }]);
}
