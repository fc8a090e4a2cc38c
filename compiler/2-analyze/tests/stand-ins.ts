import type { Json, JsonSpot, NodeIR } from "../../ir.js";
import type { FieldType } from "../../types/field-type.js";
import type { AgentFacts } from "../../world.js";
import type { CaseIR, EachVisit, MockIR } from "./case-ir.js";
import type { CaseEntry, CaseReporter, Stretch } from "./case-report.js";
import { type Way, wayOf } from "./inside.js";
import type { TestedGraph } from "./tested-graphs.js";

/** A node that is named, perhaps inside a sub-graph; `unseen` when it is one of a graph of another sheet. */
type MockedNode = NodeIR | "unseen";

interface Reading {
  readonly tested: TestedGraph;
  readonly report: CaseReporter;
}

type CaseCells = Pick<CaseIR, "cells" | "entries">;

/** People give texts; the run makes of them what the question asks for. */
const TEXT: FieldType = { kind: "string" };

/** Reads the mocks of a case: what stands in for the agents of nodes. */
export function readMocks(one: CaseCells, reading: Reading): ReadonlyMap<string, EachVisit<MockIR>> {
  return readNodes(one, ["mocks", "stand-ins by node"], reading, ({ spot, at }, node) => {
    const judges = node !== "unseen" && node.agent.builtin && node.agent.type === "branching";
    return visitsOf(at, spot, reading).flatMap((one) => readMock(at, one, reading, judges) ?? []);
  });
}

/** Reads the answers of a case: what people say to the nodes that ask. */
export function readAnswers(
  one: CaseCells,
  reading: Reading & { readonly agents: readonly AgentFacts[] },
): ReadonlyMap<string, EachVisit<Json>> {
  return readNodes(one, ["answers", "answers by node"], reading, (entry, node) =>
    checkAsks(entry, node, reading) ? visitsOf(entry.at, entry.spot, reading).map(({ value }) => value) : [],
  );
}

function readNodes<T>(
  one: CaseCells,
  [column, of]: readonly ["mocks" | "answers", string],
  reading: Reading,
  read: (entry: CaseEntry, node: MockedNode) => readonly T[],
): ReadonlyMap<string, EachVisit<T>> {
  const found = new Map<string, EachVisit<T>>();
  for (const entry of reading.report.entries(one, column, {
    of,
    typeOf: column === "answers" ? () => TEXT : undefined,
  })) {
    const node = nodeFor(entry, reading);
    const [first, ...rest] = node === null ? [] : read(entry, node);
    if (first !== undefined) found.set(entry.key, [first, ...rest]);
  }
  return found;
}

const ITEM = /\[\d+\]\//;

/** The node that an entry names; null after a report. */
function nodeFor({ key, at }: CaseEntry, { tested, report }: Reading): MockedNode | null {
  const { graph, graphOf, nearInside } = tested;
  // Stand-ins are for all items of a loop alike.
  const isOfItem = at.name === "mocks" && ITEM.test(key);
  const { steps, end } = isOfItem ? NO_WAY : wayOf(key, graph, graphOf);
  const node = steps.at(-1)?.node;
  if (end === "unseen") return "unseen";
  if (end === "node" && node !== undefined) return node;
  report.unknownNode(at, graph, nearInside);
  return null;
}

const NO_WAY: Way = { steps: [], end: "nothing" };

/** A built-in agent that asks nothing is never answered. */
function checkAsks(
  { key, at }: CaseEntry,
  node: MockedNode,
  { report, agents }: Reading & { readonly agents: readonly AgentFacts[] },
): boolean {
  const agent = node === "unseen" ? null : node.agent;
  const facts = agent?.builtin === true ? agents.find((one) => one.type === agent.type) : undefined;
  if (facts === undefined || facts.asks || facts.type === "graph") return true;
  const why = `node ${JSON.stringify(key)} asks nothing: its agent is ${facts.type}`;
  report.bad(at, why, "answers are for input and human; mocks stand in for any other agent");
  return false;
}

/** `{"visits": [a, b]}` holds one thing a visit; anything else is for all visits. */
function visitsOf(at: Stretch, spot: JsonSpot, { report }: Reading): readonly JsonSpot[] {
  const [only, ...others] = spot.entries ?? [];
  if (only?.key !== "visits" || others.length > 0) return [spot];
  const { items = [], start, end } = only.spot;
  const cure = 'write {"visits": ["first", "second"]}; the last one repeats';
  if (items.length === 0)
    report.bad({ ...at, start, end }, '"visits" must be a list with one entry a visit', cure);
  return items;
}

function readMock(at: Stretch, spot: JsonSpot, { report }: Reading, judges: boolean): MockIR | null {
  if (judges && typeof spot.value === "boolean") return { kind: "judge", value: spot.value };
  const entries = new Map((spot.entries ?? []).map((entry) => [entry.key, entry.spot]));
  const [first] = entries.keys();
  const returned = entries.get("return");
  if (returned !== undefined && entries.size === 1) return { kind: "return", value: returned.value };
  const writes = entries.get("writes");
  const isFail = first === "fail" && (entries.size === 1 || (entries.size === 2 && writes !== undefined));
  if (!isFail && !(first === "throw" && entries.size === 1)) return { kind: "return", value: spot.value };
  const why = entries.get(first)?.value;
  if (typeof why !== "string" || (writes !== undefined && writes.entries === undefined)) {
    const cure = `write {${JSON.stringify(first)}: "why"}; {"return": {…}} gives such a mapping as it is`;
    const { start, end } = spot;
    report.bad({ ...at, start, end }, `${JSON.stringify(first)} must be a text`, cure);
    return null;
  }
  if (first === "throw") return { kind: "throw", why };
  return {
    kind: "fail",
    why,
    writes: (writes?.value ?? null) as Extract<MockIR, { kind: "fail" }>["writes"],
  };
}
