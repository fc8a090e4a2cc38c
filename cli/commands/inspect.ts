import type { Understanding } from "../../compiler/compile.js";
import { jsonText } from "../../compiler/diagnostics/json-text.js";
import type { GraphIR } from "../../compiler/ir.js";
import { describeGraph } from "../../runtime/draw/describe.js";
import { describeNode } from "../../runtime/draw/describe-node.js";
import { EXIT, UsageError } from "../failure.js";
import { type Chosen, chooseGraphs } from "../inspect/choose.js";
import { drawNode } from "../inspect/node-text.js";
import { drawTree, type TreeOptions } from "../inspect/tree.js";
import type { Given } from "../line/verb.js";
import { writeOut } from "../output-file.js";
import type { Context } from "../process/context.js";
import { openProject, sheetsToSearch } from "../project.js";
import { askedFormat, sourcesOf, tellProblems } from "../report.js";
import { understandFiles } from "../sheets/read.js";

type DrawingFormat = "tree" | "mermaid" | "dot" | "svg" | "json";

interface Request {
  readonly graph: string | null;
  readonly node: string | null;
  readonly format: DrawingFormat;
  readonly out: string | null;
}

/** `flowsheet inspect`: shows a graph, or one of its nodes. Nothing is run. */
export async function inspect(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const request = requestOf(given);
  const sheets = await understandSheets(context, operands, given);
  const broken = sheets.filter(({ graphs, diagnostics }) => graphs.length === 0 && diagnostics.length > 0);
  const chosen = choose(sheets, broken, request);
  const failing = new Set([
    ...(chosen.length === 0 || request.graph === null ? broken : []),
    ...chosen.flatMap(({ sheet, sound }) => (sound ? [] : [sheet])),
  ]);
  const problems = [...failing].flatMap(({ diagnostics }) => diagnostics);
  await tellProblems(problems, sourcesOf([...failing]), context);
  const graphs = chosen.flatMap(({ graph, sound }) => (sound ? [graph] : []));
  if (graphs.length > 0)
    await writeOut(await draw(graphs, request, lookOf(request, context)), request.out, context);
  return failing.size > 0 ? EXIT.findings : EXIT.done;
}

const FORMATS: readonly (readonly [RegExp, DrawingFormat])[] = [
  [/\.svg$/i, "svg"],
  [/\.(mmd|mermaid)$/i, "mermaid"],
  [/\.(dot|gv)$/i, "dot"],
  [/\.json$/i, "json"],
];

function requestOf(given: Given): Request {
  const [out, node] = [given.text("out"), given.text("node")];
  const byName = out === null ? undefined : FORMATS.find(([ending]) => ending.test(out))?.[1];
  const format = askedFormat<DrawingFormat>(given) ?? byName ?? "tree";
  if (node !== null && format !== "tree" && format !== "json") {
    throw new UsageError(`--node shows one node as text or as JSON, not as ${format}`);
  }
  return { graph: given.text("graph"), node, format, out };
}

async function understandSheets(
  context: Context,
  operands: readonly string[],
  given: Given,
): Promise<readonly Understanding[]> {
  const folders = openProject(context);
  const csv = given.text("csv");
  const sheets = await sheetsToSearch(context, folders, { operands, csv: csv === null ? [] : [csv] });
  const { understood } = await understandFiles(context, folders, sheets, { unknownAgent: "warning" });
  if (understood.length === 0)
    throw new UsageError("there is no sheet here", "name one: flowsheet inspect support.csv");
  return understood;
}

function choose(
  sheets: readonly Understanding[],
  broken: readonly Understanding[],
  { graph, node, format }: Request,
): readonly Chosen[] {
  try {
    return chooseGraphs(sheets, graph, node, format === "tree" || format === "json");
  } catch (error) {
    // The graph may be in a sheet with errors: then its problems are the useful answer.
    if (error instanceof UsageError && broken.length > 0) return [];
    throw error;
  }
}

function lookOf({ out }: Request, { stdout, color }: Context): TreeOptions {
  const width = out === null ? stdout.columns() : null;
  return { color: out === null && color(stdout), ...(width === null ? {} : { width }) };
}

/** The code for pictures is loaded only when a picture is asked for. */
async function draw(
  graphs: readonly GraphIR[],
  { format, node }: Request,
  look: TreeOptions,
): Promise<string> {
  const [first] = graphs as readonly [GraphIR, ...GraphIR[]];
  const report = node === null ? null : describeNode(first, node);
  if (report !== null) return format === "json" ? jsonText(report) : drawNode(report, look);
  if (format === "tree") return graphs.map((graph) => drawTree(graph, look)).join("\n");
  if (format === "json")
    return jsonText(graphs.length === 1 ? describeGraph(first) : { graphs: graphs.map(describeGraph) });
  if (format === "mermaid") return (await import("../../runtime/draw/mermaid.js")).drawMermaid(first);
  if (format === "dot") return (await import("../../runtime/draw/dot.js")).drawDot(first);
  return (await import("../../runtime/draw/svg/svg.js")).drawSvg(first);
}
