import { END, type GraphIR, type NodeIR, type Target } from "../../ir.js";
import type { View } from "../document.js";
import { agentLine } from "./agent-hover.js";
import { code, paragraphs, plainText, sentence } from "./markdown.js";
import { targetsOf } from "./ways.js";

/** A node: its agent, what it does, where it leads and what leads to it. */
export function nodeHover(view: View, graph: GraphIR, node: NodeIR): string {
  const { agent, name, description, reads, writes } = node;
  const head = `**${plainText(name)}** · ${code(agent.written || "default")} · row ${node.row}`;
  const fields = [
    sentence("Reads", [...new Set(reads.map(({ field }) => code(field)))]),
    sentence("Writes", [...new Set(writes.map(({ field }) => code(field)))]),
  ];
  return paragraphs(
    head,
    agentLine(view, agent),
    plainText(description),
    fields.filter((part) => part !== "").join(" "),
    waysFrom(graph, node),
    waysTo(graph, node),
  );
}

function waysFrom(graph: GraphIR, node: NodeIR): string {
  const to = (targets: readonly Target[]): readonly string[] =>
    [...new Set(targets)].map((one) => nameOf(graph, one));
  const { next, onSuccess, onFailure, cases, otherwise, maxVisits, onLimit } = node;
  const parts = [
    sentence("Goes to", to(next)),
    sentence("On success to", to(onSuccess)),
    sentence("On failure to", to(onFailure)),
    ...cases.map(({ value, target }) => `For ${code(value)} to ${nameOf(graph, target)}.`).slice(0, 8),
    otherwise === null ? "" : `Else to ${nameOf(graph, otherwise)}.`,
    maxVisits === null ? "" : `After ${maxVisits} visits to ${nameOf(graph, onLimit)}.`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "The run ends here." : parts.join(" ");
}

function waysTo(graph: GraphIR, node: NodeIR): string {
  const index = graph.nodes.indexOf(node);
  const from = graph.nodes.filter((one) => targetsOf(one).includes(index)).map(({ name }) => code(name));
  const entry = index === 0 ? "Runs begin here." : "";
  if (from.length === 0) return index === 0 ? entry : "No node leads here.";
  return `${entry} ${sentence("Reached from", from)}`.trim();
}

const nameOf = ({ nodes }: GraphIR, target: Target): string =>
  target === END ? "the end" : code(nodes[target]?.name ?? "");
