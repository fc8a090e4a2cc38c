import { suggest } from "../../compiler/diagnostics/suggest.js";
import { quoted } from "../../compiler/diagnostics/visible.js";
import type { Carrier, Given } from "../graph/contract/contract.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import type { Answerer } from "../graph/suspend/answerer.js";
import { isMapping } from "../graph/values/values.js";
import type { WorkflowEvent } from "./stream.js";

export interface RunSettings {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** The limit of node visits in total. */
  readonly maxSteps?: number | undefined;
  readonly on?: ((event: WorkflowEvent) => void) | undefined;
  /** So long after its start the run fails, also while it waits. */
  readonly deadlineMs?: number | undefined;
  /** The user who starts the run, or gives the answers. */
  readonly userId?: string | undefined;
  /** The roles of that user, by which questions may be asked. */
  readonly roles?: readonly string[] | undefined;
  /** That user may also answer what others are asked. */
  readonly isAdmin?: boolean | undefined;
  /** The credential of that user, for showing. */
  readonly startedBy?: string | undefined;
  /** The trace of the request that begins the run. */
  readonly carrier?: Carrier | undefined;
  /** Events include inputs, prompts and outputs. */
  readonly trace?: boolean | undefined;
}

/** What is kept of the start of a run beside its values. */
export interface StartWords {
  /** The same key once more gives the run that it began. */
  readonly key: string | null;
  readonly userId: string | null;
  readonly startedBy: string | null;
  /** The key once more gives that run whatever is given; else other values are refused. */
  readonly keyAlone?: boolean;
}

/** The snake_case keys of the specification are accepted as well. */
export interface WorkflowRequest extends RunSettings {
  /** Relative to the working folder. Without a path the workflows folder is searched for the graph. */
  readonly csvPath?: string | undefined;
  /** Optional when the sheet has one graph. */
  readonly graphName?: string | undefined;
  readonly initialState?: Given | undefined;
  readonly csv_path?: string | undefined;
  readonly graph_name?: string | undefined;
  readonly initial_state?: Given | undefined;
  readonly timeout_ms?: number | undefined;
  readonly max_steps?: number | undefined;
  readonly deadline_ms?: number | undefined;
}

export interface Wish {
  readonly csvPath: string | null;
  readonly graphName: string | null;
  readonly given: Given;
  readonly settings: RunSettings;
}

export class RequestError extends FlowsheetError {
  constructor(message: string) {
    super("request_invalid", message);
  }
}

const SETTINGS = [
  ...["signal", "timeoutMs", "maxSteps", "on", "trace", "timeout_ms", "max_steps"],
  ...["userId", "roles", "isAdmin"],
];
const KEYS: ReadonlySet<string> = new Set([
  ...["csvPath", "graphName", "initialState", "csv_path", "graph_name", "initial_state"],
  ...["deadlineMs", "deadline_ms"],
  ...SETTINGS,
]);
export const SETTING_KEYS: ReadonlySet<string> = new Set(SETTINGS);

/** Refuses misspelt keys and values of wrong types. */
export function readRequest(request: WorkflowRequest): Wish {
  if (!isMapping(request))
    throw new RequestError("a request is an object: { csvPath, graphName, initialState }");
  refuseUnknown("a request", request, KEYS);
  const csvPath = request.csvPath ?? request.csv_path ?? null;
  const graphName = request.graphName ?? request.graph_name ?? null;
  const given = request.initialState ?? request.initial_state ?? {};
  if (csvPath !== null && (typeof csvPath !== "string" || csvPath === ""))
    throw new RequestError("csvPath must be the path of a sheet");
  if (graphName !== null && typeof graphName !== "string") throw new RequestError("graphName must be a text");
  if (!isMapping(given)) throw new RequestError("initialState must be an object of values by field");
  return { csvPath, graphName, given, settings: readSettings(request) };
}

export function readSettings(settings: RunSettings & WorkflowRequest): RunSettings {
  const { signal, on, trace, userId, roles, isAdmin } = settings;
  if (userId !== undefined && (typeof userId !== "string" || userId === ""))
    throw new RequestError("userId must be a text");
  if (roles !== undefined && !(Array.isArray(roles) && roles.every((role) => typeof role === "string")))
    throw new RequestError("roles must be a list of texts");
  const timeoutMs = limit("timeoutMs", settings.timeoutMs ?? settings.timeout_ms);
  const maxSteps = limit("maxSteps", settings.maxSteps ?? settings.max_steps);
  const deadlineMs = limit("deadlineMs", settings.deadlineMs ?? settings.deadline_ms);
  return { signal, on, trace, userId, roles, isAdmin, timeoutMs, maxSteps, deadlineMs };
}

export const answererIn = ({ userId, roles = [], isAdmin }: RunSettings): Answerer => ({
  user: userId ?? null,
  roles,
  isAdmin: isAdmin === true,
});

function limit(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= 1)) return value;
  throw new RequestError(`${name} must be a whole number, 1 or more`);
}

/** A misspelt option would be ignored silently. */
export function refuseUnknown(what: string, given: object, known: ReadonlySet<string>): void {
  for (const key in given) {
    if (known.has(key)) continue;
    const near = suggest(key, known);
    const meant = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
    throw new RequestError(`${what} has no ${quoted(key)}${meant}`);
  }
}
