import { createPaint } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { GraphIR } from "../../compiler/ir.js";
import { createNodeNames, type NodeNames } from "../../runtime/debug/node-names.js";
import type { RunOptions } from "../../runtime/graph/contract/contract.js";
import { toWorkflowResult, type WorkflowResult } from "../../runtime/runs/result.js";
import { openCommandLines } from "../debug/command-lines.js";
import { createDebugger, type DebuggerParts } from "../debug/debugger.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { countText } from "../report.js";
import type { Cancellation } from "../run/cancellation.js";
import { withGuard } from "../run/guard.js";
import { type OpenedRun, openRun } from "../run/open.js";
import { projectOptions } from "../run/options.js";
import { exitCode, tellResult } from "../run/outcome.js";

export async function debug(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const opened = await openRun(context, operands, given, "commands");
  const names = createNodeNames(opened.subject.graph);
  const breaks = readBreaks(given, names);
  return withGuard(context, opened.subject, async (cancellation) => {
    const lines = await openCommandLines(context);
    try {
      return await runStepwise(context, opened, { names, breaks, lines }, cancellation);
    } finally {
      lines.close();
    }
  });
}

function readBreaks(given: Given, names: NodeNames): Set<string> {
  const breaks = given.list("break");
  for (const name of breaks) {
    if (names.isKnown(name)) continue;
    const near = names.meant(name);
    throw new UsageError(
      `--break: no node is called ${JSON.stringify(name)}`,
      near === null ? "flowsheet inspect shows the nodes" : `did you mean ${JSON.stringify(near)}?`,
    );
  }
  return new Set(breaks);
}

async function runStepwise(
  context: Context,
  { project, subject, state }: OpenedRun,
  commands: Pick<DebuggerParts, "names" | "breaks" | "lines">,
  cancellation: Cancellation,
): Promise<number> {
  const { stdout, color, note } = context;
  const { ir, graph, placeOf, family } = subject;
  const usual = projectOptions(context, project);
  const ending = new AbortController();
  const signal = AbortSignal.any([cancellation.signal, ending.signal]);
  const say = stdout.write;
  const debugging = createDebugger({
    ...commands,
    say,
    paint: createPaint(color(stdout)),
    redact: usual.redact,
    agentOf: ({ graph: { name }, name: node }) => agentIn(family, name, node),
    fields: new Set(ir.fields.map(({ name }) => name)),
    signal,
    end: (why) => {
      if (why === "out of commands") note("the commands have ended before the run: it goes no further");
      ending.abort();
    },
  });
  const options: RunOptions = { ...usual, ...debugging, trace: true, signal };
  say(`${visible(ir.name)}, ${countText(ir.nodes.length, "node")}; "help" lists the commands\n`);
  const result = cancellation.told(toWorkflowResult(await graph.run(state, options), placeOf), placeOf);
  const isInterrupted = cancellation.isInterrupted();
  const isCut = ending.signal.aborted && !isInterrupted;
  const code = isCut ? EXIT.done : tellEnd(context, result, isInterrupted);
  const refused = tellRefused(context, commands.lines.isScript ? debugging.refused() : 0);
  return isInterrupted ? code : (refused ?? code);
}

/** A row that names no agent has the default one. */
function agentIn(family: readonly GraphIR[], graph: string, node: string): string {
  const { nodes } = family.find(({ name }) => name === graph) ?? { nodes: [] };
  return nodes.find(({ name }) => name === node)?.agent.written || "default";
}

/** A script with a wrong command must not look like success. */
function tellRefused({ fail }: Context, refused: number): number | null {
  if (refused === 0) return null;
  fail(`${countText(refused, "command")} of the script could not be done`, "the transcript says why");
  return EXIT.usage;
}

function tellEnd(context: Context, result: WorkflowResult, isInterrupted: boolean): number {
  const { status, path, steps } = result;
  context.stdout.write(`\n${status} after ${countText(steps, "step")}: ${path.map(visible).join(" > ")}\n`);
  tellResult(context, result);
  return exitCode(result, isInterrupted);
}
