import type { Expression } from "./tree.js";

const DECIDING: ReadonlySet<string> = new Set([
  "AND",
  "OR",
  "NOT",
  "ISBLANK",
  "ISNUMBER",
  "CONTAINS",
  "EXACT",
]);
const COMPARING: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);

/** Whether a formula says TRUE or FALSE, as its text shows; `isBoolean` knows the names that are annotated so. */
export function saysTruth(tree: Expression, isBoolean: (path: readonly string[]) => boolean): boolean {
  const says = (one: Expression | undefined): boolean => one !== undefined && saysTruth(one, isBoolean);
  switch (tree.kind) {
    case "literal":
      return typeof tree.value === "boolean";
    case "name":
      return isBoolean(tree.path);
    case "binary":
      return COMPARING.has(tree.sign);
    case "call":
      if (DECIDING.has(tree.name)) return true;
      if (tree.name === "IF") return says(tree.args[1]) && says(tree.args[2]);
      if (tree.name === "IFBLANK") return says(tree.args[1]);
      if (tree.name === "IFS") return tree.args.every((one, i) => i % 2 === 0 || says(one));
      return tree.name === "SWITCH" && says(tree.args[2]);
    default:
      return false;
  }
}

/** Calls back for a tree and all its parts. */
export function walkFormula(tree: Expression, see: (part: Expression) => void): void {
  see(tree);
  if (tree.kind === "unary") walkFormula(tree.of, see);
  else if (tree.kind === "binary") {
    walkFormula(tree.left, see);
    walkFormula(tree.right, see);
  } else if (tree.kind === "call") for (const arg of tree.args) walkFormula(arg, see);
}
