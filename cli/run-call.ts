import { createPaint } from "../compiler/diagnostics/paint.js";
import { visible } from "../compiler/diagnostics/visible.js";
import { FlowsheetError } from "../runtime/graph/contract/errors.js";
import { WorkflowError } from "../runtime/workflows/workflow-error.js";
import { EXIT, exitOf, helpOf, UsageError } from "./failure.js";
import type { Call } from "./line/verb.js";
import { type Context, failureText } from "./process/context.js";
import { version } from "./version.js";

/** Runs a command; answers its exit code, also for what stopped it. */
export async function runCall(call: Call, context: Context): Promise<number> {
  try {
    return await call.run(context);
  } catch (error) {
    if (error instanceof UsageError) {
      context.fail(error.message, error.help);
      return EXIT.usage;
    }
    if (error instanceof FlowsheetError) return refuse(context, error);
    context.stderr.write(bugText(error, context.verbose));
    return EXIT.bug;
  }
}

/** An error about a sheet is shown with the problems of the sheet. */
async function refuse(context: Context, error: FlowsheetError): Promise<number> {
  if (error instanceof WorkflowError && error.diagnostics.length > 0) {
    const { tellProblems } = await import("./report.js");
    const { diagnostics, text } = error;
    await tellProblems(diagnostics, new Map(diagnostics.map(({ file }) => [file, text ?? ""])), context);
  } else context.fail(error.message, helpOf(error));
  return exitOf(error);
}

/** The message for a bug; `--verbose` adds the stack. */
export function bugText(error: unknown, verbose: boolean): string {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const help = verbose
    ? `please report it, with the command and all of this; flowsheet ${version}`
    : "please report it, with the command; --verbose shows where it happened";
  const text = failureText(
    `this is a bug of flowsheet, not of your sheet: ${message}`,
    help,
    createPaint(false),
  );
  if (!verbose || !(error instanceof Error)) return text;
  return `${text}${(error.stack ?? "").split("\n").map(visible).join("\n")}\n`;
}
