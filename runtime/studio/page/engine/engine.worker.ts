import { SheetDocument, type View } from "../../../../compiler/service/document.js";
import { agentFacts } from "../../../agents/facts.js";
import { listEdges } from "../../../draw/edges.js";
import type { Drawing } from "../../../draw/svg/geometry.js";
import { layOutGraph } from "../../../draw/svg/layout.js";
import { familyOf } from "../../../draw/svg/svg-style.js";
import { worldFrom } from "../../world-data.js";
import type { GraphOfSheet, Numbered, Question, Understood } from "./messages.js";
import { columnsOf, rowsOf } from "./table.js";

let view: View | null = null;

function open({ file, text, world }: Extract<Question, { readonly kind: "open" }>): Understood {
  view = SheetDocument.open(file, text, { world: worldFrom(world, file, agentFacts) }).view();
  const { sheet, graphs, diagnostics } = view;
  const rows = sheet === null ? [] : rowsOf(sheet);
  return {
    columns: sheet === null ? [] : columnsOf(sheet, rows),
    rows,
    graphs: graphs.map(
      (graph): GraphOfSheet => ({
        name: graph.name,
        nodes: graph.nodes.map(({ name, row, agent, reachable }) => ({
          ...{ name, record: row - 1, agent: agent.written || agent.type },
          ...{ family: familyOf(agent), isReachable: reachable },
        })),
        edges: listEdges(graph).flatMap((edges) => edges.map(({ from, to, on }) => ({ from, to, on }))),
      }),
    ),
    problems: diagnostics.map(({ code, severity, message, label, help, span, node, graph }) => ({
      ...{ code, severity, message, label, help, span, node, graph },
    })),
  };
}

async function draw(name: string): Promise<Drawing | null> {
  const graph = view?.graphs.find((one) => one.name === name);
  return graph === undefined ? null : layOutGraph(graph);
}

self.addEventListener("message", async ({ data }: MessageEvent<Numbered<Question>>) => {
  const { number, content } = data;
  self.postMessage({ number, content: content.kind === "open" ? open(content) : await draw(content.graph) });
});
