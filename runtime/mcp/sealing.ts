import type { RequestStateCodec } from "@modelcontextprotocol/server";
import type { McpCaller } from "./caller.js";
import type { Sdk } from "./sdk.js";

/** What a client hands back with its answers. It can read it, and cannot change it. */
export interface SealedState {
  readonly run_id: string;
  /** The tool that the run was begun by. */
  readonly tool: string;
}

export type Sealing = RequestStateCodec<SealedState>;

/** So long a question can be answered in the conversation; afterwards with `flowsheet_resume`. */
const HOUR_S = 3_600;

/** Without `mcp.state_key` states are sealed for this process alone. */
export const keyOf = (caller: Pick<McpCaller, "service">): string | Uint8Array =>
  caller.service.settings.mcp.state_key?.reveal() ?? caller.service.mcpKey;

/** A state is of use to the user alone whom it was given to. */
export function createSealing(sdk: Sdk, caller: McpCaller): Sealing {
  const { kind, name, userId } = caller.principal;
  const bind = (): string => JSON.stringify([kind, userId ?? name]);
  return sdk.createRequestStateCodec<SealedState>({ key: keyOf(caller), ttlSeconds: HOUR_S, bind });
}
