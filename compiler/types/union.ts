import { type FieldOfGraph, type FieldType, isOpen, listOf, STRING, UNKNOWN } from "./field-type.js";
import { formatType } from "./format-type.js";

/** `unknown` and `any` absorb all other members. */
export function unionOf(types: readonly FieldType[]): FieldType {
  const [only = UNKNOWN] = types;
  if (only.kind !== "union" && types.every((type) => type === only)) return only;
  const members = new Map<string, FieldType>();
  for (const type of types.flatMap(membersOf)) members.set(keyOf(type), type);
  const all = [...members.values()];
  const [first] = all;
  if (first === undefined) return UNKNOWN;
  if (all.length === 1) return first;
  return (
    all.find(({ kind }) => kind === "unknown") ??
    all.find(({ kind }) => kind === "any") ?? { kind: "union", members: all }
  );
}

export const membersOf = (type: FieldType): readonly FieldType[] =>
  type.kind === "union" ? type.members : [type];

const keyOf = (type: FieldType): string => (isOfCode(type) ? JSON.stringify(type) : formatType(type));

const OF_CODE: ReadonlySet<string> = new Set("result asked receipt field items item all null".split(" "));

const isOfCode = ({ kind }: FieldType): boolean => OF_CODE.has(kind);

/** The list that a merge makes of the values from branches, and of the value before the split. */
export const mergedList = (written: readonly FieldType[], held: readonly FieldType[]): FieldType => ({
  kind: "items",
  of: unionOf([...written, ...held.flatMap(itemsOf)]),
});

/** The types of a list's items; a value that is no list is one item itself. */
function itemsOf(type: FieldType): readonly FieldType[] {
  switch (type.kind) {
    case "union":
      return type.members.flatMap(itemsOf);
    case "list":
      return [UNKNOWN];
    case "list-of":
      return [{ kind: type.item }];
    case "items":
      return membersOf(type.of);
    case "result":
    case "field":
      return [{ kind: "item", of: type }];
    default:
      return [type];
  }
}

/**
 * The type in words that a sheet has. A list of unknown items becomes `unknown`: it may fit every type of list.
 */
export function sheetType(type: FieldType): FieldType {
  switch (type.kind) {
    case "result":
    case "asked":
    case "receipt":
      return UNKNOWN;
    case "field":
      return type.known;
    case "items": {
      const items = membersOf(type.of).filter(({ kind }) => kind !== "null");
      const item = unionOf(items.map((one) => withoutChoices(sheetType(one))));
      return isOpen(item) ? UNKNOWN : listOf(item);
    }
    case "item":
      return unionOf(itemsOf(sheetType(type.of)));
    case "all":
      return sheetType(type.members[0] ?? UNKNOWN);
    case "union":
      return type.members.some(isOfCode) ? unionOf(type.members.map(sheetType)) : type;
    default:
      return type;
  }
}

function withoutChoices(type: FieldType): FieldType {
  if (type.kind === "union") return unionOf(type.members.map(withoutChoices));
  return type.kind === "choice" ? STRING : type;
}

export const isFieldOfGraph = (type: FieldType): type is FieldOfGraph => type.kind === "field";

/** The members of an intersection; null for any other type. */
export const allOf = (type: FieldType): readonly FieldType[] | null =>
  type.kind === "all" ? type.members : null;

export function fieldsIn(type: FieldType): readonly FieldOfGraph[] {
  const found: FieldOfGraph[] = [];
  replaceFields(type, (field) => {
    found.push(field);
    return field;
  });
  return found;
}

export function replaceFields(type: FieldType, replace: (field: FieldOfGraph) => FieldType): FieldType {
  switch (type.kind) {
    case "field":
      return replace(type);
    case "items":
      return { kind: "items", of: replaceFields(type.of, replace) };
    case "item":
      return unionOf(itemsOf(replaceFields(type.of, replace)));
    case "union":
      return unionOf(type.members.map((member) => replaceFields(member, replace)));
    case "all":
      return { kind: "all", members: type.members.map((member) => replaceFields(member, replace)) };
    default:
      return type;
  }
}
