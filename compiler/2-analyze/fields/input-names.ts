import { parsePromptText } from "../../1-parse/cells/prompt.js";
import type { Json, JsonEntry, JsonSpot, SettingItem } from "../../ir.js";
import type { AgentFacts, SettingShape } from "../../world.js";
import { type DraftNode, inputNamed } from "../draft.js";
import { isRecord, shapeOf } from "../settings/settings.js";

export interface Mention {
  readonly name: string;
  /** Where it stands: as a value, or as a key. */
  readonly spot: JsonSpot | JsonEntry;
}

export function mentionsIn(facts: AgentFacts, { name, spot }: SettingItem): readonly Mention[] {
  const shape = shapeOf(name, facts);
  if (shape === undefined) return [];
  if (isOfTexts(shape)) return textsBelow(spot).flatMap(placeholdersIn);
  if (name === "when") return (spot.entries ?? []).map((entry) => ({ name: entry.key, spot: entry }));
  if (name === "query") return criteriaIn(spot).flatMap((one) => textsIn(one.entries?.find(isInput)?.spot));
  if (name === "include_keys")
    return textsIn(spot).flatMap((one) => listed(one.name).map((input) => ({ ...one, name: input })));
  if (name === "assignee") return textsIn(spot.entries?.find(isInput)?.spot);
  if (name === "escalate")
    return textsIn(spot.entries?.find(({ key }) => key === "assignee")?.spot.entries?.find(isInput)?.spot);
  return namesInputs(shape) ? textsIn(spot) : [];
}

const isOfTexts = (shape: SettingShape): boolean =>
  shape.kind === "either"
    ? shape.shapes.some(isOfTexts)
    : shape.kind === "template" || shape.kind === "templates";

/** True for a setting in which `{name}` stands for an input. */
export function isTemplate(name: string, facts: AgentFacts | null): boolean {
  const shape = shapeOf(name, facts);
  return shape !== undefined && isOfTexts(shape);
}

/** The texts in a setting, at any depth. Settings are at most some levels deep: recursion is safe. */
const textsBelow = (spot: JsonSpot): readonly JsonSpot[] => [
  ...(typeof spot.value === "string" ? [spot] : []),
  ...(spot.entries ?? []).flatMap((entry) => textsBelow(entry.spot)),
  ...(spot.items ?? []).flatMap(textsBelow),
];

const placeholdersIn = (spot: JsonSpot): readonly Mention[] =>
  parsePromptText(String(spot.value)).parts.flatMap((part) =>
    part.kind === "field" ? [{ name: part.path[0] ?? "", spot }] : [],
  );

/** True when a setting takes a part of an input, as `{order.id}` does. */
export function looksInside(node: DraftNode, param: string): boolean {
  const { facts, row } = node;
  const texts = row.settings
    .filter(({ name }) => isTemplate(name, facts))
    .flatMap(({ spot }) => textsBelow(spot));
  return texts.some((spot) =>
    parsePromptText(String(spot.value)).parts.some(
      (part) =>
        part.kind === "field" &&
        part.path.length > 1 &&
        (inputNamed(node, part.path[0] ?? "") ?? part.path[0]) === param,
    ),
  );
}

/** The text with the names that the agent knows its inputs by. */
function namedTemplate(value: Json, known: Known): Json {
  if (Array.isArray(value)) return value.map((one) => namedTemplate(one, known));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, namedTemplate(one, known)]));
  if (typeof value !== "string") return value;
  let done = 0;
  let out = "";
  for (const part of parsePromptText(value).parts) {
    if (part.kind !== "field") continue;
    const [name = "", ...path] = part.path;
    out += `${value.slice(done, part.start)}{${[known(name), ...path].join(".")}}`;
    done = part.end;
  }
  return out + value.slice(done);
}

const listed = (names: string): readonly string[] =>
  names
    .split(/[|,;\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");

const isInput = ({ key }: { readonly key: string }): boolean => key === "input";

const criteriaIn = (query: JsonSpot): readonly JsonSpot[] =>
  (query.entries?.find(({ key }) => key === "filter")?.spot.entries ?? []).flatMap(
    ({ spot }) => spot.items ?? [spot],
  );

const textsIn = (spot: JsonSpot | undefined): readonly Mention[] =>
  [spot, ...(spot?.items ?? [])].flatMap((one) =>
    typeof one?.value === "string" ? [{ name: one.value, spot: one }] : [],
  );

const namesInputs = (shape: SettingShape): boolean =>
  shape.kind === "field" || (shape.kind === "either" && shape.shapes.some(namesInputs));

/** Settings name inputs by field or by parameter; the agent knows only parameters. */
export function nameInputs(node: DraftNode): DraftNode["settings"] {
  const { settings, facts } = node;
  const names = facts === null ? [] : Object.keys(settings);
  if (facts === null || names.length === 0) return settings;
  const known: Known = (name) => inputNamed(node, name) ?? name;
  return Object.fromEntries(names.map((name) => [name, named(facts, name, settings[name]!, known)]));
}

type Known = (name: string) => string;

function named(facts: AgentFacts, name: string, value: Json, known: Known): Json {
  const shape = shapeOf(name, facts);
  if (shape === undefined) return value;
  if (isOfTexts(shape)) return namedTemplate(value, known);
  if (name === "when" && isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([input, one]) => [known(input), one]));
  if (name === "query" && isRecord(value)) return namedQuery(value, known);
  if (name === "include_keys" && typeof value === "string") return listed(value).map(known);
  if (name === "assignee") return namedPeople(value, known);
  if (name === "escalate" && isRecord(value))
    return { ...value, assignee: namedPeople(value["assignee"] ?? null, known) };
  if (name !== "include_keys" && !namesInputs(shape)) return value;
  const one = (text: Json): Json => (typeof text === "string" ? known(text) : text);
  return Array.isArray(value) ? value.map(one) : one(value);
}

function namedPeople(value: Json, known: Known): Json {
  const input = isRecord(value) ? value["input"] : undefined;
  return typeof input === "string" ? { input: known(input) } : value;
}

function namedQuery(query: { readonly [part: string]: Json }, known: Known): Json {
  const { filter } = query;
  if (!isRecord(filter)) return query;
  const one = (criterion: Json): Json => {
    const input = isRecord(criterion) ? criterion["input"] : undefined;
    return typeof input === "string" ? { ...(criterion as object), input: known(input) } : criterion;
  };
  const criteria = Object.entries(filter).map(([field, criterion]): [string, Json] => [
    field,
    Array.isArray(criterion) ? criterion.map(one) : one(criterion),
  ]);
  return { ...query, filter: Object.fromEntries(criteria) };
}

/** A message names no more inputs than these. */
const MOST_NAMED = 8;

/** Names of inputs to choose from, as a message says them. */
export function oneOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((one) => JSON.stringify(one));
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [`one of ${more} more`] : [])].join(" or ");
}
