/** What the values of settings may be, and what stands inside of those that hold lists and objects. */

import { PARTS } from "../../2-analyze/settings/check-assignee.js";
import { QUERY_PARTS } from "../../2-analyze/settings/check-query.js";
import { RETRY } from "../../2-analyze/settings/check-settings.js";
import { MERGES, shapeOf } from "../../2-analyze/settings/settings.js";
import type { ReadIR } from "../../ir.js";
import { COLUMN_TYPES } from "../../types/column-types.js";
import { choicesOf, isBoolean } from "../../types/field-type.js";
import { WEBHOOK_CHOICES, WEBHOOK_PARTS } from "../../types/webhook.js";
import type { SettingShape } from "../../world.js";
import type { Offer } from "./completion.js";
import { fieldOffers } from "./fields.js";
import type { Here } from "./here.js";
import { type JsonPath, valueOffer } from "./json-offers.js";
import { calledOffers, nodeOffers } from "./names.js";

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
  webhook: {
    keys: (_, path) => (path.length === 0 ? words(WEBHOOK_PARTS) : []),
    values: (_, [part]) => {
      const key = String(part);
      return Object.hasOwn(WEBHOOK_CHOICES, key)
        ? words(WEBHOOK_CHOICES[key as keyof typeof WEBHOOK_CHOICES], "value")
        : [];
    },
  },
};

/** A custom agent may have a setting of such a name that means something else. */
const innerOf = ({ facts }: Here, name: string): Inner | undefined =>
  shapeOf(name, facts) !== undefined && Object.hasOwn(INNER, name) ? INNER[name] : undefined;

/** The keys that an object inside of a setting may have; the path begins with the setting. */
export const keysIn = (here: Here, [name, ...path]: JsonPath): readonly Offer[] =>
  innerOf(here, String(name))?.keys?.(here, path) ?? [];

/** What may stand at a path, which begins with the setting. */
export function valuesAt(here: Here, [name, ...path]: JsonPath): readonly Offer[] {
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
