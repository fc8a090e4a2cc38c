import { LIST } from "../../address.js";
import { goTo } from "../../choose.js";
import { counted } from "../../counted.js";
import { graph, opened, sheets } from "../../state.js";
import { commands } from "../whereabouts.js";

/** A thing that is looked for by its name. */
export interface Findable {
  readonly kind: "node" | "graph" | "sheet" | "command" | "run";
  readonly name: string;
  readonly about: string;
  /** Other words that people look for it by. */
  readonly also?: string;
  readonly go: () => void;
}

function nodes(): readonly Findable[] {
  const { name: sheet = null, graphs = [] } = opened.value ?? {};
  const first = [...graphs].sort(
    (a, b) => Number(b.name === graph.value?.name) - Number(a.name === graph.value?.name),
  );
  return first.flatMap((one) =>
    one.nodes.map(({ name, agent, record }): Findable => {
      const go = (): void => goTo({ ...LIST, sheet, graph: one.name, node: name });
      return { kind: "node", name, about: `${one.name} · ${agent} · row ${record + 1}`, go };
    }),
  );
}

function graphs(): readonly Findable[] {
  return (sheets.value ?? []).flatMap(({ name: sheet, graphs }) =>
    graphs.map(({ name, nodes: count }): Findable => {
      const go = (): void => goTo({ ...LIST, sheet, graph: name });
      return { kind: "graph", name, about: `${sheet} · ${counted(count, "node")}`, go };
    }),
  );
}

function sheetsOfAll(): readonly Findable[] {
  return (sheets.value ?? []).map(({ name, graphs }): Findable => {
    const go = (): void => goTo({ ...LIST, sheet: name });
    return { kind: "sheet", name, about: counted(graphs.length, "graph"), go };
  });
}

function commandsNow(): readonly Findable[] {
  return commands.value
    .filter(({ isThere }) => isThere?.() !== false)
    .map(({ keys, says, also = "", act }): Findable => {
      const name = says.slice(0, 1).toUpperCase() + says.slice(1);
      return { kind: "command", name, about: keys.join(", "), also, go: () => act() };
    });
}

/** What is looked through, in this order. */
const SOURCES: readonly (() => readonly Findable[])[] = [nodes, graphs, sheetsOfAll, commandsNow];

const MOST = 50;

/** What has all the words in its name or in what is said of it; names that begin with them come first. */
export function find(text: string): readonly Findable[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = SOURCES.flatMap((source) => source()).flatMap((one): [Findable, number][] => {
    const [name, about] = [one.name.toLowerCase(), `${one.about} ${one.also ?? ""}`.toLowerCase()];
    if (!words.every((word) => name.includes(word) || about.includes(word))) return [];
    const at = words.map((word) => (name.startsWith(word) ? 0 : name.includes(word) ? 1 : 2));
    return [[one, at.reduce<number>((sum, rank) => sum + rank, 0)]];
  });
  return found
    .sort(([, a], [, b]) => a - b)
    .slice(0, MOST)
    .map(([one]) => one);
}
