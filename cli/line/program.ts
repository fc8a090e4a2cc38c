import { Command, CommanderError, Option } from "commander";
import { createPaint } from "../../compiler/diagnostics/paint.js";
import { EXIT } from "../failure.js";
import { type Context, createContext, type GlobalOptions, type Surroundings } from "../process/context.js";
import { version } from "../version.js";
import { type Call, createGiven } from "./call.js";
import { formatHelp, type HelpPage, type Item } from "./help.js";
import type { OptionSpec, Verb } from "./verb.js";
import { exitCodes, globalOptions, programOptions, verbs } from "./verbs.js";

const EXIT_CODES = `Exit codes: ${exitCodes.map(([code, meaning]) => `${code} ${meaning}`).join("; ")}.`;

/** Reads a command line; an exit code when commander had to answer it: help, the version, wrong usage. */
export async function readWithCommander(
  around: Surroundings,
  args: readonly string[],
): Promise<Call | number> {
  const program = createRoot(around, args);
  const globals = (): GlobalOptions => program.opts<GlobalOptions>();
  let call: Call | null = null;
  for (const verb of verbs) {
    const command = createCommand(program, verb, () => createContext(around, globals()));
    command.action(() => {
      call = { verb, operands: command.args, given: createGiven(command.opts()), globals: globals() };
    });
  }
  try {
    await program.parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" });
    return call ?? EXIT.usage;
  } catch (error) {
    // Commander has said what is wrong by itself, or has shown what was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    throw error;
  }
}

function createRoot(around: Surroundings, args: readonly string[]): Command {
  const program = new Command("flowsheet");
  program.exitOverride().helpCommand("help [command]");
  program.version(version, "-V, --version").helpOption("-h, --help");
  for (const spec of globalOptions) program.addOption(optionOf(spec));
  program.configureOutput({
    writeOut: around.stdout.write,
    writeErr: around.stderr.write,
    // Colours are decided here: commander is not to take them out again.
    getOutHasColors: () => true,
    getErrHasColors: () => true,
    outputError: (message) => {
      createContext(around, program.opts<GlobalOptions>()).fail(...usageText(message, args));
    },
  });
  return program.configureHelp({
    formatHelp: () => helpText(rootPage(), createContext(around, program.opts())),
  });
}

function createCommand(program: Command, verb: Verb, context: () => Context): Command {
  const command = program.command(verb.name);
  if (verb.operand !== null) command.argument(verb.operand[0]);
  for (const spec of verb.options) command.addOption(optionOf(spec));
  return command.configureHelp({ formatHelp: () => helpText(verbPage(verb), context()) });
}

function optionOf({ flags, meaning, repeatable, choices }: OptionSpec): Option {
  const option = new Option(flags, meaning);
  if (choices !== undefined) option.choices(choices);
  if (repeatable === true) option.argParser<readonly string[]>((value, before = []) => [...before, value]);
  return option;
}

/** Commander's words for wrong usage, as a message and its cure. */
function usageText(message: string, args: readonly string[]): [message: string, help: string] {
  const [first = "", suggestion] = message.trim().split("\n");
  const what = first.replace(/^error: /, "");
  if (suggestion !== undefined) return [what, suggestion.replace(/^\(Did/, "did").replace(/\)$/, "")];
  const verb = verbs.find(({ name }) => name === args[0]);
  if (verb !== undefined) return [what, `flowsheet ${verb.name} --help shows how it is used`];
  const sheet = what.startsWith("unknown command") ? args.find((arg) => /\.csv$/i.test(arg)) : undefined;
  return [
    what,
    sheet === undefined ? "flowsheet --help lists the commands" : `did you mean flowsheet validate ${sheet}?`,
  ];
}

function helpText(page: HelpPage, { stdout, color }: Context): string {
  return formatHelp(page, { paint: createPaint(color(stdout)), width: stdout.columns() ?? 80 });
}

function rootPage(): HelpPage {
  return {
    usage: "flowsheet <command> [options]",
    summary: "Write workflows in a spreadsheet, get typed TypeScript.",
    sections: [
      { title: "Commands", items: verbs.map(({ name, operand, brief }) => [callOf(name, operand), brief]) },
      {
        title: "Options of every command",
        items: [...globalOptions.map(itemOf), ...programOptions],
      },
    ],
    examples: verbs.flatMap(({ examples }) => examples.slice(0, 1)),
    footer: EXIT_CODES,
  };
}

function verbPage({ name, operand, summary, options, examples }: Verb): HelpPage {
  return {
    usage: `flowsheet ${callOf(name, operand)} [options]`,
    summary,
    sections: [
      { title: "Arguments", items: operand === null ? [] : [operand] },
      { title: "Options", items: options.map(itemOf) },
    ],
    examples,
    footer: "flowsheet --help lists the options of every command.",
  };
}

const callOf = (name: string, operand: Item | null): string =>
  operand === null ? name : `${name} ${operand[0]}`;
const itemOf = ({ flags, meaning }: OptionSpec): Item => [flags, meaning];
