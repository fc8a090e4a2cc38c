import { suggest } from "../../compiler/diagnostics/suggest.js";
import { quoted } from "../../compiler/diagnostics/visible.js";
import type { GraphIR } from "../../compiler/ir.js";
import { describeGraph } from "../draw/describe.js";
import { drawMermaid } from "../draw/mermaid.js";
import { HttpProblem, inputInvalid } from "../http/request/problem.js";
import type { Inspected } from "./caller.js";

/** One graph among those of a sheet, drawn or described. */
export function drawInspected(
  graphs: readonly GraphIR[],
  name: string | null,
  format: Inspected["format"],
): string {
  const found = name === null ? graphs[0] : graphs.find((one) => one.name === name);
  if (found !== undefined)
    return format === "json" ? JSON.stringify(describeGraph(found)) : drawMermaid(found);
  const names = graphs.map((one) => one.name);
  const near = name === null ? null : suggest(name, names);
  const help = near === null ? "" : `; did you mean ${quoted(near)}?`;
  const message = name === null ? "the sheet has no graph" : `the sheet has no graph ${quoted(name)}${help}`;
  throw inputInvalid([{ pointer: "/graph", message }]);
}

/** For a thread, which can throw nothing that is understood outside: the picture, or why there is none. */
export function drawnJson(graphs: readonly GraphIR[], { graph, format }: Omit<Inspected, "csv">): string {
  try {
    return JSON.stringify({ drawn: drawInspected(graphs, graph, format) });
  } catch (error) {
    if (error instanceof HttpProblem) return JSON.stringify({ fault: error.message });
    throw error;
  }
}

export function drawnIn(json: string): string {
  const { drawn, fault = "" } = JSON.parse(json) as { readonly drawn?: string; readonly fault?: string };
  if (drawn !== undefined) return drawn;
  throw new HttpProblem("input_invalid", { detail: fault });
}
