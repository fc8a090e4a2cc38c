/** Names of nodes, graphs and agents. */

import { graphNameFault, nodeNameFault } from "../../1-parse/cells/name-rules.js";
import { END, type GraphIR, type NodeIR } from "../../ir.js";
import type { AgentFacts } from "../../world.js";
import type { CustomAgent } from "../document.js";
import { rowFrom } from "../spot.js";
import type { Offer, Offers } from "./completion.js";
import type { Here } from "./here.js";
import { itemAt, otherItems } from "./list-item.js";

const isBar = (sign: string): boolean => sign === "|" || sign === "\n" || sign === "\r";

/** A list of targets: the nodes that nothing leads to come first, the node itself last. */
export function targetOffers(here: Here): Offers {
  const { text, at } = here.caret;
  const range = itemAt(text, at, isBar);
  const taken = new Set(otherItems(text, range, /[|\r\n]/));
  const offers = nodeOffers(here).filter(({ label }) => !taken.has(label));
  return { ...range, offers };
}

/** The nodes of the graph, and its end. */
export function nodeOffers({ graph, index }: Here): readonly Offer[] {
  if (graph === null) return [];
  const led = ledTo(graph);
  const nodes = graph.nodes.flatMap((node, v): readonly Offer[] => {
    if (nodeNameFault(node.name) !== null || node.name === "") return [];
    return [nodeOffer(node, v === index ? 3 : v === 0 || led.has(v) ? 1 : 0)];
  });
  if (graph.nodes.some(({ name }) => name === "END")) return nodes;
  return [...nodes, { label: "END", kind: "end", detail: "the run ends here", rank: 2 }];
}

export const nodeOffer = (node: NodeIR, rank = 0): Offer => ({
  label: node.name,
  kind: "node",
  detail: () => `${node.agent.written === "" ? "default" : node.agent.written}, row ${node.row}`,
  documentation: node.description,
  rank,
});

/** The nodes that some node leads to. */
function ledTo({ nodes }: GraphIR): ReadonlySet<number> {
  const led = new Set<number>();
  for (const { next, onSuccess, onFailure, cases, otherwise, onLimit } of nodes) {
    for (const to of next) led.add(to);
    for (const to of onSuccess) led.add(to);
    for (const to of onFailure) led.add(to);
    for (const { target } of cases) led.add(target);
    led.add(otherwise ?? END).add(onLimit);
  }
  return led;
}

const wholeCell = ({ caret: { text } }: Here, offers: readonly Offer[]): Offers => ({
  start: 0,
  end: text.length,
  offers,
});

/** The graphs of the sheet; that of the row above comes first. */
export function graphOffers(here: Here): Offers {
  const { view, caret } = here;
  const rows = view.sheet?.rows ?? [];
  const above = rows[rowFrom(rows, caret.record) - 1]?.graph.name;
  const offers = view.graphs
    .filter(({ name }) => name !== "" && graphNameFault(name) === null)
    .map((graph): Offer => ({ label: graph.name, kind: "graph", rank: graph.name === above ? 0 : 1 }));
  return wholeCell(here, offers);
}

/** Names that cells of the graph give as targets, and that no node has. */
export function newNodeOffers(here: Here): Offers {
  const { view, graph } = here;
  const rows = (graph?.nodes ?? []).flatMap(({ index }) => view.sheet?.rows[index] ?? []);
  const nodes = new Set(rows.map(({ node }) => node.name));
  const wanted = new Map<string, string>();
  for (const { next, onSuccess, onFailure, node } of rows)
    for (const { name } of [...next, ...onSuccess, ...onFailure])
      if (!nodes.has(name) && name !== "END" && nodeNameFault(name) === null && !wanted.has(name))
        wanted.set(name, node.name);
  const offers = [...wanted].map(
    ([label, by]): Offer => ({ label, kind: "node", detail: `${by} leads there` }),
  );
  return wholeCell(here, offers);
}

/** Agents of the project, then the built-in ones, then their other names. */
export function agentOffers(here: Here): Offers {
  const { agents } = here.view.world.world;
  const custom = customAgents(here).map(
    ({ name, file }): Offer => ({ label: name, kind: "agent", detail: file, rank: 0 }),
  );
  const own = agents.map((facts) => builtinOffer(here, facts));
  const aliases = agents.flatMap((facts) =>
    facts.aliases.map((label): Offer => {
      const { detail } = builtinOffer(here, facts);
      return {
        label,
        kind: "agent",
        detail: `another name of ${facts.type}`,
        documentation: detail ?? "",
        rank: 2,
      };
    }),
  );
  return wholeCell(here, [...custom, ...own, ...aliases]);
}

function builtinOffer({ about }: Here, { type, settings }: AgentFacts): Offer {
  const names = Object.keys(settings);
  const documentation = names.length === 0 ? "" : `Settings: ${names.join(", ")}.`;
  return { label: type, kind: "agent", detail: about?.agents[type]?.line ?? "", documentation, rank: 1 };
}

function customAgents({ view: { world } }: Here): readonly CustomAgent[] {
  const { customAgents, possibleAgents } = world.world;
  return (
    world.customAgents ??
    [...(customAgents ?? []), ...(possibleAgents ?? [])].map((name) => ({ name, file: "" }))
  );
}

/** Graphs that a setting may name, those of other sheets behind. */
export function calledOffers({ view, graph }: Here): readonly Offer[] {
  const own = view.graphs.map(
    ({ name }): Offer => ({ label: name, kind: "graph", rank: name === graph?.name ? 1 : 0 }),
  );
  const names = new Set(own.map(({ label }) => label));
  const others = [...(view.world.world.otherGraphs ?? [])].filter((name) => !names.has(name));
  return [
    ...own,
    ...others.map((label): Offer => ({ label, kind: "graph", detail: "of another sheet", rank: 2 })),
  ];
}
