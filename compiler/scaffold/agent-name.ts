import { kebabCase, splitAcronyms } from "../3-emit/names.js";
import { agentBase, type NameRefusal } from "../agent-name.js";

/** What an agent is called, in each of the places where it has a name. */
export interface AgentName {
  /** Without the word Agent at its end: `NextRow`. */
  readonly base: string;
  /** `NextRowAgent`. */
  readonly className: string;
  /** Without its ending: `next-row`. */
  readonly file: string;
}

/** Understands an agent's name as a person or a sheet writes it; says why when it can be none. */
export function parseAgentName(text: string): AgentName | NameRefusal {
  const base = agentBase(text);
  if (typeof base !== "string") return base;
  return { base, className: `${base}Agent`, file: kebabCase(splitAcronyms(base)) };
}
