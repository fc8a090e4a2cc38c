/** The cells of test sheets. */

import type { PartedColumn } from "../../1-parse/test-sheet.js";
import { firsts } from "../../2-analyze/by-name.js";
import { CODES, KEYS, STATUSES } from "../../2-analyze/tests/expected-end.js";
import { namesInside } from "../../2-analyze/tests/inside.js";
import { ANY_KINDS } from "../../2-analyze/tests/matchers.js";
import type { GraphIR, NodeIR, TestColumn } from "../../ir.js";
import { choicesOf, isBoolean, isUnknown } from "../../types/field-type.js";
import { formatType } from "../../types/format-type.js";
import type { View } from "../document.js";
import type { Offer, Offers } from "./completion.js";
import { factsOf, type Here } from "./here.js";
import { type JsonPath, jsonOffers, valueOffer } from "./json-offers.js";
import { itemAt, otherItems } from "./list-item.js";
import { graphOffers, nodeOffer } from "./names.js";
import { optionOffers } from "./setting-values.js";

type Cell = (here: Here, graph: GraphIR) => Offers | null;

interface Words {
  readonly keys: (here: Here, graph: GraphIR, path: JsonPath) => readonly Offer[];
  readonly values: (here: Here, graph: GraphIR, path: JsonPath) => readonly Offer[];
}

/** What stands in the columns whose entries may have columns of their own. */
const PARTS: { readonly [column in PartedColumn]: Words } = {
  given: {
    keys: (_, graph, path) => (path.length === 0 ? givenFields(graph) : []),
    values: (_, graph, path) => valuesOfField(graph, path),
  },
  mocks: { keys: mockKeys, values: mockValues },
  answers: { keys: answerKeys, values: answerValues },
  expect_state: {
    keys: (_, graph, path) =>
      path.length === 0 ? endFields(graph, true) : named(["$any", "$match"], "value"),
    values: (_, graph, path) => stateValues(graph, path),
  },
};

const partOf =
  (column: PartedColumn): Cell =>
  (here, graph) =>
    wordsIn(here, graph, PARTS[column]);

/** `before` leads to the value that the cell holds. */
function wordsIn(here: Here, graph: GraphIR, { keys, values }: Words, before: JsonPath = []): Offers | null {
  return json(
    here,
    (path) => keys(here, graph, [...before, ...path]),
    (path) => values(here, graph, [...before, ...path]),
  );
}

const CELLS: { readonly [column in TestColumn]?: Cell } = {
  given: partOf("given"),
  mocks: partOf("mocks"),
  answers: partOf("answers"),
  expect_status: ({ caret: { text } }) => ({ start: 0, end: text.length, offers: named(STATUSES, "value") }),
  expect_path: pathOffers,
  expect_state: partOf("expect_state"),
  expect_absent: absentOffers,
  expect_error: (here, graph) =>
    json(
      here,
      (path) => (path.length === 0 ? named(KEYS, "value") : []),
      ([key]) => errorValues(graph, key),
    ),
};

/** The entries of one graph that may have a column of their own, such as `given.amount`. */
export function entryColumns(view: View, graph: GraphIR): readonly Offer[] {
  const under = (column: PartedColumn, offers: readonly Offer[], rank: number): readonly Offer[] =>
    offers.map((offer) => ({ ...offer, label: `${column}.${offer.label}`, rank: rank + (offer.rank ?? 0) }));
  return [
    ...under("given", givenFields(graph), 1),
    ...under("answers", answerKeys({ view }, graph, []), 2),
    ...under("mocks", mockKeys({ view }, graph, []), 3),
    ...under("expect_state", endFields(graph, true), 3),
  ];
}

export function caseOffers(here: Here, column: TestColumn): Offers | null {
  if (column === "graph_name") return graphOffers(here);
  return here.graph === null ? null : (CELLS[column]?.(here, here.graph) ?? null);
}

/** A cell such as one under `given.amount`: its value as it is, or as JSON. */
export function entryOffers(here: Here, column: PartedColumn, key: string): Offers | null {
  const { graph, caret } = here;
  if (graph === null) return null;
  if (/^\s*[[{]/.test(caret.text)) return wordsIn(here, graph, PARTS[column], [key]);
  const offers = PARTS[column].values(here, graph, [key]);
  // A text that would be read as JSON, or lose its blanks, is written in quotes, which only the whole column knows.
  const plain = offers.filter(({ label }) => label.trim() === label && !/^[[{]/.test(label));
  return { start: 0, end: caret.text.length, offers: plain, write: ({ label }) => label };
}

function json(
  here: Here,
  keys: (path: JsonPath) => readonly Offer[],
  values: (path: JsonPath) => readonly Offer[],
): Offers | null {
  return jsonOffers(here.caret.text, here.caret.at, { keys, values });
}

const named = (names: readonly string[], kind: Offer["kind"]): readonly Offer[] =>
  names.map((label) => ({ label, kind }));

/** What a run may be given; what it must be given comes first. */
function givenFields({ fields }: GraphIR): readonly Offer[] {
  const given = fields.map(({ name, type, input }): Offer => {
    const need = input === "required" ? "needed" : input === "optional" ? "may be given" : "written by nodes";
    const detail = isUnknown(type) ? need : `${formatType(type)}, ${need}`;
    return {
      label: name,
      kind: "field",
      detail,
      rank: input === "required" ? 0 : input === "optional" ? 1 : 3,
    };
  });
  return [...given, { label: "$now", kind: "run-value", detail: "the clock of the run", rank: 2 }];
}

/** The fields of a final state; those that are always set come first, or last. */
function endFields({ fields }: GraphIR, setFirst: boolean): readonly Offer[] {
  const offers = fields.map(({ name, type, setAtEnd }): Offer => {
    const state = setAtEnd ? "set at the end" : "may be unset";
    const detail = isUnknown(type) ? state : `${formatType(type)}, ${state}`;
    return { label: name, kind: "field", detail, rank: setAtEnd === setFirst ? 0 : 1 };
  });
  if (fields.some(({ name }) => name === "error")) return offers;
  return [...offers, { label: "error", kind: "field", detail: "string, may be unset", rank: 2 }];
}

function valuesOfField({ fields }: GraphIR, path: JsonPath): readonly Offer[] {
  const type = path.length === 1 ? fields.find(({ name }) => name === path[0])?.type : undefined;
  if (type === undefined) return [];
  return isBoolean(type)
    ? [true, false].map((value) => valueOffer(value))
    : choicesOf(type).map((value) => valueOffer(value));
}

const stateValues = (graph: GraphIR, path: JsonPath): readonly Offer[] =>
  path.at(-1) === "$any" ? named(ANY_KINDS, "value") : valuesOfField(graph, path);

function errorValues(graph: GraphIR, key: string | number | undefined): readonly Offer[] {
  if (key === "code") return named(CODES, "value");
  return key === "node" ? graph.nodes.map((node) => nodeOffer(node)) : [];
}

/** The nodes of the graph, then those of the graphs that it runs; without those that have no rank. */
function nodesInside(
  { view }: Pick<Here, "view">,
  graph: GraphIR,
  rankOf: (node: NodeIR | null) => number | null,
): readonly Offer[] {
  const nodes = new Map(graph.nodes.map((node) => [node.name, node]));
  const inner = firsts(view.graphs, ({ name }) => name);
  return namesInside(graph, (name) => inner.get(name) ?? null).flatMap((label): readonly Offer[] => {
    const node = nodes.get(label) ?? null;
    const rank = rankOf(node);
    if (rank === null) return [];
    return [node === null ? { label, kind: "node", rank } : nodeOffer(node, rank)];
  });
}

const MOCKS = ["return", "fail", "throw", "visits"];

function mockKeys(here: Pick<Here, "view">, graph: GraphIR, [node, ...path]: JsonPath): readonly Offer[] {
  if (node === undefined) return nodesInside(here, graph, (one) => (one?.agent.builtin === false ? 0 : 1));
  const isVisit = path.length === 2 && path[0] === "visits";
  return path.length === 0 || isVisit ? named([...MOCKS, "writes"], "value") : [];
}

function mockValues(here: Here, graph: GraphIR, [name, ...path]: JsonPath): readonly Offer[] {
  const node = graph.nodes.find((one) => one.name === name) ?? null;
  const isWhole = path.length === 0 || (path.length === 2 && path[0] === "visits");
  if (!isWhole || factsOf(here.view, node)?.type !== "branching") return [];
  return [true, false].map((value) => valueOffer(value));
}

/** Nodes that ask come first. */
function answerKeys(here: Pick<Here, "view">, graph: GraphIR, path: JsonPath): readonly Offer[] {
  if (path.length > 0) return path.length === 1 ? named(["answer", "comment", "visits"], "value") : [];
  return nodesInside(here, graph, (node) => {
    const facts = factsOf(here.view, node);
    if (facts !== null && !facts.asks && facts.type !== "graph") return null;
    return facts?.asks === true ? 0 : 1;
  });
}

function answerValues(here: Here, graph: GraphIR, [name, ...path]: JsonPath): readonly Offer[] {
  const node = graph.nodes.find((one) => one.name === name) ?? null;
  const isAnswer = path.length === 0 || path[0] === "answer" || path[0] === "visits";
  if (node === null || !isAnswer) return [];
  if (factsOf(here.view, node)?.type === "human") return optionOffers({ node });
  return valuesOfField(graph, [node.writes[0]?.field ?? ""]);
}

/** `A>B>*>C`, or a list in JSON; the nodes that the one before leads to come first. */
function pathOffers(here: Here, graph: GraphIR): Offers | null {
  const { text, at } = here.caret;
  const any: Offer = { label: "*", kind: "value", detail: "any number of nodes", rank: 1 };
  if (text.trimStart().startsWith("["))
    return json(
      here,
      () => [],
      () => [...graph.nodes.map((node) => nodeOffer(node)), any],
    );
  const range = itemAt(text, at, (sign) => sign === ">");
  const [before] = text.slice(0, range.start).split(">").slice(-2);
  const from = graph.nodes.find(({ name }) => name === before?.trim());
  const led = new Set(
    from === undefined
      ? [0]
      : [...from.next, ...from.onSuccess, ...from.onFailure, ...from.cases.map(({ target }) => target)],
  );
  const nodes = graph.nodes.flatMap((node, v): readonly Offer[] =>
    node.name === "" || node.name.includes(">") ? [] : [nodeOffer(node, led.has(v) ? 0 : 2)],
  );
  return { ...range, offers: [...nodes, any] };
}

const SEPARATORS = /[|,;\r\n]/;

function absentOffers({ caret: { text, at } }: Here, graph: GraphIR): Offers {
  const range = itemAt(text, at, (sign) => SEPARATORS.test(sign));
  const taken = new Set(otherItems(text, range, SEPARATORS));
  return { ...range, offers: endFields(graph, false).filter(({ label }) => !taken.has(label)) };
}
