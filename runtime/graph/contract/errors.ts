import { describeValue } from "../../../compiler/types/describe-value.js";
import type { FieldType, Json } from "../../../compiler/types/field-type.js";
import { formatType } from "../../../compiler/types/format-type.js";
import type { ErrorCode, TypedItem } from "./contract.js";

/** The longest message that leaves a run. */
const MESSAGE_LIMIT = 2_000;

/** Marks our errors. A registered symbol: copies of this package in one process know each other's errors by it. */
const ours: unique symbol = Symbol.for("flowsheet.error") as never;

/** An error that a caller can act on: `code` says what happened, in a word that stays. */
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

/** An answer that the waiting node can't take; nothing was run. */
export class AnswerError extends FlowsheetError {
  readonly node: string;
  constructor(node: string, message: string) {
    super("answer_invalid", message);
    this.node = node;
  }
}

/** A suspended run that belongs to another graph, or to an earlier meaning of this one. */
export class StaleError extends FlowsheetError {
  constructor(message: string) {
    super("run_stale", message);
  }
}

/** A graph that cannot be run as it is written down. */
export class DefinitionError extends FlowsheetError {
  constructor(message: string) {
    super("graph_invalid", message);
  }
}

/** Thrown by an agent to say more precisely why it failed. */
export class AgentError extends FlowsheetError {
  declare readonly code: "agent_failed" | "provider_failed" | "bad_value" | "node_timeout";
  constructor(code: AgentError["code"], message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}

/** A value that is not of the type that the sheet names for it. */
export interface Misfit {
  /** What was to hold the value, in words. */
  readonly what: string;
  readonly type: FieldType;
  readonly value: Json | undefined;
  readonly item: TypedItem | null;
}

/** The longest part of a value that a message shows. */
const SHOWN = 100;
/** No secret is longer: what is cut off here first can be no part of one that is shown. */
const SEARCHED = 100_000;

/** A value crossed into a field or an input of another type. */
export class MisfitError extends AgentError {
  readonly misfit: Misfit;
  constructor(misfit: Misfit) {
    super("bad_value", wordsFor(misfit, describeValue(misfit.value)));
    this.misfit = misfit;
  }

  /** The message with the value itself, cut after its secrets have been taken out. */
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

/** The code of whatever an agent threw. Never throws itself. */
export function codeOf(thrown: unknown): ErrorCode {
  try {
    const { code, [ours]: isOurs } = thrown as Partial<FlowsheetError>;
    if (isOurs === true && AGENT_CODES.has(code)) return code as ErrorCode;
  } catch {}
  return "agent_failed";
}

/** The message of whatever was thrown, never its stack, at its full length. Never throws itself. */
export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown === "string") return thrown;
    if (typeof thrown !== "object" || thrown === null) return `the agent threw ${String(thrown)}`;
    const message: unknown = (thrown as { readonly message?: unknown }).message;
    if (typeof message === "string" && message !== "") return message;
    // A failure was to be returned; thrown, it still has its reason.
    const { failure } = thrown as { readonly failure?: unknown };
    if (typeof failure === "string" && failure !== "") return failure;
    const name: unknown = (thrown as { readonly name?: unknown }).name;
    return typeof name === "string" && name !== "" ? name : "the agent threw a value without a message";
  } catch {
    return "the agent threw a value that cannot be read";
  }
}

/** Cuts a message to what may leave a run. */
export function cut(message: string): string {
  return message.length <= MESSAGE_LIMIT ? message : `${message.slice(0, MESSAGE_LIMIT - 1)}…`;
}
