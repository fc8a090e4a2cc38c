import { UsageError } from "../failure.js";
import { similarTo } from "./similar.js";
import type { Call, Given, OptionSpec, Verb } from "./verb.js";
import { globalOptions, verbs } from "./verbs.js";

type Values = { [name: string]: boolean | string | readonly string[] };

export function readCall(args: readonly string[]): Call {
  const globals: Values = {};
  try {
    return { globals, run: commandOf(args, globals) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const help = error.help ?? hintFor(args, error.message);
    return { globals, run: () => Promise.reject(new UsageError(error.message, help)) };
  }
}

function hintFor(args: readonly string[], message: string): string {
  const verb = verbs.find(({ name }) => name === args[0]);
  if (verb !== undefined) return `flowsheet ${verb.name} --help shows how it is used`;
  const sheet = message.startsWith("unknown command") ? args.find((arg) => /\.csv$/i.test(arg)) : undefined;
  if (sheet !== undefined) return `did you mean flowsheet validate ${sheet}?`;
  return "flowsheet --help lists the commands";
}

function commandOf(args: readonly string[], globals: Values): Call["run"] {
  const line = takeOptions(args, globalOptions, globals, true);
  if (line.version) return async (context) => (await import("./help.js")).showVersion(context);
  const [name, ...operands] = line.operands;
  const verb = findVerb(name);
  if (verb !== undefined) return callOf(verb, operands, line.rest);
  if (name === "help") {
    const about = findVerb(operands[0]);
    return helpOf(about, about !== undefined || !operands[0]);
  }
  if (args.length === 0 || line.rest.some(isHelp)) return helpOf(undefined, true);
  if (name !== undefined) throw unknown("command", name, ["help", ...verbs.map((one) => one.name)]);
  const [option] = line.rest;
  // Options of every command without a command.
  if (option === undefined) return helpOf(undefined, false);
  throw unknownOption(option, []);
}

const findVerb = (wanted: string | undefined): Verb | undefined => verbs.find(({ name }) => name === wanted);

const helpOf =
  (verb: Verb | undefined, isAsked: boolean): Call["run"] =>
  async (context) =>
    (await import("./help.js")).showHelp(context, verb, isAsked);

function callOf(verb: Verb, before: readonly string[], rest: readonly string[]): Call["run"] {
  const values: Values = {};
  const line = takeOptions(rest, verb.options, values, false);
  if (line.rest.some(isHelp)) return helpOf(verb, true);
  const [option] = line.rest;
  if (option !== undefined) throw unknownOption(option, verb.options);
  const operands = [...before, ...line.operands];
  checkCount(verb, operands.length);
  return (context) => verb.run(context, operands, createGiven(values, verb.options));
}

function checkCount({ name, operand }: Verb, count: number): void {
  const [term] = operand ?? [""];
  if (term.startsWith("<") && count === 0)
    throw new UsageError(`missing required argument '${term.slice(1, -1)}'`);
  const most = operand === null ? 0 : 1;
  if (count <= most || term.includes("...")) return;
  const expected = `Expected ${most} argument${most === 1 ? "" : "s"} but got ${count}.`;
  throw new UsageError(`too many arguments for '${name}'. ${expected}`);
}

const isHelp = (arg: string): boolean => arg === "-h" || arg === "--help";

function unknownOption(option: string, own: readonly OptionSpec[]): UsageError {
  const candidates = [...own, ...globalOptions].map(longName);
  const known = option.startsWith("--") ? [...candidates, "--version", "--help"] : [];
  return unknown("option", option, known, "--");
}

function unknown(
  what: "command" | "option",
  word: string,
  candidates: readonly string[],
  prefix = "",
): UsageError {
  const bare = (name: string): string => name.slice(prefix.length);
  const near = similarTo(bare(word), candidates.map(bare)).map((name) => prefix + name);
  const meant = near.length > 1 ? `one of ${near.join(", ")}` : near[0];
  return new UsageError(`unknown ${what} '${word}'`, meant === undefined ? null : `did you mean ${meant}?`);
}

/** A command line without the options that were taken out of it. */
interface Line {
  readonly operands: string[];
  /** All arguments from the first unknown option on, without known options. */
  readonly rest: string[];
  readonly version: boolean;
}

/** Takes the options of `specs` out of a line; those of every command (`isGlobal`) before the command's own. */
function takeOptions(
  args: readonly string[],
  specs: readonly OptionSpec[],
  into: Values,
  isGlobal: boolean,
): Line {
  const waiting = [...args];
  const operands: string[] = [];
  const rest: string[] = [];
  for (let arg = waiting.shift(); arg !== undefined; arg = waiting.shift()) {
    const isKnown = rest.length === 0;
    const spec = findOption(specs, arg);
    if (isGlobal && asksForVersion(arg, operands[0])) return { operands, rest, version: true };
    if (spec !== null) takeValue(spec, arg, waiting, into);
    else if (arg === "--") {
      if (isKnown) operands.push(...waiting);
      else rest.push(arg, ...waiting);
      break;
    } else if (isKnown && (!/^-./.test(arg) || (!isGlobal && NEGATIVE.test(arg)))) operands.push(arg);
    else rest.push(arg);
  }
  return { operands, rest, version: false };
}

/** `runs list --version <version>` is no question for the version of the program. */
const asksForVersion = (arg: string, verb: string | undefined): boolean =>
  arg.startsWith("-V") ||
  (arg === "--version" && findVerb(verb)?.options.some((spec) => longName(spec) === arg) !== true);

const NEGATIVE = /^-(\d+|\d*\.\d+)(e[+-]?\d+)?$/;

/** `--csv` of `--csv <path>`, `--fix` of `--fix[=<how>]`. */
const longName = ([flags]: OptionSpec): string => flags.split(/[ [=]/, 1)[0]!;
const takesValue = ([flags]: OptionSpec): boolean => flags.includes("<");
/** Such a value is given with `=` alone: the next argument is an operand. */
const isOptional = ([flags]: OptionSpec): boolean => flags.includes("[=<");

/** `--name`, or `--name=value` for an option that takes a value. */
function findOption(specs: readonly OptionSpec[], arg: string): OptionSpec | null {
  const [name] = arg.split("=", 1);
  return specs.find((spec) => longName(spec) === name && (name === arg || takesValue(spec))) ?? null;
}

function takeValue(spec: OptionSpec, arg: string, waiting: string[], into: Values): void {
  const [flags, , takes] = spec;
  const long = longName(spec);
  const name = nameOf(long.replace("--no-", "--"));
  if (!takesValue(spec) || (isOptional(spec) && arg === long)) {
    into[name] = !long.startsWith("--no-");
    return;
  }
  const value = arg === long ? waiting.shift() : arg.slice(long.length + 1);
  if (value === undefined) throw new UsageError(`option '${flags}' argument missing`);
  if (takes === "repeatable") {
    const before = into[name];
    into[name] = Array.isArray(before) ? [...before, value] : [value];
    return;
  }
  if (takes !== undefined && !takes.includes(value)) {
    const choices = `Allowed choices are ${takes.join(", ")}.`;
    throw new UsageError(`option '${flags}' argument '${value}' is invalid. ${choices}`);
  }
  into[name] = value;
}

/** `--dry-run` is `dryRun`. */
const nameOf = (long: string): string =>
  long.slice(2).replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());

const createGiven = (values: Values, specs: readonly OptionSpec[]): Given => ({
  flag: (name) => values[name] === true,
  text: (name) => (typeof values[name] === "string" ? values[name] : null),
  flags: specs.map(longName).filter((long) => Object.hasOwn(values, nameOf(long.replace("--no-", "--")))),
  list: (name) => (Array.isArray(values[name]) ? values[name] : []),
});
