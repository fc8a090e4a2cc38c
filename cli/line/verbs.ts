import type { Item, OptionSpec, Verb } from "./verb.js";
import { checkVerbs } from "./verbs/check.js";
import { runVerbs } from "./verbs/run.js";
import { serveVerbs } from "./verbs/serve.js";
import { writeVerbs } from "./verbs/write.js";

/** The options that every command takes, before or after its name. */
export const globalOptions: readonly OptionSpec[] = [
  ["--config <path>", "the configuration (flowsheet.yaml, looked for upwards)"],
  ["--cwd <folder>", "work as if started in this folder"],
  ["--encoding <name>", "how sheets are encoded when they are not UTF-8: windows-1252, …"],
  ["--color", "colours, also where there is no terminal"],
  ["--no-color", "no colours; so does NO_COLOR in the environment"],
  ["--quiet", "nothing beside the data"],
  ["--verbose", "more of what goes on"],
];

export const programOptions: readonly Item[] = [
  ["-V, --version", "the version"],
  ["-h, --help", "help, also for a command"],
];

export const exitCodes: readonly Item[] = [
  ["0", "done"],
  ["1", "a sheet has errors, a run failed, or a check found something"],
  ["2", "wrong usage or configuration, or a file that cannot be opened"],
  ["3", "a run is suspended"],
  ["70", "a bug of Flowsheet"],
  ["130", "interrupted"],
];

/** What people do, and the commands for it, as help lists them. */
export const groups: readonly (readonly [title: string, verbs: readonly Verb[]])[] = [
  ["Write", writeVerbs],
  ["Check", checkVerbs],
  ["Run", runVerbs],
  ["Serve", serveVerbs],
];

/** All commands, in the order of the reference. */
export const verbs: readonly Verb[] = groups.flatMap(([, group]) => group);
