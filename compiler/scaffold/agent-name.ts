import { kebabCase } from "../3-emit/names.js";

/** What an agent is called, in each of the places where it has a name. */
export interface AgentName {
  /** Without the word Agent at its end: `NextRow`. */
  readonly base: string;
  /** `NextRowAgent`. */
  readonly className: string;
  /** Without its ending: `next-row`. */
  readonly file: string;
}

/** A name that no agent can have, with the rule that it breaks. */
export interface NameRefusal {
  readonly refused: string;
}

export const NAME_RULE =
  "an agent's name is a letter, then letters, digits, _ or -, 64 at most, such as NextRow or next_row";
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Words of JavaScript and TypeScript, and names that some systems keep for devices. */
const RESERVED = new Set(
  (
    "abstract agent any arguments as async await boolean break case catch class const constructor continue debugger declare " +
    "default delete do else enum eval export extends false finally for from function get if implements import in " +
    "infinity instanceof interface let module namespace nan never new null number object of package private protected " +
    "prototype public require return set static string super switch symbol this throw true try type typeof " +
    "undefined unknown var void while with yield con prn aux nul com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 " +
    "lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9"
  ).split(" "),
);

/** Understands an agent's name as a person or a sheet writes it; says why when it can be none. */
export function parseAgentName(text: string): AgentName | NameRefusal {
  if (!NAME.test(text)) return { refused: NAME_RULE };
  const base = withoutAgent(upperCamel(text));
  const bare = text.toLowerCase().replace(/[_-]+/g, "");
  if (RESERVED.has(bare) || RESERVED.has(base.toLowerCase()))
    return { refused: "it is a word that JavaScript or the system keeps for itself" };
  return { base, className: `${base}Agent`, file: kebabCase(base) };
}

const upperCamel = (text: string): string =>
  text
    .split(/[_-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

const withoutAgent = (name: string): string =>
  /.agent$/i.test(name) ? name.slice(0, -"agent".length) : name;
