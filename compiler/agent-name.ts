/** An agent's type as it is looked up: case, spaces, `_` and `-` do not matter. */
export function normalizeAgent(type: string): string {
  return type.toLowerCase().replace(/[\s_-]/gu, "");
}

/** `NextRowAgent`, `NextRow` and `next_row` are one agent, and so are `GraphAgent` and `graph`. */
export function customType(name: string): string {
  const type = normalizeAgent(name);
  return type.endsWith("agent") && type.length > "agent".length ? type.slice(0, -"agent".length) : type;
}

/** A name that no agent is written under, with the rule that it breaks. */
export interface NameRefusal {
  readonly refused: string;
}

/** Words of JavaScript and TypeScript, and names that some systems keep for devices. */
const KEPT = new Set(
  (
    "abstract agent any arguments as async await boolean break case catch class const constructor continue debugger declare " +
    "default delete do else enum eval export extends false finally for from function get if implements import in " +
    "infinity instanceof interface let module namespace nan never new null number object of package private protected " +
    "prototype public require return set static string super switch symbol this throw true try type typeof " +
    "undefined unknown var void while with yield con prn aux nul"
  ).split(" "),
);
const DEVICE = /^(?:com|lpt)\d$/i;
const LONGEST = 64;

/**
 * The class name of an agent without `Agent` at its end: `NextRow` for `next_row`.
 */
export function agentBase(text: string): string | NameRefusal {
  const name = text.trim().replace(/\s+/g, "_");
  if (name.length > LONGEST) return { refused: `an agent's name has at most ${LONGEST} characters` };
  if (!/^[A-Za-z]/.test(name)) return { refused: "an agent's name begins with a letter from a to z" };
  if (!/^[\w-]+$/.test(name))
    return { refused: "an agent's name has only letters from a to z, digits, _ and -" };
  const base = withoutAgent(upperCamel(name));
  if (KEPT.has(base.toLowerCase()) || DEVICE.test(base))
    return { refused: "JavaScript or the system keeps that name for itself" };
  return base;
}

const upperCamel = (text: string): string =>
  text
    .split(/[_-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

const withoutAgent = (name: string): string =>
  /.agent$/i.test(name) ? name.slice(0, -"agent".length) : name;
