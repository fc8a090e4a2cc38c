import type { Permission } from "../auth/permissions.js";
import { type Caller, mayRead } from "../http/run-access.js";
import { mayUse, workflowsFor } from "../http/workflow-access.js";
import type { Workflow } from "../workflows/catalogue.js";
import type { Tool } from "./tool.js";

/** Who asks over the protocol, and by which way. */
export interface McpCaller extends Caller {
  /** It stands in logs. */
  readonly id: string;
  /** The key for limits. */
  readonly caller: string;
  /** Takes a slot for a run. It is freed when the request is over. */
  readonly takeSlot: () => Promise<void>;
  /** Aborted when the client has gone; its runs then end, unless they may go on. */
  readonly signal: AbortSignal;
  readonly endsWithClient: boolean;
  /** So long a request waits for its run at most; null without a limit. */
  readonly patienceMs: number | null;
  /** Whether a workflow is offered over this way: as a tool, and in all that is told of workflows. */
  readonly isShown: (workflow: Workflow) => boolean;
  /** The report on the text of a sheet. */
  readonly validate: (csv: string, signal: AbortSignal) => Promise<object>;
  /** A picture of a graph in the text of a sheet. */
  readonly inspect: (asked: Inspected, signal: AbortSignal) => Promise<string>;
  /** Sees each call until it is over. */
  readonly during: <T>(call: Promise<T>) => Promise<T>;
  /** Tools that this way alone has. */
  readonly more: readonly Tool[];
}

export interface Inspected {
  readonly csv: string;
  readonly graph: string | null;
  readonly format: "mermaid" | "json";
}

/** A path that was made public is read without a credential, and runs nothing. */
export const may = (caller: Caller, permission: Permission): boolean =>
  permission === "read" ? mayRead(caller) : caller.principal.permissions.has(permission);

/** The workflows that are tools of the caller. */
export const offeredTo = (caller: McpCaller): readonly Workflow[] =>
  workflowsFor(caller).filter(({ valid }) => valid);

/** `offered`: names, folders such as `team/*`, or `*` for all. What a sheet hides from assistants is never among them. */
export const offering =
  (offered: readonly string[]): McpCaller["isShown"] =>
  ({ ir, name, graphName, sheet }) => {
    const graphs = offered.includes("*") ? null : offered;
    return ir.mcp !== false && (offered.includes(name) || mayUse({ graphs }, { graph: graphName, sheet }));
  };
