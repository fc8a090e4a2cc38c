import { suggest } from "../../compiler/diagnostics/suggest.js";
import type { Given } from "../graph/contract/contract.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import { isMapping } from "../graph/values/values.js";
import type { WorkflowEvent } from "./stream.js";

/** What a single run or resume may be told. */
export interface RunSettings {
  /** Cancels the run. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Node visits in all. */
  readonly maxSteps?: number | undefined;
  /** Called for each event as it happens. */
  readonly on?: ((event: WorkflowEvent) => void) | undefined;
  /** Events tell inputs, prompts and outputs too. */
  readonly trace?: boolean | undefined;
}

/** What to run. The keys of the specification are taken as well. */
export interface WorkflowRequest extends RunSettings {
  /** The sheet, from the working folder; without one the graph is looked for in the workflows folder. */
  readonly csvPath?: string | undefined;
  /** May be left out when the sheet has one graph. */
  readonly graphName?: string | undefined;
  readonly initialState?: Given | undefined;
  readonly csv_path?: string | undefined;
  readonly graph_name?: string | undefined;
  readonly initial_state?: Given | undefined;
  readonly timeout_ms?: number | undefined;
  readonly max_steps?: number | undefined;
}

/** A request that was understood. */
export interface Wish {
  readonly csvPath: string | null;
  readonly graphName: string | null;
  readonly given: Given;
  readonly settings: RunSettings;
}

/** A request that asks for something that there is not. */
export class RequestError extends FlowsheetError {
  constructor(message: string) {
    super("request_invalid", message);
  }
}

const SETTINGS = ["signal", "timeoutMs", "maxSteps", "on", "trace", "timeout_ms", "max_steps"];
const KEYS: ReadonlySet<string> = new Set([
  ...["csvPath", "graphName", "initialState", "csv_path", "graph_name", "initial_state"],
  ...SETTINGS,
]);
/** What a resume may be told. */
export const SETTING_KEYS: ReadonlySet<string> = new Set(SETTINGS);

/** Reads a request; refuses keys that are misspelt and values of the wrong kind. */
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

/** Reads the settings of a run or resume. */
export function readSettings(settings: RunSettings & WorkflowRequest): RunSettings {
  const { signal, on, trace } = settings;
  const timeoutMs = limit("timeoutMs", settings.timeoutMs ?? settings.timeout_ms);
  const maxSteps = limit("maxSteps", settings.maxSteps ?? settings.max_steps);
  return { signal, on, trace, timeoutMs, maxSteps };
}

function limit(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= 1)) return value;
  throw new RequestError(`${name} must be a whole number, 1 or more`);
}

/** Refuses what is misspelt: an option that nobody reads would be silent. */
export function refuseUnknown(what: string, given: object, known: ReadonlySet<string>): void {
  for (const key in given) {
    if (known.has(key)) continue;
    const near = suggest(key, known);
    const meant = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
    throw new RequestError(`${what} has no ${JSON.stringify(key)}${meant}`);
  }
}
