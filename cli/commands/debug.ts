import { createPaint } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { Project } from "../../runtime/config/folders.js";
import type { RunOptions, StateData } from "../../runtime/graph/contract/contract.js";
import { createRedactor, redactLog } from "../../runtime/runs/redact.js";
import { toWorkflowResult, type WorkflowResult } from "../../runtime/runs/result.js";
import { createServices } from "../../runtime/services.js";
import { type CommandLines, openCommandLines } from "../debug/command-lines.js";
import { createDebugger } from "../debug/debugger.js";
import { createNodeNames, type NodeNames } from "../debug/node-names.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { countText } from "../report.js";
import { readGivenState } from "../run/given-state.js";
import { createLeash, type Leash } from "../run/leash.js";
import { stopped } from "../run/legs.js";
import { createLog } from "../run/log.js";
import { chooseSheet, openSubject, type Subject } from "../run/open.js";
import { exitCode, tellResult } from "../run/outcome.js";
import { watchAgents } from "../run/watch-agents.js";

/** `flowsheet debug`: runs a graph step by step. */
export async function debug(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const project = openProject(context);
  const sheet = await chooseSheet(context, project, { operands, given });
  if (sheet.path === null || given.text("state") === "-")
    throw new UsageError(
      "standard input is where the debugger reads its commands",
      "name the sheet's file, and give the state as JSON or @file",
    );
  const choice = { sheet, graph: given.text("graph"), encoding: context.encoding };
  const subject = await openSubject(context, project, choice);
  const state = await readGivenState(context, subject, given);
  const names = createNodeNames(subject.graph);
  const breaks = readBreaks(given, names);
  const leash = createLeash(context);
  const done = await watchAgents(context, subject);
  const lines = await openCommandLines(context);
  try {
    return await perform(context, subject, { project, state, names, breaks, lines, leash });
  } finally {
    lines.close();
    leash.end();
    done();
  }
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

interface Performance {
  readonly project: Project;
  readonly state: StateData;
  readonly names: NodeNames;
  readonly breaks: Set<string>;
  readonly lines: CommandLines;
  readonly leash: Leash;
}

async function perform(context: Context, subject: Subject, performance: Performance): Promise<number> {
  const { stdout, color, note } = context;
  const { project, state, leash } = performance;
  const { ir, graph } = subject;
  const redact = createRedactor(context.env, project.configuration);
  const ending = new AbortController();
  const signal = AbortSignal.any([leash.signal, ending.signal]);
  const say = stdout.write;
  const debugging = createDebugger({
    ...performance,
    say,
    paint: createPaint(color(stdout)),
    redact,
    fields: new Set(ir.fields.map(({ name }) => name)),
    signal,
    end: (why) => {
      if (why === "out of commands") note("the commands have ended before the run: it goes no further");
      ending.abort();
    },
  });
  const { maxSteps } = project.execution;
  const options: RunOptions = {
    ...debugging,
    trace: true,
    signal,
    redact,
    log: redactLog(createLog(context), redact),
    services: createServices({ project, env: context.env, redact }),
    ...(maxSteps === null ? {} : { maxSteps }),
  };
  say(`${visible(ir.name)}, ${countText(ir.nodes.length, "node")}; "help" lists the commands\n`);
  const result = stopped(await graph.run(state, options), leash);
  const isCut = ending.signal.aborted && !leash.isInterrupted();
  const code = isCut ? EXIT.done : tellEnd(context, toWorkflowResult(result, subject.placeOf), leash);
  const refused = tellRefused(context, performance.lines.isScript ? debugging.refused() : 0);
  return leash.isInterrupted() ? code : (refused ?? code);
}

/** A script with a mistake did not do what it was written for: that must not look like success. */
function tellRefused({ fail }: Context, refused: number): number | null {
  if (refused === 0) return null;
  fail(`${countText(refused, "command")} of the script could not be done`, "the transcript says why");
  return EXIT.usage;
}

function tellEnd(context: Context, result: WorkflowResult, leash: Leash): number {
  const { status, path, steps } = result;
  context.stdout.write(`\n${status} after ${countText(steps, "step")}: ${path.map(visible).join(" > ")}\n`);
  tellResult(context, result, { json: false, trace: null });
  return exitCode(result, leash.isInterrupted());
}
