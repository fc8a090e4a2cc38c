import type { GlobalOptions } from "../process/context.js";
import type { Given, OptionSpec, Verb } from "./verb.js";
import { globalOptions, verbs } from "./verbs.js";

/** A command line that was understood. */
export interface Call {
  readonly verb: Verb;
  readonly operands: readonly string[];
  readonly given: Given;
  readonly globals: GlobalOptions;
}

/** Values of options by name, as commander keeps them: true, a text, or a list. */
export type OptionValues = { readonly [name: string]: unknown };

/** How a command asks for its options. */
export function createGiven(values: OptionValues): Given {
  return {
    flag: (name) => values[name] === true,
    text: (name) => (typeof values[name] === "string" ? values[name] : null),
    list: (name) => (Array.isArray(values[name]) ? values[name] : []),
  };
}

/**
 * Understands the common forms of a command line in a fraction of the time that commander takes to load. Null
 * for all others (help, abbreviated or clustered options, `--`, whatever is wrong): commander reads those.
 */
export function readCall(args: readonly string[]): Call | null {
  const waiting = [...args];
  const globals: Record<string, unknown> = {};
  const values: Record<string, unknown> = {};
  const operands: string[] = [];
  let verb: Verb | null = null;
  for (let arg = waiting.shift(); arg !== undefined; arg = waiting.shift()) {
    if (arg === "" || (arg.startsWith("-") && arg !== "-")) {
      const global = findOption(globalOptions, arg);
      const spec = global ?? (verb === null ? null : findOption(verb.options, arg));
      if (spec === null || !take(spec, arg, waiting, global === null ? values : globals)) return null;
    } else if (verb === null) {
      verb = verbs.find(({ name }) => name === arg) ?? null;
      if (verb === null) return null;
    } else operands.push(arg);
  }
  if (verb === null || !isFitting(verb, operands.length)) return null;
  return { verb, operands, given: createGiven(values), globals };
}

const longName = (flags: string): string => /^--[a-z-]+/.exec(flags)?.[0] ?? "";

function findOption(specs: readonly OptionSpec[], arg: string): OptionSpec | null {
  const equals = arg.indexOf("=");
  const name = equals === -1 ? arg : arg.slice(0, equals);
  return specs.find(({ flags }) => longName(flags) === name) ?? null;
}

/** Takes an option's value; false when it has none, or one that it must not have. */
function take(spec: OptionSpec, arg: string, waiting: string[], into: Record<string, unknown>): boolean {
  const { flags, choices, repeatable } = spec;
  const long = longName(flags);
  const inline = arg.length > long.length ? arg.slice(long.length + 1) : null;
  if (!flags.includes("<")) {
    const negated = long.startsWith("--no-");
    into[attributeOf(negated ? long.replace("no-", "") : long)] = !negated;
    return inline === null;
  }
  const value = inline ?? waiting.shift();
  if (value === undefined || value === "" || (inline === null && value.startsWith("-") && value !== "-"))
    return false;
  if (choices !== undefined && !choices.includes(value)) return false;
  const name = attributeOf(long);
  into[name] =
    repeatable === true ? [...((into[name] as readonly string[] | undefined) ?? []), value] : value;
  return true;
}

/** `--dry-run` is `dryRun`. */
const attributeOf = (long: string): string =>
  long.slice(2).replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());

function isFitting({ operand }: Verb, count: number): boolean {
  const [term = ""] = operand ?? [];
  const least = term.startsWith("<") ? 1 : 0;
  const most = operand === null ? 0 : term.includes("...") ? Infinity : 1;
  return least <= count && count <= most;
}
