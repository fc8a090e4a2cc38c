import type { FieldType } from "../ir.js";
import { KIND_TYPES, type Kind } from "../types/kinds.js";
import { FUNCTIONS } from "./functions.js";
import type { Expression } from "./tree.js";

const ARITHMETIC: ReadonlySet<string> = new Set(["+", "-", "*", "/", "^"]);
/** They take lists, too: one value alone may be a list, of several each is a number as in `MIN(cost, limit)`. */
const COUNTING: ReadonlySet<string> = new Set(["MIN", "MAX", "SUM", "AVERAGE"]);
const CONDITIONS: ReadonlySet<string> = new Set(["AND", "OR", "NOT"]);

/**
 * The type that each name must have wherever a formula stands, as far as its text shows: `amount * 2` needs a number.
 * A name that is used as several types has none. Linear.
 */
export function demandsOf(tree: Expression): ReadonlyMap<string, FieldType> {
  const found = new Map<string, Set<Kind>>();
  demand(tree, null, (name, kind) => {
    const kinds = found.get(name) ?? new Set<Kind>();
    kinds.add(kind);
    found.set(name, kinds);
  });
  const sure = [...found].flatMap(([name, [kind, another]]) =>
    kind === undefined || another !== undefined ? [] : [[name, KIND_TYPES[kind]] as const],
  );
  return new Map(sure);
}

type Note = (name: string, kind: Kind) => void;

function demand(tree: Expression, kind: Kind | null, note: Note): void {
  switch (tree.kind) {
    case "literal":
      return;
    case "name":
      if (kind !== null && tree.path.length === 1) note(tree.path[0] as string, kind);
      return;
    case "unary":
      demand(tree.of, "number", note);
      return;
    case "binary":
      for (const side of [tree.left, tree.right]) demand(side, sideKind(tree), note);
      return;
    case "call":
      for (const [i, arg] of tree.args.entries()) demand(arg, argKind(tree, i, kind), note);
  }
}

/** Values are compared with a number only when they are numbers. Text may be compared with what is unset. */
function sideKind({ sign, left, right }: Extract<Expression, { kind: "binary" }>): Kind | null {
  if (ARITHMETIC.has(sign)) return "number";
  return sign !== "&" && (isNumeric(left) || isNumeric(right)) ? "number" : null;
}

const isNumeric = (tree: Expression): boolean =>
  tree.kind === "unary" ||
  (tree.kind === "literal" && typeof tree.value === "number") ||
  (tree.kind === "binary" && ARITHMETIC.has(tree.sign));

/** A function that gives one of its values on asks of it what is asked of the function. */
function argKind(
  { name, args }: Extract<Expression, { kind: "call" }>,
  i: number,
  kind: Kind | null,
): Kind | null {
  if (CONDITIONS.has(name)) return "boolean";
  if (COUNTING.has(name)) return args.length > 1 ? "number" : null;
  if (name === "IF") return i === 0 ? "boolean" : kind;
  if (name === "IFS") return i % 2 === 0 ? "boolean" : kind;
  if (name === "IFBLANK") return kind ?? (args.some(isNumeric) ? "number" : null);
  return FUNCTIONS.get(name)?.kindAt?.(i) ?? null;
}
