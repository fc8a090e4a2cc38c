import { type FieldType, isOpen, listOf, NUMBER, STRING, UNKNOWN } from "./field-type.js";
import { formatType } from "./format-type.js";

/** The union without repetitions; unknown beside anything is unknown, any likewise. */
export function unionOf(types: readonly FieldType[]): FieldType {
  const [only = UNKNOWN] = types;
  if (only.kind !== "union" && types.every((type) => type === only)) return only;
  const members = new Map<string, FieldType>();
  for (const type of types.flatMap((one) => (one.kind === "union" ? one.members : [one])))
    members.set(formatType(type), type);
  const all = [...members.values()];
  const [first] = all;
  if (first === undefined) return UNKNOWN;
  if (all.length === 1) return first;
  return (
    all.find(({ kind }) => kind === "unknown") ??
    all.find(({ kind }) => kind === "any") ?? { kind: "union", members: all }
  );
}

/** A list of items that nobody knows may fit any list: then nothing is known of it, either. */
export function mergedType(
  merge: "append" | "last" | "sum",
  written: readonly FieldType[],
  held: readonly FieldType[],
): FieldType {
  if (merge === "sum") return NUMBER;
  const item = unionOf([...written.map(plainType), ...held.flatMap(heldItems).map(plainType)]);
  return isOpen(item) ? UNKNOWN : listOf(item);
}

const plainType = (type: FieldType): FieldType => {
  if (type.kind === "union") return unionOf(type.members.map(plainType));
  return type.kind === "choice" ? STRING : type;
};

/** What a value that is held adds to a list: its items, or itself when it is no list. */
function heldItems(type: FieldType): readonly FieldType[] {
  if (type.kind === "union") return type.members.flatMap(heldItems);
  if (type.kind === "list") return [UNKNOWN];
  return type.kind === "list-of" ? [{ kind: type.item }] : [type];
}
