/** Settings of nodes: their names and their values, in JSON and in columns of their own. */

import { parseContext, parseSetting } from "../../1-parse/cells/context.js";
import { PARTS } from "../../2-analyze/settings/check-assignee.js";
import { QUERY_PARTS } from "../../2-analyze/settings/check-query.js";
import { RETRY } from "../../2-analyze/settings/check-settings.js";
import { GENERAL, isRecord, MERGES, shapeOf } from "../../2-analyze/settings/settings.js";
import { expectation } from "../../2-analyze/settings/shapes.js";
import { foldName } from "../../diagnostics/suggest.js";
import type { Range, ReadIR } from "../../ir.js";
import { COLUMN_TYPES } from "../../types/column-types.js";
import { choicesOf, isBoolean } from "../../types/field-type.js";
import type { AgentFacts, SettingShape } from "../../world.js";
import type { Offer, Offers } from "./completion.js";
import { fieldOffers } from "./fields.js";
import type { Here } from "./here.js";
import { type JsonPath, type JsonWords, jsonOffers, valueOffer } from "./json-offers.js";
import { calledOffers, nodeOffers } from "./names.js";

/** The cell `context`: JSON, or nothing yet. */
export function contextOffers(here: Here): Offers | null {
  const { text, at } = here.caret;
  return jsonOffers(text, at, {
    keys: (path) => (path.length === 0 ? settingOffers(here) : keysIn(here, path)),
    values: (path, range) => valuesAt(path[0] === "default_action" ? besides(here, range) : here, path),
  });
}

/** With the settings around a value that is still to be written: without it, no JSON could be read. */
function besides(here: Here, { start, end }: Range): Here {
  const { text } = here.caret;
  const value = parseContext(`${text.slice(0, start)}null${text.slice(end)}`).spot?.value;
  if (here.node === null || !isRecord(value)) return here;
  return { ...here, node: { ...here.node, settings: { ...here.node.settings, ...value } } };
}

/** The cell of a setting's own column: one value, which needs no quotes, or JSON. */
export function settingCellOffers(here: Here, written: string): Offers | null {
  const { text, at } = here.caret;
  const name = settingName(here.facts, written);
  const isJson = /^\s*[{[]/.test(text);
  const words: JsonWords = {
    keys: (path) => keysIn(here, [name, ...path]),
    values: (path) => valuesAt(here, [name, ...path]),
  };
  if (isJson || (valuesAt(here, [name]).length === 0 && keysIn(here, [name]).length > 0))
    return jsonOffers(text, at, words);
  const offers = valuesAt(here, [name]).filter(({ label, text: json }) => isPlain(label, json));
  return { start: 0, end: text.length, offers: offers.map(({ text: _, ...offer }) => offer) };
}

/** A text that a column would read as something else cannot be written there. */
function isPlain(label: string, json: string | undefined): boolean {
  const value = parseSetting(label).spot?.value;
  return json === undefined ? value === label : JSON.stringify(value) === json;
}

function settingName(facts: AgentFacts | null, written: string): string {
  const names = [...Object.keys(GENERAL), ...Object.keys(facts?.settings ?? {})];
  return names.find((name) => foldName(name) === foldName(written)) ?? written;
}

/** The settings of the node: those of its agent come first. */
function settingOffers({ facts, about }: Here): readonly Offer[] {
  const general = Object.keys(GENERAL).filter((name) => !Object.hasOwn(facts?.settings ?? {}, name));
  const own = Object.keys(facts?.settings ?? {});
  const offer = (name: string, rank: number): Offer => {
    const shape = shapeOf(name, facts);
    const documentation = about?.agents[facts?.type ?? ""]?.settings[name] ?? about?.everyNode[name] ?? "";
    return {
      label: name,
      kind: "setting",
      detail: shape === undefined ? "" : expectation(shape),
      documentation,
      rank,
    };
  };
  return [...own.map((name) => offer(name, 0)), ...general.map((name) => offer(name, 1))];
}

/** A setting as the header of a column names it, with what is said of it. */
export function settingColumns(facts: readonly AgentFacts[], about: Here["about"]): readonly Offer[] {
  const general = Object.keys(GENERAL).map(
    (name): Offer => ({ label: name, kind: "setting", detail: about?.everyNode[name] ?? "", rank: 1 }),
  );
  const names = new Map<string, Offer>();
  for (const { type, settings } of facts)
    for (const name of Object.keys(settings)) {
      const detail = about?.agents[type]?.settings[name] ?? "";
      if (!Object.hasOwn(GENERAL, name) && !names.has(name))
        names.set(name, { label: name, kind: "setting", detail, rank: 2 });
    }
  return [...general, ...names.values()];
}

const words = (names: readonly string[], kind: Offer["kind"] = "setting"): readonly Offer[] =>
  names.map((label) => ({ label, kind }));

/** The inputs of the node by the names that its agent knows them by. */
function inputsOf({ node, about }: Here): readonly Offer[] {
  return (node?.reads ?? []).map(({ param, field, path }): Offer => {
    const from = [field, ...path].join(".");
    const detail = field.startsWith("$")
      ? (about?.runValues[field] ?? "")
      : from === param
        ? "an input"
        : `the input ${from}`;
    return { label: param, kind: "field", detail };
  });
}

/** The values that an input is known to have. */
function valuesOfInput({ graph, node }: Here, read: ReadIR | undefined): readonly Offer[] {
  if (read === undefined || node === null) return [];
  const own = graph?.fields.find(({ name }) => name === read.field)?.type ?? null;
  const type = read.type ?? (read.path.length === 0 ? own : null);
  if (type === null) return [];
  return isBoolean(type)
    ? [true, false].map((value) => valueOffer(value))
    : choicesOf(type).map((value) => valueOffer(value));
}

const CRITERIA: { readonly [criterion: string]: string } = {
  "<>": "anything but nothing",
  "": "nothing: unset, null or empty",
  ">": "a number that is more",
  ">=": "a number that is not less",
  "<": "a number that is less",
  "<=": "a number that is not more",
};

const criteria = (): readonly Offer[] =>
  Object.entries(CRITERIA).map(([value, detail]): Offer => {
    const label = JSON.stringify(value);
    return { label, kind: "value", text: label, detail, rank: 1 };
  });

const ORDERS = ["asc", "desc"];

interface Inner {
  readonly keys?: (here: Here, path: JsonPath) => readonly Offer[];
  readonly values?: (here: Here, path: JsonPath) => readonly Offer[];
}

const isInput = (path: JsonPath): boolean => path.at(-1) === "input";

/** What stands inside of settings that hold lists and objects. The path begins below the setting. */
const INNER: { readonly [setting: string]: Inner } = {
  retry: { keys: () => words(RETRY) },
  merge: {
    keys: (here) => fieldOffers({ ...here, index: -1 }, ""),
    values: () => words(MERGES, "value"),
  },
  cases: {
    keys: (here) => valuesOfInput(here, here.node?.reads[0]).filter(({ text }) => text?.startsWith('"')),
    values: (here) => nodeOffers(here),
  },
  when: {
    keys: (here) => inputsOf(here),
    values: (here, [input]) => [
      ...valuesOfInput(
        here,
        here.node?.reads.find(({ param }) => param === input),
      ),
      ...criteria(),
    ],
  },
  assignee: { keys: () => words(["input"]), values: (here, path) => (isInput(path) ? inputsOf(here) : []) },
  escalate: {
    keys: (_, path) => words(path.length === 0 ? PARTS : ["input"]),
    values: (here, path) => (isInput(path) ? inputsOf(here) : []),
  },
  query: {
    keys: (_, path) =>
      path.length === 0
        ? words(QUERY_PARTS)
        : path.length === 2 && path[0] === "filter"
          ? words(["input", "is"])
          : [],
    values: (here, path) => {
      if (path[0] === "order") return words(ORDERS, "value");
      if (path[0] !== "filter") return [];
      return isInput(path) ? inputsOf(here) : path.length === 2 ? criteria() : [];
    },
  },
  types: { values: () => words(COLUMN_TYPES, "value") },
  include_keys: { values: (here) => inputsOf(here) },
  value: { values: (here) => inputsOf(here) },
  fallback: { keys: () => words(["provider", "model"]) },
};

/** A custom agent may have a setting of such a name that means something else. */
const innerOf = ({ facts }: Here, name: string): Inner | undefined =>
  shapeOf(name, facts) !== undefined && Object.hasOwn(INNER, name) ? INNER[name] : undefined;

const keysIn = (here: Here, [name, ...path]: JsonPath): readonly Offer[] =>
  innerOf(here, String(name))?.keys?.(here, path) ?? [];

function valuesAt(here: Here, [name, ...path]: JsonPath): readonly Offer[] {
  const setting = String(name);
  if (path.length > 0) return innerOf(here, setting)?.values?.(here, path) ?? [];
  if (setting === "default_action" && here.facts?.type === "human") return optionOffers(here);
  if (setting === "timezone") return words(Intl.supportedValuesOf("timeZone"), "value");
  const shape = shapeOf(setting, here.facts);
  return shape === undefined ? [] : valuesOf(here, shape);
}

function valuesOf(here: Here, shape: SettingShape): readonly Offer[] {
  if (shape.kind === "either") return shape.shapes.flatMap((one) => valuesOf(here, one));
  if (shape.kind === "one-of") return words(shape.values, "value");
  if (shape.kind === "boolean") return [true, false].map((value) => valueOffer(value));
  if (shape.kind === "node") return nodeOffers(here);
  if (shape.kind === "graph") return calledOffers(here);
  return shape.kind === "field" ? inputsOf(here) : [];
}

/** The answers that a person may give to a node. */
export function optionOffers({ node }: Pick<Here, "node">): readonly Offer[] {
  const { options, interaction } = node?.settings ?? {};
  if (Array.isArray(options))
    return options.filter((one) => typeof one === "string").map((one) => valueOffer(one));
  return interaction === "text" || interaction === "choice" ? [] : words(["approve", "reject"], "value");
}
