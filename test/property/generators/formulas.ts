/** Random formulas, of a type where they are to be right. */

export interface Chance {
  /** From 0 up to a limit. */
  readonly below: (limit: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

/** The same numbers for the same seed. */
export function chanceOf(seed: number): Chance {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (list) => list[below(list.length)] as never };
}

export type Wanted = "number" | "text" | "boolean" | "numbers" | "texts";

/** The inputs of all random formulas, as a sheet names them. */
export const INPUTS =
  "a:number|b:number|limit?:number|note:string|alt?:string|vip:boolean|flag?:boolean|level:'low'/'high'|nums:number[]|tags:string[]|rows:object[]|order:object|any:any|order-id:string";

const NAMES: { readonly [wanted in Wanted]: readonly string[] } = {
  number: ["a", "b", "a", "limit", "order.total", "any"],
  text: ["note", "level", "alt", "order.name", "any", "'order-id'"],
  boolean: ["vip", "flag", "vip", "order.ok"],
  numbers: ["nums"],
  texts: ["tags"],
};

const WORDS = [
  "high",
  "LOW",
  "",
  "a,b,c",
  'say ""x""',
  "2026-01-31",
  "12.5",
  "ß é 😀",
  "$" + "{x}",
  "`",
  "\\\\",
  "</script>",
];

/** Ends of months, and leap years. */
const DATES = ["2023-12-31", "2024-02-29", "2025-02-28", "2026-01-31", "2026-03-30", "2026-11-22"];

/** A formula of a type, in all shapes that the grammar has. */
export function formula(chance: Chance, wanted: Wanted, depth: number): string {
  const { below, pick } = chance;
  const of = (type: Wanted): string => formula(chance, type, depth - 1);
  if (depth <= 0 || below(5) === 0) return leaf(chance, wanted);
  const shared = (): string =>
    pick([
      () => `IF(${of("boolean")}, ${of(wanted)}, ${of(wanted)})`,
      () => `IFBLANK(${of(wanted)}, ${of(wanted)})`,
      () => `IF(ISBLANK(${pick(NAMES[wanted])}), ${of(wanted)}, ${of(wanted)})`,
      () => `IF(NOT(ISBLANK(limit)), ${of(wanted)}, ${of(wanted)})`,
      () => `IFS(${of("boolean")}, ${of(wanted)}, TRUE, ${of(wanted)})`,
      () =>
        `SWITCH(${pick(["a", "b"])}, ${below(3)}, ${of(wanted)}, ${below(3)}, ${of(wanted)}, ${of(wanted)})`,
      () => `SWITCH(${pick(["note", "level"])}, ${leaf(chance, "text")}, ${of(wanted)}, ${of(wanted)})`,
      () => `(${of(wanted)})`,
    ])();
  if (below(4) === 0) return shared();
  return pick(SHAPES[wanted])(of, chance);
}

type Shape = (of: (type: Wanted) => string, chance: Chance) => string;

const SHAPES: { readonly [wanted in Wanted]: readonly Shape[] } = {
  number: [
    (of, { pick }) => `${of("number")} ${pick(["+", "-", "*", "/", "^"])} ${of("number")}`,
    (of, { pick }) => `${of("number")}${pick(["+", "-", "*", "/"])}${of("number")}`,
    (of) => `-${of("number")}`,
    (of) => `(${of("number")})%`,
    (of) => `LEN(${of("text")})`,
    (of) => `VALUE(${of("text")})`,
    (of, { below }) => `ROUND(${of("number")}, ${below(4) - 1})`,
    (of, { pick }) => `${pick(["INT", "ABS"])}(${of("number")})`,
    (of) => `MOD(${of("number")}, ${of("number")})`,
    (of, { pick }) => `${pick(["MIN", "MAX", "SUM", "AVERAGE", "COUNT"])}(${of("number")}, ${of("numbers")})`,
    (of) => `INDEX(${of("numbers")}, ${of("number")})`,
    () => 'DATEDIF("2026-01-01", TODAY(), "D")',
    (_of, { pick }) => `DATEDIF("${pick(DATES)}", "${pick(DATES)}", "${pick(["D", "M", "Y"])}")`,
    (of) => `COUNT(FILTERBY(rows, "n", ">" & ${of("number")}))`,
  ],
  text: [
    (of) => `${of("text")} & ${of("text")}`,
    (of) => `${of("text")} & ${of("number")} & ${of("boolean")}`,
    (of, { pick }) => `${pick(["LOWER", "UPPER", "TRIM"])}(${of("text")})`,
    (of) => `LEFT(${of("text")}, ${of("number")})`,
    (of) => `RIGHT(${of("text")})`,
    (of, { below }) => `MID(${of("text")}, ${below(3)}, ${of("number")})`,
    (of) => `SUBSTITUTE(${of("text")}, ${of("text")}, ${of("text")})`,
    (of) => `TEXTJOIN(",", ${of("boolean")}, ${of("texts")}, ${of("number")})`,
    (of, { pick }) =>
      `TEXT(${of("number")}, "${pick(["0", "0.00", "#,##0", "#,##0.00", "000", "0%", "0.0%"])}")`,
    (_of, { below, pick }) => `DATEADD(TODAY(), ${below(100) - 50}, "${pick(["D", "M", "Y"])}")`,
    (_of, { below, pick }) => `DATEADD("${pick(DATES)}", ${below(40) - 20}, "${pick(["D", "M", "Y"])}")`,
    (_of, { pick }) => `TEXT("${pick(DATES)}", "${pick(["dd.mm.yyyy", "yyyy-mm-dd"])}")`,
    (of) => `INDEX(${of("texts")}, ${of("number")})`,
    (of) => `JSON(${of("numbers")})`,
    () => "NOW()",
  ],
  boolean: [
    (of, { pick }) => `${of("number")} ${pick(["=", "<>", "<", "<=", ">", ">="])} ${of("number")}`,
    (of, { pick }) => `${of("text")} ${pick(["=", "<>", "<", ">"])} ${of("text")}`,
    (of, { pick }) => `${of("boolean")} ${pick(["=", "<>"])} ${of("boolean")}`,
    (of, { pick }) => `${pick(["AND", "OR"])}(${of("boolean")}, ${of("boolean")}, ${of("boolean")})`,
    (of, { pick }) => `${pick(["AND", "OR"])}(${of("boolean")}, ${of("boolean")})`,
    (of) => `NOT(${of("boolean")})`,
    (_of, { pick }) => `ISBLANK(${pick(["limit", "alt", "flag", "any", "order.total"])})`,
    (_of, { pick }) => `NOT(ISBLANK(${pick(["limit", "alt", "flag"])}))`,
    (of, { pick }) => `${pick(["a", "b", "limit"])} = ${pick(["1", "2", "b", of("number")])}`,
    (of) => `CONTAINS(${of("text")}, ${of("text")})`,
    (of) => `EXACT(${of("text")}, ${of("text")})`,
    (_of, { pick }) => `ISNUMBER(${pick(["any", "order.total", "limit"])})`,
  ],
  numbers: [(of) => `SORT(${of("numbers")})`, (of) => `UNIQUE(${of("numbers")})`],
  texts: [
    (of) => `SPLIT(${of("text")}, ",")`,
    (of) => `SORT(${of("texts")})`,
    (of) => `UNIQUE(${of("texts")})`,
  ],
};

function leaf({ below, pick }: Chance, wanted: Wanted): string {
  if (below(3) > 0 || wanted === "numbers" || wanted === "texts") return pick(NAMES[wanted]);
  if (wanted === "number") return pick(["0", "1", "2", "1.19", ".5", "1e3", "100", "3%", "-7", "0.1"]);
  if (wanted === "text") return `"${pick(WORDS)}"`;
  return pick(["TRUE", "FALSE"]);
}

/** Pieces of formulas, and of code that none may become. */
const PIECES =
  'a b limit note vip order.total order .  1 2.5 1e400 "text" "un 0 ( ) ( ) , ; + - * / ^ & = <> < <= > >= % IF( AND( LEN( ISBLANK( toString constructor __proto__ prototype process.exit(1) require("fs") eval("1") globalThis this new => { } [ ] ` \\u0024{a} \\ // /* */ \\u0000 ; import await function ( ) undefined NaN Infinity null 0x10 1n \'x\' \' # @ ! ~ | || && ?? ?. ... a.constructor a.__proto__ \u202e \u2028 </script> = == === \n'.split(
    " ",
  );

export function hostileFormula({ below, pick }: Chance): string {
  const count = 1 + below(12);
  return Array.from({ length: count }, () => pick(PIECES)).join(pick(["", " "]));
}

/** A formula with one piece of it exchanged, left out or doubled. */
export function brokenFormula(chance: Chance, text: string): string {
  const { below, pick } = chance;
  const at = below(text.length);
  const end = Math.min(text.length, at + below(4));
  return text.slice(0, at) + pick(["", pick(PIECES), text.slice(at, end).repeat(2)]) + text.slice(end);
}
