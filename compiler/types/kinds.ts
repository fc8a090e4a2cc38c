import { BOOLEAN, type FieldType, isOpen, isUnknown, LIST, NUMBER, STRING, UNKNOWN } from "./field-type.js";
import { membersOf, unionOf } from "./union.js";

/** The type of a value that is one or the other: choices become one choice, and text holds them all. */
export function joined(one: FieldType, other: FieldType): FieldType {
  const all = [...membersOf(one), ...membersOf(other)];
  const texts = all.filter(isText);
  if (texts.length < 2) return unionOf(all);
  const choices = new Set(texts.flatMap((type) => (type.kind === "choice" ? type.values : [])));
  const isAny = texts.some(({ kind }) => kind === "string") || choices.size > MOST_CHOICES;
  const text: FieldType = isAny ? STRING : { kind: "choice", values: [...choices] };
  return unionOf([text, ...all.filter((type) => !isText(type))]);
}

const MOST_CHOICES = 64;

const isText = ({ kind }: FieldType): boolean => kind === "string" || kind === "choice";

/** What a function or a sign of a formula needs. */
export type Kind = "number" | "text" | "boolean" | "list";

const isOfKind = (type: FieldType, kind: Kind): boolean => {
  if (kind === "text") return isText(type);
  if (kind === "list") return type.kind === "list" || type.kind === "list-of";
  return type.kind === kind;
};

/** Whether every value of a type is of a kind, some are, or none is. */
export function fitOf(type: FieldType, kind: Kind): "all" | "some" | "none" {
  if (isOpen(type)) return "some";
  const members = membersOf(type);
  const fitting = members.filter((member) => isOfKind(member, kind) || isOpen(member));
  if (fitting.length === 0) return "none";
  return fitting.length === members.length && !members.some(isOpen) ? "all" : "some";
}

/** A type in the words of messages. */
export function typeWords(type: FieldType): string {
  const words = new Set(membersOf(type).map(wordOf));
  return [...words].join(" or ");
}

function wordOf(type: FieldType): string {
  switch (type.kind) {
    case "number":
      return "a number";
    case "string":
    case "choice":
      return "text";
    case "boolean":
      return "TRUE or FALSE";
    case "list":
    case "list-of":
      return "a list";
    case "object":
      return "an object";
    default:
      return "a value of unknown type";
  }
}

export const KIND_WORDS: { readonly [kind in Kind]: string } = {
  number: "a number",
  text: "text",
  boolean: "TRUE or FALSE",
  list: "a list",
};

/** The type of a list's items. */
export const itemsOf = (type: FieldType): FieldType => {
  const items = membersOf(type).map((one) => (one.kind === "list-of" ? { kind: one.item } : UNKNOWN));
  return unionOf(items as readonly FieldType[]);
};

/** The type that a value of a kind has when nothing more is known of it. */
export const KIND_TYPES: { readonly [kind in Kind]: FieldType } = {
  number: NUMBER,
  text: STRING,
  boolean: BOOLEAN,
  list: LIST,
};

/** The type of a constant: text is a choice of one. */
export function constantType(value: string | number | boolean): FieldType {
  if (typeof value === "string") return { kind: "choice", values: [value] };
  return typeof value === "number" ? NUMBER : BOOLEAN;
}

/** A type without values: of what always throws. */
export const NEVER: FieldType = { kind: "choice", values: [] };

/** What a formula gives: one text alone is no choice, and TypeScript takes it for any text. */
export const resultType = (type: FieldType): FieldType =>
  type.kind === "choice" && type.values.length < 2 ? STRING : type;

export const TEXTS: FieldType = { kind: "list-of", item: "string" };

/** True for lists and mappings alone. */
export const isComposed = (type: FieldType): boolean =>
  membersOf(type).every(({ kind }) => kind === "list" || kind === "list-of" || kind === "object");

/** True for text, numbers, TRUE and FALSE: there is nothing inside of them. */
export const isSingle = (type: FieldType): boolean =>
  membersOf(type).every((one) => isText(one) || one.kind === "number" || one.kind === "boolean");

/** Whether a value of the type can be anything, as far as is known. */
export const isAnything = (type: FieldType): boolean => isOpen(type) || membersOf(type).some(isUnknown);
