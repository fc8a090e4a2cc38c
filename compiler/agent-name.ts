/** What agents of a project may be called: analysis says which can be written, `scaffold` writes them. */

/** A name that no agent is written under, with the rule that it breaks. */
export interface NameRefusal {
  readonly refused: string;
}

/** Names that mean something to every object of JavaScript; rows, graphs and fields may not have them either. */
const KEPT = new Set(["constructor", "prototype"]);
const LONGEST = 64;

/**
 * The name of an agent's class without the word Agent at its end, for a name as a person or a sheet writes it:
 * `NextRow` for `next_row`. Words of JavaScript can be names: `class` is the class `ClassAgent`.
 */
export function agentBase(text: string): string | NameRefusal {
  const name = text.trim().replace(/\s+/g, "_");
  if (name.length > LONGEST) return { refused: `an agent's name has at most ${LONGEST} characters` };
  if (!/^[A-Za-z]/.test(name)) return { refused: "an agent's name begins with a letter from a to z" };
  if (!/^[\w-]+$/.test(name))
    return { refused: "an agent's name has only letters from a to z, digits, _ and -" };
  const base = withoutAgent(upperCamel(name));
  if (KEPT.has(base.toLowerCase())) return { refused: "JavaScript keeps that name for itself" };
  return base;
}

const upperCamel = (text: string): string =>
  text
    .split(/[_-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

const withoutAgent = (name: string): string =>
  /.agent$/i.test(name) ? name.slice(0, -"agent".length) : name;
