import { type FieldOfGraph, type FieldType, isOpen } from "./field-type.js";
import { membersOf } from "./union.js";

/** The spelling of literals, and the local names for agents and graphs. */
export interface Names {
  readonly literal: (text: string) => string;
  /** Absent where no type of code is printed. */
  readonly ofCode?: {
    readonly agent: (type: string) => string;
    readonly state: (graph: string) => string | null;
    readonly input: (graph: string) => string | null;
    /** A type of `flowsheet/graph` or of `flowsheet/agents`. */
    readonly use: (name: string) => string;
  };
}

/** A type in TypeScript: the members of a union, sorted. */
export function typeMembers(type: FieldType, names: Names): readonly string[] {
  switch (type.kind) {
    case "object":
      return [MAPPING];
    case "list":
      return ["readonly unknown[]"];
    case "list-of":
      return [listText([type.item === "object" ? MAPPING : type.item])];
    case "items":
      return [listText(typeMembers(type.of, names))];
    case "choice":
      return type.values.map(names.literal);
    case "union":
      return unionMembers(type.members, names);
    case "all":
      return [allParts(type, names).join(" & ")];
    case "string":
    case "number":
    case "boolean":
    case "null":
      return [type.kind];
    default:
      return [names.ofCode === undefined || isOpen(type) ? "unknown" : textOfCode(type, names, names.ofCode)];
  }
}

const MAPPING = "{ readonly [key: string]: unknown }";

/** The members of an intersection; null for any other type. */
export const partsOfAll = (type: FieldType, names: Names): readonly string[] | null =>
  type.kind === "all" ? allParts(type, names) : null;

function allParts({ members }: Extract<FieldType, { kind: "all" }>, names: Names): readonly string[] {
  const parts = members.map((member) => {
    const texts = typeMembers(member, names);
    return texts.length === 1 && texts[0] !== undefined ? texts[0] : `(${texts.join(" | ")})`;
  });
  const known = [...new Set(parts)].filter((part) => part !== "unknown");
  return known.length === 0 ? ["unknown"] : known.sort();
}

function textOfCode(type: FieldType, names: Names, { agent, use }: NonNullable<Names["ofCode"]>): string {
  switch (type.kind) {
    case "result":
      return `${use("Output")}<typeof ${agent(type.agent)}, ${names.literal(type.key)}>`;
    case "asked":
      return `${use("Input")}<typeof ${agent(type.agent)}, ${names.literal(type.key)}>`;
    case "item":
      return `${use("Item")}<${typeMembers(type.of, names).join(" | ")}>`;
    case "receipt":
      if (type.entry === null) return use("Receipt");
      return type.entry === "mode"
        ? `${use("Receipt")}["mode"]`
        : type.entry === "count"
          ? "number"
          : "string";
    case "field":
      return fieldText(type, names);
    default:
      return "unknown";
  }
}

function fieldText({ graph, name, as }: FieldOfGraph, { literal, ofCode }: Names): string {
  const isInput = as === "input" || as === "optional-input";
  const owner = isInput ? ofCode?.input(graph) : ofCode?.state(graph);
  if (owner === undefined || owner === null) return "unknown";
  if (as === "input") return `${owner}[${literal(name)}]`;
  if (as === "each") return `${ofCode?.use("EachState")}<${owner}>[${literal(name)}]`;
  if (as === "each-with-gaps") return `${ofCode?.use("EachState")}<Partial<${owner}>>[${literal(name)}]`;
  return `Exclude<${owner}[${literal(name)}], undefined>`;
}

function listText(texts: readonly string[]): string {
  const items = sortedTypes(texts);
  const [only = "unknown"] = items;
  const isOne = items.length < 2 && /^[\w.]+(?:<.*>)?$|^\{.*\}$|^"[^"]*"$/.test(only);
  return isOne ? `readonly ${only}[]` : `readonly (${items.join(" | ")})[]`;
}

interface Printed {
  readonly texts: readonly string[];
  /** Null for no list, and for one whose items only code knows. */
  readonly items: readonly string[] | null;
}

/** Leaves out a list type that another one includes. Of two with the same items the first stays. */
function unionMembers(members: readonly FieldType[], names: Names): readonly string[] {
  const printed = members.map((type): Printed => {
    const items = type.kind === "items" ? membersOf(type.of) : itemsOfSheet(type);
    return {
      texts: typeMembers(type, names),
      items: items === null ? null : items.flatMap((item) => typeMembers(item, names)),
    };
  });
  const lists = printed.filter(({ items }) => items !== null);
  const isPart = (one: Printed): boolean =>
    lists.some(
      (list, i) => list !== one && holds(list, one) && (i < lists.indexOf(one) || !holds(one, list)),
    );
  return sortedTypes(printed.filter((one) => !isPart(one)).flatMap(({ texts }) => texts));
}

const holds = ({ items: all }: Printed, { items }: Printed): boolean =>
  items?.every((item) => all?.includes(item) || all?.includes("unknown")) === true;

function itemsOfSheet(type: FieldType): readonly FieldType[] | null {
  if (type.kind === "list") return [{ kind: "unknown" }];
  return type.kind === "list-of" ? [{ kind: type.item }] : null;
}

const ORDER = ["string", "number", "boolean"];

/** Sorted, so that the order of rows changes no type. */
function sortedTypes(types: readonly string[]): readonly string[] {
  const distinct = [...new Set(types)];
  if (distinct.length === 0 || distinct.includes("unknown")) return ["unknown"];
  const rank = (type: string): number => {
    const index = ORDER.indexOf(type);
    return index === -1 ? ORDER.length : index;
  };
  return distinct.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
