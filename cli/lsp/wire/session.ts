import { ErrorCodes } from "vscode-languageserver/node";
import type { Frame } from "./frames.js";

/** What the client has asked for so far. */
type State = "new" | "ready" | "ended";

export interface Refusal {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

export type Passed =
  | { readonly kind: "pass"; readonly message: object }
  | { readonly kind: "refuse"; readonly refusal: Refusal }
  | { readonly kind: "drop" }
  /** The client says `exit`. */
  | { readonly kind: "leave"; readonly inOrder: boolean };

const refuse = (id: Refusal["id"], code: number, message: string): Passed => ({
  kind: "refuse",
  refusal: { jsonrpc: "2.0", id, error: { code, message } },
});

/** Lets messages through in the order of the protocol: initialize, requests, shutdown, exit. */
export function createSession(): (frame: Frame) => Passed {
  let state: State = "new";
  return (frame) => {
    if (frame.kind === "broken") return refuse(null, ErrorCodes.ParseError, frame.why);
    const { message } = frame;
    if (!isCall(message)) {
      if (isAnswer(message)) return { kind: "pass", message };
      return refuse(idOf(message), ErrorCodes.InvalidRequest, "that is no message of JSON-RPC");
    }
    if (message.method === "exit") return { kind: "leave", inOrder: state === "ended" };
    const { id } = message;
    if (id === undefined) return isTimely(message, state) ? { kind: "pass", message } : { kind: "drop" };
    if (state === "ended") return refuse(id, ErrorCodes.InvalidRequest, "the server was shut down");
    const isFirst = message.method === "initialize";
    if (isFirst !== (state === "new"))
      return isFirst
        ? refuse(id, ErrorCodes.InvalidRequest, "the server was initialized before")
        : refuse(id, ErrorCodes.ServerNotInitialized, "the first request must be initialize");
    if (isFirst) state = "ready";
    if (message.method === "shutdown") state = "ended";
    return { kind: "pass", message };
  };
}

interface Call {
  readonly method: string;
  readonly id?: string | number;
  readonly params?: unknown;
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

const isCall = (value: unknown): value is Call =>
  isObject(value) && typeof value["method"] === "string" && (value["id"] === undefined || isId(value["id"]));

const isAnswer = (value: unknown): value is object =>
  isObject(value) &&
  value["method"] === undefined &&
  isId(value["id"]) &&
  ("result" in value || "error" in value);

const idOf = (value: unknown): Refusal["id"] => (isObject(value) && isId(value["id"]) ? value["id"] : null);

/** Also keeps out a request to cancel nothing, which the library does not expect. */
const isTimely = ({ method, params }: Call, state: State): boolean =>
  state === "ready" && (method !== "$/cancelRequest" || (isObject(params) && isId(params["id"])));
