import type { FieldIR, GraphIR, Json, NodeIR } from "../../compiler/ir.js";
import { formatType } from "../../compiler/types/format-type.js";
import { nodeDescription, nodeName, readersOf } from "../../runtime/draw/describe.js";
import { type Edge, listEdges, targetName } from "../../runtime/draw/edges.js";
import { type CaseTold, examples } from "./examples.js";
import { frame } from "./frame.js";
import { code, html, table } from "./html.js";

export interface GraphPage {
  readonly graph: GraphIR;
  /** The drawing of the graph, an SVG document. */
  readonly picture: string;
  readonly cases: readonly CaseTold[];
  /** The page of a graph that a node runs; null when it has none here. */
  readonly pageOf: (name: string) => string | null;
}

/** A graph as somebody reads it who reviews a process: picture, fields, steps with their prompts, examples. */
export function graphPage({ graph, picture, cases, pageOf }: GraphPage): string {
  const description = graph.nodes[0]?.description ?? "";
  const body = `<nav aria-label="Where this is"><a href="index.html">All workflows</a> · ${html(graph.file)}</nav>
<h1>${html(graph.name)}</h1>
${description === "" ? "" : `<p>${html(description)}</p>\n`}<figure>${picture.trim()}</figure>
<h2>Fields</h2>
${fieldTables(graph)}<h2>Steps</h2>
${steps(graph, pageOf)}${examples(cases)}`;
  return frame({ sheet: graph.file, title: `${graph.name} · workflows`, body });
}

function fieldTables(graph: GraphIR): string {
  const given = graph.fields.filter(({ input }) => input !== null);
  const others = graph.fields.filter(({ input, writers }) => input === null && writers.length > 0);
  const column = (head: string, fields: readonly FieldIR[], of: (field: FieldIR) => string) => ({
    head,
    cells: fields.map(of),
  });
  const type = ({ type: one }: FieldIR): string => code(formatType(one));
  const readers = (field: FieldIR): string => stepLinks(graph, readersOf(graph, field));
  const set = ({ setAtEnd, input }: FieldIR): string =>
    setAtEnd || input === "required" ? "always" : "on some ways";
  return [
    table("What a run begins with", [
      column("Field", given, ({ name }) => code(name)),
      column("Type", given, type),
      column("Given", given, ({ input }) => (input === "required" ? "always" : "may be left out")),
      column("Read by", given, readers),
    ]),
    table("What steps write", [
      column("Field", others, ({ name }) => code(name)),
      column("Type", others, type),
      column("Set at the end", others, set),
      column("Written by", others, ({ writers }) => stepLinks(graph, writers)),
      column("Read by", others, readers),
    ]),
  ].join("");
}

const stepLinks = (graph: GraphIR, nodes: readonly number[]): string =>
  nodes.map((index) => linkTo(graph, index)).join(", ");

const linkTo = (graph: GraphIR, index: number): string =>
  `<a href="#step-${index + 1}">${html(nodeName(graph, index))}</a>`;

/** The words for an edge, as people say them. */
const WAYS: { readonly [on in Edge["on"]]: string } = {
  next: "then",
  success: "on success",
  failure: "on failure",
  case: "for",
  otherwise: "otherwise",
  limit: "after the last visit",
};

function steps(graph: GraphIR, pageOf: GraphPage["pageOf"]): string {
  const edges = listEdges(graph);
  const target = targetName(graph);
  return graph.nodes
    .map((node, index) => {
      const told = nodeDescription(node, target);
      const rows: readonly (readonly [term: string, text: string])[] = [
        ["Leads to", (edges[index] ?? []).map((edge) => wayText(graph, edge)).join("; ")],
        ["Reads", told.inputs.map(inputText).join(", ")],
        ["Writes", told.outputs.map(({ field, type }) => code(typed(field, type))).join(", ")],
        ["Runs", graphRun(node, pageOf)],
        ...Object.entries(told.settings).map(([name, value]) => [html(name), settingText(value)] as const),
      ];
      const list = rows.flatMap(([term, text]) => (text === "" ? [] : [`<dt>${term}</dt><dd>${text}</dd>`]));
      return `<section class="step" id="step-${index + 1}">
<h3>${html(node.name)} <span class="soft">${html(node.agent.written)}, row ${node.row}</span></h3>
${node.description === "" ? "" : `<p>${html(node.description)}</p>\n`}<dl>${list.join("")}</dl>
${boxOf(told.prompt)}</section>
`;
    })
    .join("");
}

const typed = (name: string, type: string | null): string => (type === null ? name : `${name}: ${type}`);

function inputText({
  param,
  field,
  path,
  type,
}: ReturnType<typeof nodeDescription>["inputs"][number]): string {
  const from = [field, ...path].join(".");
  return code(typed(param === from ? from : `${param} = ${from}`, type));
}

function wayText(graph: GraphIR, { on, to, values }: Edge): string {
  const where = to < 0 ? "the end" : linkTo(graph, to);
  const words = on === "case" || values.length > 0 ? `for ${values.map(code).join(", ")}` : WAYS[on];
  return `${words} ${where}`;
}

function graphRun({ agent, settings }: NodeIR, pageOf: GraphPage["pageOf"]): string {
  const { graph } = settings;
  if (!agent.builtin || agent.type !== "graph" || typeof graph !== "string") return "";
  const page = pageOf(graph);
  return page === null ? html(graph) : `<a href="${html(page)}">${html(graph)}</a>`;
}

const boxOf = (text: string | null): string =>
  text === null || text === "" ? "" : `<pre>${html(text)}</pre>\n`;

const settingText = (value: Json): string => code(typeof value === "string" ? value : JSON.stringify(value));
