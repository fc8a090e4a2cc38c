import type { AgentContext } from "../../graph/contract/contract.js";

/**
 * The key by which whoever is called knows a call again: `run/node/visit`, each percent-encoded. It is the same in every
 * attempt, and after the process was killed.
 */
export function effectKey({ key, node, visit }: Pick<AgentContext, "key" | "node" | "visit">): string {
  const end = `/${node}/${visit}`;
  // A reminder's key has its period at the end.
  const parts = key.endsWith(end)
    ? [...key.slice(0, -end.length).split("/"), node, String(visit)]
    : key.split("/");
  return parts.map(encode).join("/");
}

const TIMEOUT_MS = 30_000;
/** No timer of Node takes more. */
const LONGEST_MS = 2_147_483_647;

/** How long a call may take. The driver sees to a time-out of the node itself. */
export const timeFor = ({ timeoutMs }: AgentContext, usual = TIMEOUT_MS): number =>
  timeoutMs === undefined ? usual : LONGEST_MS;

/** `encodeURIComponent` throws on a lone surrogate. */
const encode = (part: string): string => encodeURIComponent(part.replace(/[\ud800-\udfff]/gu, "\ufffd"));
