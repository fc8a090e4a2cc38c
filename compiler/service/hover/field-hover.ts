import { END, type FieldIR, type GraphIR, type NodeIR } from "../../ir.js";
import type { View } from "../document.js";
import { propertyOf } from "./field-lines.js";
import { code, named, paragraphs, sentence, typescript } from "./markdown.js";
import { wayWithout } from "./ways.js";

const GIVEN = {
  required: "The caller must give it.",
  optional: "The caller may give it.",
} as const;

/** A field: its type, who gives or writes it, who reads it, and where it may be unset. */
export function fieldHover(view: View, graph: GraphIR, field: FieldIR): string {
  const { input, writers, readers, name } = field;
  const rows = (nodes: readonly number[]): readonly string[] =>
    nodes.flatMap((v) => {
      const node = graph.nodes[v];
      return node === undefined ? [] : [`${code(node.name)} (row ${node.row})`];
    });
  const isOfRun = name === "error" && writers.length === 0;
  return paragraphs(
    typescript([propertyOf(view, graph, field)]),
    [
      input === null ? "" : GIVEN[input],
      sentence("Written by", rows(writers)),
      isOfRun ? "The run sets it after a failure." : "",
      sentence("Read by", rows(readers)),
    ]
      .filter((part) => part !== "")
      .join(" "),
    unsetLines(graph, field),
    unsetAtEnd(graph, field),
  );
}

/** A way to the end on which nothing writes the field: its type says that it may be missing. */
function unsetAtEnd(graph: GraphIR, { name, setAtEnd, writers }: FieldIR): string {
  if (setAtEnd || writers.length === 0) return "";
  const way = wayWithout(graph, name, END);
  return way === null ? "" : `A run may end without it, on the way ${wayText(way)}.`;
}

const wayText = (way: readonly string[]): string => way.slice(-6).map(code).join(" → ");

const MOST_TOLD = 4;

/** The nodes that may find nothing in the field, each with the reason. */
function unsetLines(graph: GraphIR, field: FieldIR): string {
  const unset = field.readers.filter((v) => mayFindNothing(graph.nodes[v], field));
  const lines = unset.slice(0, MOST_TOLD).map((v) => {
    const name = code(graph.nodes[v]?.name ?? "");
    return `- It may be unset at ${name}: ${whyUnset(graph, field, v)}.`;
  });
  const more = unset.length - lines.length;
  return [...lines, ...(more > 0 ? [`- and at ${more} more.`] : [])].join("\n");
}

function mayFindNothing(node: NodeIR | undefined, { name, mayBeLeftOut }: FieldIR): boolean {
  const read = node?.reads.find(({ field }) => field === name);
  return read !== undefined && node?.reachable === true && (!read.sure || mayBeLeftOut);
}

function whyUnset(graph: GraphIR, { name, input, writers }: FieldIR, at: number): string {
  const way = wayWithout(graph, name, at);
  const given = input === "optional" ? "the caller may leave it out, and " : "";
  if (writers.length === 0)
    return name === "error" ? "not every way there fails" : "the caller may leave it out";
  if (way !== null && way.length > 1) return `${given}nothing writes it on the way ${wayText(way)}`;
  if (way !== null) return `${given}a run begins there`;
  const writing = writers.flatMap((v) => graph.nodes[v]?.name ?? []).map(code);
  return `${given}${named(writing, "or")} may leave it out`;
}

/** An input under the name that its agent knows it by. */
export const paramHover = (param: string, field: string): string =>
  paragraphs(`The agent knows the field ${code(field)} as ${code(param)}.`);
