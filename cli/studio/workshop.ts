import { relative } from "node:path";
import type { CompileReport, Workshop } from "../../runtime/studio/workshop.js";
import { compile } from "../commands/compile.js";
import type { Given } from "../line/verb.js";
import { type Context, createContext, type Output } from "../process/context.js";
import { runCall } from "../run-call.js";
import { moduleOf } from "./module-of.js";
import { renameInTests } from "./rename-in-tests.js";

/** What the routes of the Studio may ask of the compiler. */
export const createWorkshop = (context: Context): Workshop => ({
  module: (sheet, graph) => moduleOf(context, sheet, graph),
  compile: (sheet) => compileFor(context, sheet),
  renameInTests,
});

const NOTHING_GIVEN: Given = { flag: () => false, text: () => null, list: () => [], flags: [] };

/** The command itself, with what it writes kept for the page. */
async function compileFor(context: Context, sheet: string): Promise<CompileReport> {
  const written: string[] = [];
  const page: Output = {
    write: (text) => void written.push(text),
    isTerminal: () => false,
    columns: () => null,
  };
  const { stdin, env, cwd, events, config, encoding } = context;
  const inner = createContext(
    { stdin, env, cwd, events, stdout: page, stderr: page },
    {
      color: false,
      ...(config === null ? {} : { config }),
      ...(encoding === null ? {} : { encoding }),
    },
  );
  const run = (within: Context): Promise<number> => compile(within, [relative(cwd, sheet)], NOTHING_GIVEN);
  const exitCode = await runCall({ globals: {}, run }, inner);
  return { exitCode, report: written.join("") };
}
