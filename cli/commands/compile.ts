import { relative, resolve } from "node:path";
import type { Understanding } from "../../compiler/compile.js";
import { OutputError } from "../../compiler/output/output-error.js";
import type { TypeFindings } from "../../compiler/type-check/check-types.js";
import type { Folders, Project } from "../../runtime/config/folders.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { errorsOf } from "../../runtime/workflows/read-sheet.js";
import { createAgentImports, importersOfWhole } from "../compile/imports.js";
import { checkPlan, outputFault, tellRefused, writePlan } from "../compile/outcome.js";
import type { GraphAt } from "../compile/project-graphs.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject, sheetsToRead } from "../project.js";
import { sourcesOf, tellProblems } from "../report.js";
import { understandFiles } from "../sheets/read.js";

export async function compile(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const target = given.text("target") ?? "typescript";
  if (target !== "typescript")
    return (await import("../compile/targets.js")).compileTarget(context, target, operands, given);
  if (!given.flag("watch")) return compileOnce(context, operands, given);
  return (await import("../compile/watch.js")).watchSheets(context, operands, given, compileOnce);
}

async function compileOnce(context: Context, operands: readonly string[], given: Given): Promise<number> {
  try {
    return await compileSheets(context, operands, given);
  } catch (error) {
    throw error instanceof OutputError ? outputFault(error, context.cwd) : error;
  }
}

async function compileSheets(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const { cwd } = context;
  const named = given.text("out");
  if (named?.trim() === "") throw new UsageError("--out names no folder", "write --out . for this one");
  const project = openProject(context);
  const out = resolve(cwd, named ?? project.generated);
  const csv = given.list("csv");
  const sheets = await sheetsToRead(context, project, { operands, csv });
  // These are all sheets of the project, so modules of other sheets are out of use.
  const whole = operands.length === 0 && csv.length === 0;
  const { failingAgents } = await import("../compile/agent-files.js");
  const about = { unknownAgent: "error", failingAgents } as const;
  const { understood, library } = await understandFiles(context, project, sheets, about, context.note);
  if (understood.length === 0) throw new UsageError("there is no sheet among these files");
  if (await reportErrors(understood, context)) return EXIT.findings;
  // The printer's packages are heavy: a sheet with errors is told without them.
  const { folderFault, planOutput } = await import("../../compiler/output/plan.js");
  const fault = folderFault(out, cwd);
  if (fault !== null)
    throw new UsageError(
      `${relative(cwd, out) || out} ${fault}, so nothing is written there`,
      "choose another folder with --out",
    );
  const { lookAtModules } = await import("../compile/modules.js");
  const modules = await lookAtModules({ project, out, cwd, sheets, understood, library, whole });
  const { own, graphs, around, there, emit } = modules;
  if (await reportFaults(around.written, context)) return EXIT.findings;
  if (given.flag("types")) {
    const { findTypeProblems } = await import("../types/check.js");
    const found = findTypeProblems(context, project, understood, graphs, out, emit);
    if (await reportErrors(understood, context, found)) return EXIT.findings;
  } else {
    const { tellDeclared } = await import("../compile/declared.js");
    const diagnostics = tellDeclared(understood, createAgentImports(out, project.agents));
    await reportErrors(understood, context, { diagnostics, sources: new Map() });
  }
  const files = emit([...own, ...around.written.map((at) => at.graph)]);
  const kept = new Set(around.left.map(({ name }) => name));
  const plan = planOutput(out, files, { clean: given.flag("clean"), kept });
  warnOfImports(project, context);
  if (tellRefused(context, out, plan)) return EXIT.usage;
  const runs = given.flag("checkRuns") ? () => checkRuns(context, project, whole ? null : sheets) : null;
  if (given.flag("check")) return Math.max(await checkPlan(context, plan), (await runs?.()) ?? EXIT.done);
  await writePlan(context, out, plan);
  const { takenModules } = await import("../compile/around.js");
  for (const { name, sheet } of takenModules(graphs, there, plan))
    context.note(
      `${relative(cwd, out)}/${name} was made from ${sheet} before: run flowsheet compile to write that one anew`,
    );
  return runs === null ? EXIT.done : runs();
}

/** Which open runs an edit leaves behind, as text. */
async function checkRuns(
  context: Context,
  project: Project,
  sheets: readonly SheetPath[] | null,
): Promise<number> {
  const { fitsOf, tellFits } = await import("../runs/check-runs.js");
  return tellFits(await fitsOf(context, project, sheets), context, context.stdout);
}

/** Without the whole package, an agent that imports it cannot be loaded. */
function warnOfImports({ agents, generatedImport }: Folders, { cwd, tell }: Context): void {
  if (generatedImport === "flowsheet") return;
  const cure = `modules import "${generatedImport}", and so should agents`;
  for (const file of importersOfWhole(agents))
    tell("warning:", `${relative(cwd, file)} imports "flowsheet": ${cure}`);
}

/** Reports errors that stop graphs of other sheets from being written; true when there are any. */
async function reportFaults(written: readonly GraphAt[], context: Context): Promise<boolean> {
  const faulty = new Map<Understanding, Understanding>();
  for (const { understanding, graph } of written) {
    const known = faulty.get(understanding)?.diagnostics ?? [];
    const found = new Set([...known, ...errorsOf(understanding, graph.name)]);
    faulty.set(understanding, { ...understanding, diagnostics: [...found] });
  }
  return reportErrors([...faulty.values()], context);
}

/** Writes problems of sheets and types to stderr; true when compiling must stop. */
async function reportErrors(
  understood: readonly Understanding[],
  context: Context,
  types?: TypeFindings,
): Promise<boolean> {
  const diagnostics = types?.diagnostics ?? understood.flatMap((one) => one.diagnostics);
  const hasErrors = diagnostics.some(({ severity }) => severity === "error");
  const sources = new Map([...sourcesOf(understood), ...(types?.sources ?? [])]);
  if (hasErrors || !context.quiet) await tellProblems(diagnostics, sources, context);
  return hasErrors;
}
