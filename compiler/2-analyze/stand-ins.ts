import type { CaseCell } from "../1-parse/index.js";
import { suggest } from "../diagnostics/suggest.js";
import type { GraphIR, Json, JsonEntry, JsonSpot } from "../ir.js";
import type { AgentFacts } from "../world.js";
import type { EachVisit, MockIR } from "./case-ir.js";
import type { CaseReporter } from "./case-report.js";

interface Reading {
  readonly graph: GraphIR;
  readonly report: CaseReporter;
}

/** Reads the mocks of a case: what stands in for the agents of nodes. */
export function readMocks(
  cell: CaseCell | undefined,
  reading: Reading,
): ReadonlyMap<string, EachVisit<MockIR>> {
  const mocks = new Map<string, EachVisit<MockIR>>();
  if (cell === undefined || cell.json === null) return mocks;
  for (const entry of reading.report.entries(cell, "stand-ins by node")) {
    if (!checkNode(cell, entry, reading)) continue;
    const visits = visitsOf(cell, entry.spot, reading).flatMap((spot) => readMock(cell, spot, reading) ?? []);
    const [first, ...rest] = visits;
    if (first !== undefined) mocks.set(entry.key, [first, ...rest]);
  }
  return mocks;
}

/** Reads the answers of a case: what people say to the nodes that ask. */
export function readAnswers(
  cell: CaseCell | undefined,
  reading: Reading & { readonly agents: readonly AgentFacts[] },
): ReadonlyMap<string, EachVisit<Json>> {
  const answers = new Map<string, EachVisit<Json>>();
  if (cell === undefined || cell.json === null) return answers;
  for (const entry of reading.report.entries(cell, "answers by node")) {
    if (!checkNode(cell, entry, reading) || !checkAsks(cell, entry, reading)) continue;
    const [first, ...rest] = visitsOf(cell, entry.spot, reading).map(({ value }) => value);
    if (first !== undefined) answers.set(entry.key, [first, ...rest]);
  }
  return answers;
}

function checkNode(cell: CaseCell, { key, start, end }: JsonEntry, { graph, report }: Reading): boolean {
  const names = graph.nodes.map(({ name }) => name);
  if (names.includes(key)) return true;
  const suggestion = suggest(key, names);
  const row = graph.nodes.find(({ name }) => name === suggestion)?.row ?? null;
  report.at({ ...cell, start, end }, "unknown-node", {
    where: cell.name,
    name: key,
    graph: graph.name,
    suggestion,
    row,
  });
  return false;
}

/** A built-in agent that asks nothing is never answered. */
function checkAsks(
  cell: CaseCell,
  { key, start, end }: JsonEntry,
  { graph, report, agents }: Reading & { readonly agents: readonly AgentFacts[] },
): boolean {
  const type = graph.nodes.find(({ name }) => name === key)?.agent;
  const facts = type?.builtin === true ? agents.find((one) => one.type === type.type) : undefined;
  if (facts === undefined || facts.asks || facts.type === "graph") return true;
  const why = `node ${JSON.stringify(key)} asks nothing: its agent is ${facts.type}`;
  report.at({ ...cell, start, end }, "bad-case", {
    why,
    cure: "answers are for input and human; mocks stand in for any other agent",
  });
  return false;
}

/** `{"visits": [a, b]}` holds one thing a visit; anything else is for all visits. */
function visitsOf(cell: CaseCell, spot: JsonSpot, { report }: Reading): readonly JsonSpot[] {
  const [only, ...others] = spot.entries ?? [];
  if (only?.key !== "visits" || others.length > 0) return [spot];
  const { items = [] } = only.spot;
  if (items.length > 0) return items;
  const params = {
    why: '"visits" must be a list with one entry a visit',
    cure: 'write {"visits": ["first", "second"]}; the last one repeats',
  };
  report.at({ ...cell, start: only.spot.start, end: only.spot.end }, "bad-case", params);
  return [];
}

function readMock(cell: CaseCell, spot: JsonSpot, { report }: Reading): MockIR | null {
  const entries = new Map((spot.entries ?? []).map((entry) => [entry.key, entry.spot]));
  const [first] = entries.keys();
  const returned = entries.get("return");
  if (returned !== undefined && entries.size === 1)
    return { kind: "return", value: returned.value, literal: true };
  const writes = entries.get("writes");
  const isFail = first === "fail" && (entries.size === 1 || (entries.size === 2 && writes !== undefined));
  if (!isFail && !(first === "throw" && entries.size === 1))
    return { kind: "return", value: spot.value, literal: false };
  const why = entries.get(first)?.value;
  if (typeof why !== "string" || (writes !== undefined && writes.entries === undefined)) {
    const cure = `write {${JSON.stringify(first)}: "why"}; {"return": {…}} gives such a mapping as it is`;
    report.at({ ...cell, start: spot.start, end: spot.end }, "bad-case", {
      why: `${JSON.stringify(first)} must be a text`,
      cure,
    });
    return null;
  }
  if (first === "throw") return { kind: "throw", why };
  return {
    kind: "fail",
    why,
    writes: (writes?.value as { readonly [key: string]: Json } | undefined) ?? null,
  };
}
