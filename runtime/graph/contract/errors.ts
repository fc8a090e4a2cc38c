import { describeValue } from "../../../compiler/types/describe-value.js";
import type { FieldType, Json } from "../../../compiler/types/field-type.js";
import { formatType } from "../../../compiler/types/format-type.js";
import type { ErrorCode, TypedItem } from "./contract.js";

/** The longest message that leaves a run. */
const MESSAGE_LIMIT = 2_000;

/** A registered symbol, so that several copies of this package in one process recognize each other's errors. */
const ours: unique symbol = Symbol.for("flowsheet.error") as never;

/** An error that a caller can act on. `code` is a stable word for what happened. */
export class FlowsheetError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
  get [ours](): true {
    return true;
  }
}

/** A given value that no run can start with. */
export class InputError extends FlowsheetError {
  readonly field: string | null;
  constructor(field: string | null, message: string) {
    super("input_invalid", message);
    this.field = field;
  }
}

/** An answer that does not fit what the node waits for. Nothing was run. */
export class AnswerError extends FlowsheetError {
  readonly node: string;
  constructor(node: string, message: string) {
    super("answer_invalid", message);
    this.node = node;
  }
}

/** A suspended run that belongs to another graph, or to an earlier version of this one. */
export class StaleError extends FlowsheetError {
  constructor(message: string) {
    super("run_stale", message);
  }
}

/** A graph whose definition cannot be run. */
export class DefinitionError extends FlowsheetError {
  constructor(message: string) {
    super("graph_invalid", message);
  }
}

/** Thrown by an agent to name the cause of its failure. */
export class AgentError extends FlowsheetError {
  declare readonly code: "agent_failed" | "provider_failed" | "bad_value" | "node_timeout";
  /** How long whoever failed asks to be left alone, in milliseconds. The next attempt waits for it. */
  declare readonly retryAfterMs?: number | undefined;
  constructor(code: AgentError["code"], message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}

/** The longest wait that whoever failed may ask for. */
const LONGEST_WAIT_MS = 60_000;

/** The wait that a thrown value asks for before the next attempt; 0 without one. It never throws. */
export function waitAskedBy(thrown: unknown): number {
  try {
    return Math.min(Number((thrown as Partial<AgentError>).retryAfterMs) || 0, LONGEST_WAIT_MS);
  } catch {
    return 0;
  }
}

/** An error that asks to be left alone for a time. */
export const asksToWait = <E extends AgentError>(error: E, retryAfterMs: number | undefined): E =>
  Object.assign(error, { retryAfterMs });

/** A value that is not of the type that the sheet names for it. */
export interface Misfit {
  /** The field, input or item that the value was meant for, in words. */
  readonly what: string;
  readonly type: FieldType;
  readonly value: Json | undefined;
  readonly item: TypedItem | null;
}

const SHOWN = 100;
/** Secrets are removed from so many characters before the value is cut. No secret is longer. */
const SEARCHED = 100_000;

/** A value does not fit the type of its field or input. */
export class MisfitError extends AgentError {
  readonly misfit: Misfit;
  constructor(misfit: Misfit) {
    super("bad_value", wordsFor(misfit, describeValue(misfit.value)));
    this.misfit = misfit;
  }

  /** The message with the value. Secrets are removed before it is cut: a cut secret would not be found. */
  tell(redact: (message: string) => string): string {
    const { value } = this.misfit;
    if (value === undefined) return this.message;
    const text = redact(JSON.stringify(value).slice(0, SEARCHED));
    return redact(wordsFor(this.misfit, text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text));
  }
}

const wordsFor = ({ what, type, value }: Misfit, shown: string): string =>
  `${what} must be ${formatType(type)}, ${value === undefined ? "but it is unset" : `not ${shown}`}`;

const AGENT_CODES: ReadonlySet<unknown> = new Set(["provider_failed", "bad_value", "node_timeout"]);

/** The code of any thrown value. It never throws. */
export function codeOf(thrown: unknown): ErrorCode {
  try {
    const { code, [ours]: isOurs } = thrown as Partial<FlowsheetError>;
    if (isOurs === true && AGENT_CODES.has(code)) return code as ErrorCode;
  } catch {}
  return "agent_failed";
}

/** The message of any thrown value, uncut and without stack. It never throws. */
export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown === "string") return thrown;
    if (typeof thrown !== "object" || thrown === null) return `the agent threw ${String(thrown)}`;
    const message: unknown = (thrown as { readonly message?: unknown }).message;
    if (typeof message === "string" && message !== "") return message;
    // The agent threw `fail(…)` where it should have returned it. Its reason is still there.
    const { failure } = thrown as { readonly failure?: unknown };
    if (typeof failure === "string" && failure !== "") return failure;
    const name: unknown = (thrown as { readonly name?: unknown }).name;
    return typeof name === "string" && name !== "" ? name : "the agent threw a value without a message";
  } catch {
    return "the agent threw a value that cannot be read";
  }
}

export function cut(message: string): string {
  return message.length <= MESSAGE_LIMIT ? message : `${message.slice(0, MESSAGE_LIMIT - 1)}…`;
}
