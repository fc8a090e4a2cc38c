import type { Settings } from "../graph/contract/contract.js";
import { onlyReads } from "./outside/http.js";
import { isReading } from "./outside/sql.js";

/** What a built-in agent does to the world outside of the run; null for nothing. Models are told apart elsewhere. */
export type Effect =
  | "writes files"
  | "calls other services"
  | "sends messages"
  | "sends mails"
  | "uses a database"
  | "calls tools";

export interface TypedEffect {
  readonly effect: Effect;
  /** Nothing is changed there, but somebody is asked. */
  readonly reads: boolean;
  /** The service that it takes. */
  readonly service: "storage" | "web" | "mail" | "sql" | "mcp";
}

export function effectOf(type: string, settings: Settings): TypedEffect | null {
  if (type.endsWith("_writer")) return { effect: "writes files", reads: false, service: "storage" };
  if (type === "http") return { effect: "calls other services", reads: onlyReads(settings), service: "web" };
  if (type === "sql") return { effect: "uses a database", reads: isReading(settings), service: "sql" };
  if (type === "mcp") return { effect: "calls tools", reads: false, service: "mcp" };
  if (type === "mail") return { effect: "sends mails", reads: false, service: "mail" };
  if (type === "notify") return { effect: "sends messages", reads: false, service: "web" };
  return null;
}
