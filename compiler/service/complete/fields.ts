/** Fields in inputs, outputs and prompts, and the types behind a colon. */

import type { FieldIR, GraphIR } from "../../ir.js";
import { isUnknown } from "../../types/field-type.js";
import { formatType } from "../../types/format-type.js";
import { typeNames } from "../../types/parse-type.js";
import { RUN_VALUES } from "../../types/run-values.js";
import { type Offer, type Offers, say } from "./completion.js";
import { type Item, itemOf, type List, namesBeside } from "./field-item.js";
import { graphNamed, type Here, setHere } from "./here.js";

export function fieldListOffers(here: Here, list: List): Offers | null {
  const { text, at } = here.caret;
  const item = itemOf(text, at);
  if (item === null) return null;
  if (item.part === "type") return { ...item.range, offers: typeOffers(here, item) };
  const others = new Set(namesBeside(text, item, list));
  const own = list === "input_fields" ? inputOffers(here, item) : outputOffers(here, item);
  const offers = own.filter(({ label }) => !others.has(label.replace(/=$/, "")));
  return { ...item.range, offers };
}

function typeOffers({ graph }: Here, { field }: Item): readonly Offer[] {
  const known = graph?.fields.find(({ name }) => name === field)?.type;
  const own = known === undefined || isUnknown(known) || known.kind === "union" ? null : formatType(known);
  const types = typeNames
    .filter((name) => name !== own)
    .map((label): Offer => ({ label, kind: "type", rank: 1 }));
  const choice: Offer = { label: "'a'/'b'", kind: "type", detail: "one of these texts", rank: 2 };
  if (own === null) return [...types, choice];
  return [{ label: own, kind: "type", detail: `what ${field} is now`, rank: 0 }, ...types, choice];
}

function inputOffers(here: Here, { part, field, hasEquals }: Item): readonly Offer[] {
  const asked = hasEquals && part !== "left" ? [] : askedOffers(here, hasEquals);
  if (part === "left") return asked;
  return [...fieldOffers(here, field), ...runValueOffers(here), ...asked];
}

/** What a called graph asks for, as the left side of an input. */
function askedOffers(here: Here, hasEquals: boolean): readonly Offer[] {
  const called = calledGraph(here);
  if (called === null) return [];
  return called.fields.flatMap(({ name, input, type }): readonly Offer[] => {
    if (input === null) return [];
    const detail = `${called.name} ${input === "required" ? "needs" : "takes"} it${typed(type)}`;
    return [{ label: `${name}=`, kind: "field", detail, rank: 3, text: hasEquals ? name : `${name}=` }];
  });
}

function calledGraph({ view, node, facts }: Here): GraphIR | null {
  const name = facts?.type === "graph" ? node?.settings["graph"] : undefined;
  return typeof name === "string" ? graphNamed(view, name) : null;
}

const typed = (type: FieldIR["type"]): string => (isUnknown(type) ? "" : `: ${formatType(type)}`);

/** The fields of the graph without the one that only the item at the caret names. */
function fieldsBut({ graph, index }: Here, written: string): readonly FieldIR[] {
  const isAlone = ({ readers, writers }: FieldIR): boolean =>
    [...readers, ...writers].every((v) => v === index);
  return (graph?.fields ?? []).filter((field) => field.name !== written || !isAlone(field));
}

/** The fields that a node may read: those that are set on every way there come first. */
export function fieldOffers(here: Here, written: string): readonly Offer[] {
  const { graph, index, view } = here;
  if (graph === null) return [];
  const set = index < 0 ? null : setHere(view, graph)(index);
  const fields = fieldsBut(here, written);
  const offers = fields.map((field): Offer => fieldOffer(graph, field, set?.has(field.name) ?? null));
  if (set?.has("error") === true && !fields.some(({ name }) => name === "error"))
    offers.push({ label: "error", kind: "field", detail: "string, set", rank: 0 });
  return offers;
}

function fieldOffer(graph: GraphIR, field: FieldIR, isSet: boolean | null): Offer {
  const state = isSet === null ? [] : [isSet ? "set" : "may be unset"];
  return {
    label: field.name,
    kind: "field",
    detail: () => [...(isUnknown(field.type) ? [] : [formatType(field.type)]), ...state].join(", "),
    documentation: () => {
      const by = [...(field.input === null ? [] : ["the caller"]), ...namesOf(graph, field.writers)].join(
        ", ",
      );
      return by === "" ? "" : `Set by ${by}.`;
    },
    rank: isSet === false ? 1 : 0,
  };
}

/** The first of some nodes. */
const namesOf = ({ nodes }: GraphIR, some: readonly number[]): readonly string[] =>
  some.slice(0, 3).map((v) => nodes[v]?.name ?? "");

const runValueOffers = ({ about }: Here): readonly Offer[] =>
  Object.keys(RUN_VALUES).map(
    (label): Offer => ({ label, kind: "run-value", detail: about?.runValues[label] ?? "", rank: 2 }),
  );

/** The entries that an agent gives beside its answer. */
const ENTRIES: { readonly [produces: string]: readonly string[] } = { receipt: ["file", "mode", "count"] };
const OF_ANSWERS = ["comment", "by", "at"];

function outputOffers(here: Here, { part, field, hasEquals }: Item): readonly Offer[] {
  const entries = entryOffers(here);
  if (part === "left") return entries;
  const { graph } = here;
  const fields = graph === null ? [] : fieldsBut(here, field).map((one): Offer => writtenOffer(graph, one));
  if (hasEquals) return fields;
  const named = new Set(fields.map(({ label }) => label));
  return [...fields, ...entries.filter(({ label }) => !named.has(label))];
}

/** Fields that nodes read and none writes come first. */
function writtenOffer(graph: GraphIR, field: FieldIR): Offer {
  const { readers, writers } = field;
  const isWanted = readers.length > 0 && writers.length === 0;
  const offer = fieldOffer(graph, field, null);
  return {
    ...offer,
    detail: () =>
      [say(offer.detail), isWanted ? "no node writes it" : ""].filter((part) => part !== "").join(", "),
    documentation: () => (readers.length === 0 ? "" : `Read by ${namesOf(graph, readers).join(", ")}.`),
    rank: isWanted ? 0 : 1,
  };
}

function entryOffers(here: Here): readonly Offer[] {
  const { facts } = here;
  const called = calledGraph(here);
  const offer = (label: string, detail: string): Offer => ({ label, kind: "field", detail, rank: 2 });
  if (called !== null)
    return called.fields.map(({ name, type }) => offer(name, `${called.name} gives it${typed(type)}`));
  if (facts === null) return [];
  const names = [...(ENTRIES[facts.produces] ?? []), ...(facts.asks ? OF_ANSWERS : [])];
  return names.map((name) => offer(name, `${facts.type} gives it`));
}
