import { parseFormula } from "../../compiler/formula/parse.js";
import type { Expression } from "../../compiler/formula/tree.js";

/** The cell that an input stands in, by the name that a formula has for it; a list stands in two cells. */
export const CELLS: ReadonlyMap<string, string> = new Map(
  [
    ...["a", "b", "limit", "note", "alt", "vip", "flag", "level"],
    ...["order.total", "order.name", "order.ok", "any", "order-id"],
  ].map((name, i) => [name, String.fromCharCode(65 + i)]),
);
export const LISTS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["nums", ["N", "O"]],
  ["tags", ["P", "Q"]],
]);

/** Functions that LibreOffice 7.4 has not: it has no list but a range of cells. */
const NOT_THERE: ReadonlySet<string> = new Set([
  "SPLIT",
  "SORT",
  "UNIQUE",
  "FILTERBY",
  "JSON",
  "LOOKUP",
  "NOW",
]);

/** Whether LibreOffice has all that a formula is made of. */
export function isShared(tree: Expression): boolean {
  return (tree.kind !== "call" || !NOT_THERE.has(tree.name)) && partsOf(tree).every(isShared);
}

export function partsOf(tree: Expression): readonly Expression[] {
  if (tree.kind === "unary") return [tree.of];
  if (tree.kind === "binary") return [tree.left, tree.right];
  return tree.kind === "call" ? tree.args : [];
}

export const treeOf = (text: string): Expression => {
  const parsed = parseFormula(text);
  if ("fault" in parsed) throw new Error(`${text}: ${parsed.fault.message}`);
  return parsed.tree;
};

/** Functions that files name with a prefix. */
const NEWER: ReadonlySet<string> = new Set(["IFS", "SWITCH", "TEXTJOIN"]);

/**
 * A formula as LibreOffice is asked for it, in a row of inputs. Signs, brackets and the order of all parts stay as they
 * are. What has another name there is exchanged; so are the three rules of ours that a spreadsheet has to be told:
 * unset is empty text to `=`, `<>` and `&`; booleans are joined as `true`; dates are text.
 */
export function translation(text: string, row: number, isBoolean: (part: Expression) => boolean): string {
  const within = (tree: Expression): string => {
    const own = rewritten(tree);
    if (own !== null) return own;
    let made = "";
    let at = tree.start;
    for (const part of partsOf(tree)) {
      made += between(tree, at, part.start) + asPart(tree, part);
      at = part.end;
    }
    return made + text.slice(at, tree.end);
  };
  /** What stands between parts is as it is; a newer function has its prefix. */
  const between = (tree: Expression, from: number, to: number): string => {
    const at = tree.kind === "call" && NEWER.has(tree.name) ? tree.nameAt.start : to;
    return from <= at && at < to
      ? `${text.slice(from, at)}_xlfn.${text.slice(at, to)}`
      : text.slice(from, to);
  };
  const asPart = (tree: Expression, part: Expression): string => {
    const isJoined = tree.kind === "binary" && tree.sign === "&";
    const isEqual = tree.kind === "binary" && (tree.sign === "=" || tree.sign === "<>");
    const said = within(part);
    if (
      (isJoined || (tree.kind === "call" && tree.name === "TEXTJOIN" && part !== tree.args[1])) &&
      isBoolean(part)
    )
      return `IF(${said},"true","false")`;
    return (isEqual || isJoined) && part.kind === "name" && !LISTS.has(nameOf(part))
      ? `IF(ISBLANK(${said}),"",${said})`
      : said;
  };
  const rewritten = (tree: Expression): string | null => {
    if (tree.kind === "name") return cellOf(nameOf(tree), row);
    if (tree.kind !== "call") return null;
    const [first, second] = tree.args as readonly [Expression, Expression];
    const arg = (index: number): string => within(tree.args[index] as Expression);
    switch (tree.name) {
      case "IFBLANK":
        return first.kind === "name" ? `IF(ISBLANK(${arg(0)}),${within(second)},${arg(0)})` : `(${arg(0)})`;
      case "CONTAINS":
        return `OR(LEN(${arg(1)})=0,LEN(SUBSTITUTE(LOWER(${arg(0)}),LOWER(${arg(1)}),""))<LEN(${arg(0)}))`;
      case "COUNT":
        return `COUNTA(${tree.args.map(within).join(",")})`;
      case "INDEX":
        return `INDEX(${arg(0)},1,${arg(1)})`;
      case "TODAY":
        return '"2026-11-22"';
      case "DATEDIF":
        return `DATEDIF(DATEVALUE(${arg(0)}),DATEVALUE(${arg(1)}),${arg(2)})`;
      case "DATEADD":
        return dateAdd(arg(0), arg(1), arg(2));
      default:
        return null;
    }
  };
  return within(treeOf(text));
}

export const nameOf = (tree: Extract<Expression, { kind: "name" }>): string => tree.path.join(".");

function cellOf(name: string, row: number): string {
  const list = LISTS.get(name);
  if (list !== undefined) return `Inputs!$${list[0]}$${row}:$${list[1]}$${row}`;
  const column = CELLS.get(name);
  if (column === undefined) throw new Error(`no cell holds ${name}`);
  return `Inputs!$${column}$${row}`;
}

function dateAdd(date: string, count: string, unit: string): string {
  const months = unit === '"Y"' ? `(${count})*12` : count;
  const later = unit === '"D"' ? `DATEVALUE(${date})+TRUNC(${count})` : `EDATE(DATEVALUE(${date}),${months})`;
  return `TEXT(${later},"yyyy-mm-dd")`;
}
