import { relative, resolve } from "node:path";
import { customType } from "../../compiler/2-analyze/index.js";
import { type Understanding, understandSheet } from "../../compiler/compile.js";
import { emitFiles, type GraphToEmit } from "../../compiler/emit-files.js";
import type { GraphIR, NodeIR } from "../../compiler/ir.js";
import { diffOutput, type PlannedFile, planOutput, writeOutput } from "../../compiler/output/plan.js";
import type { TypeFindings } from "../../compiler/type-check/index.js";
import { type FoundAgent, findAgents } from "../../runtime/agents/find.js";
import { fingerprintOf } from "../../runtime/graph/fingerprint.js";
import { createWorlds } from "../../runtime/workflows/world.js";
import type { Context } from "../context.js";
import { EXIT } from "../failure.js";
import { openProject, sheetsToRead } from "../project.js";
import { countText, type Findings, writeFindings } from "../report.js";
import { readSheet } from "../sheets/read.js";
import type { Given } from "../verbs.js";

/** `flowsheet compile`: a typed module for each graph. */
export async function compile(context: Context, operands: readonly string[], given: Given): Promise<number> {
  if (!given.flag("watch")) return compileOnce(context, operands, given);
  const { watchSheets } = await import("../compile/watch.js");
  return watchSheets(context, { operands, given, compile: compileOnce });
}

async function compileOnce(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const folders = openProject(context);
  const sheets = await sheetsToRead(context, folders, { operands, csv: given.list("csv") });
  const { env, encoding } = context;
  const worldOf = createWorlds({ folders, env, encoding, sheets, unknownAgent: "error" });
  const understood: Understanding[] = [];
  for (const sheet of sheets) {
    const content = await readSheet(sheet, context);
    if (content === null) return EXIT.usage;
    const source = { file: sheet.shown, ...(encoding === null ? {} : { encoding }) };
    understood.push(
      content.kind === "too-large"
        ? content.understanding
        : understandSheet({ ...source, bytes: content.bytes }, worldOf(sheet)),
    );
  }
  if (await reportErrors(understood, context)) return EXIT.findings;
  const out = resolve(context.cwd, given.text("out") ?? "generated");
  const emit = (graphs: readonly GraphIR[]) => emitProject(graphs, out, folders.agents);
  if (given.flag("types")) {
    const { findTypeProblems } = await import("../types/check.js");
    const found = findTypeProblems(context, { understood, folders, out, emit });
    if (await reportErrors(understood, context, found)) return EXIT.findings;
  }
  const files = emit(understood.flatMap(({ graphs }) => graphs));
  const plan = planOutput(out, files, given.flag("clean"));
  return given.flag("check") ? checkPlan(context, plan) : carryOut(context, out, plan);
}

/** The generated files of all graphs, for a folder. */
export function emitProject(
  graphs: readonly GraphIR[],
  out: string,
  agents: string,
): ReadonlyMap<string, string> {
  const toEmit = graphs.map((graph): GraphToEmit => ({ graph, fingerprint: fingerprintOf(graph) }));
  return emitFiles(toEmit, createAgentImports(out, agents));
}

/** Writes what is wrong to stderr, of the sheets or of their types; true when it forbids to go on. */
async function reportErrors(
  understood: readonly Understanding[],
  context: Context,
  types?: TypeFindings,
): Promise<boolean> {
  const diagnostics = types?.diagnostics ?? understood.flatMap((one) => one.diagnostics);
  if (
    diagnostics.length > 0 &&
    !(context.quiet && diagnostics.every(({ severity }) => severity === "warning"))
  ) {
    const sheets = understood.map(({ file, sheet }) => [file, sheet?.text ?? ""] as const);
    const sources = new Map([...sheets, ...(types?.sources ?? [])]);
    const findings: Findings = { diagnostics, sources, graphs: [] };
    await writeFindings(findings, "text", { context, output: context.stderr });
  }
  return diagnostics.some(({ severity }) => severity === "error");
}

/** Where a module finds the agents of its nodes. */
function createAgentImports(
  out: string,
  folder: string,
): (node: NodeIR) => { readonly from: string; readonly name: string } {
  let custom: ReadonlyMap<string, FoundAgent> | null = null;
  return ({ agent }) => {
    if (agent.builtin)
      return { from: "flowsheet/agents", name: agent.type === "default" ? "echo" : exportName(agent.type) };
    custom ??= new Map(findAgents(folder).map((found) => [found.type, found]));
    const found = custom.get(customType(agent.written));
    if (found === undefined)
      throw new Error(`agent ${agent.written} has passed the checks, but is not there`);
    const way = relative(out, found.file)
      .replaceAll("\\", "/")
      .replace(/\.(m?)ts$/, ".$1js");
    return { from: way.startsWith(".") ? way : `./${way}`, name: found.export };
  };
}

/** `json_reader` is exported as `jsonReader`. */
const exportName = (type: string): string =>
  type.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

function checkPlan(context: Context, plan: readonly PlannedFile[]): number {
  const off = plan.filter(({ action }) => action !== "unchanged");
  if (off.length === 0) {
    context.note(`${countText(plan.length, "file")} up to date`);
    return EXIT.done;
  }
  context.stdout.write(diffOutput(off));
  context.fail(`${countText(off.length, "generated file")} out of date`, "run: flowsheet compile");
  return EXIT.findings;
}

async function carryOut(context: Context, out: string, plan: readonly PlannedFile[]): Promise<number> {
  const foreign = plan.filter(({ action }) => action === "foreign");
  for (const { name } of foreign) {
    context.fail(
      `${relative(context.cwd, out)}/${name} was not written by flowsheet, so it is left alone`,
      "move it away, or choose another folder with --out",
    );
  }
  if (foreign.length > 0) return EXIT.usage;
  await writeOutput(out, plan);
  for (const { name, action } of plan) {
    const file = `${relative(context.cwd, out) || "."}/${name}`;
    if (action === "stale") context.note(`${file} is made from no sheet any more; --clean removes it`);
    else if (!context.quiet) context.stdout.write(`${action.padEnd(9)} ${file}\n`);
  }
  return EXIT.done;
}
