import type { Expression } from "../../compiler/formula/tree.js";
import { compare } from "../../runtime/graph/formula/compare.js";
import { type Case, GIVES_NOTHING, outcomeAt, treeOfCase, valueAt } from "./cases.js";
import type { OfficeValue } from "./office.js";
import { partsOf } from "./translate.js";

/** A rule of formulas that says otherwise than LibreOffice does, and how it is seen in a case. */
interface Exclusion {
  readonly rule: string;
  readonly why: string;
  readonly meets: (one: Case, theirs: OfficeValue) => boolean;
}

function everyPart(tree: Expression): readonly Expression[] {
  return [tree, ...partsOf(tree).flatMap(everyPart)];
}

const somePart = (one: Case, meets: (part: Expression) => boolean): boolean =>
  everyPart(treeOfCase(one)).some(meets);

const throwsWith = ({ ours }: Case, pattern: RegExp): boolean =>
  "throws" in ours && pattern.test(ours.throws);

const isCall = (part: Expression, ...names: readonly string[]): boolean =>
  part.kind === "call" && names.includes(part.name);

const ORDERS: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);
const COLLATOR = new Intl.Collator("en");

/** Texts that have other lengths where an emoji counts as one character. */
const hasPair = (value: unknown): boolean => typeof value === "string" && /[\ud800-\udfff]/.test(value);

const isBinary = (part: Expression, ...signs: readonly string[]): boolean =>
  part.kind === "binary" && signs.includes(part.sign);

const areUnlike = (one: unknown, other: unknown): boolean =>
  typeof one !== typeof other &&
  [one, other].every((value) => typeof value === "number" || typeof value === "boolean");

export const EXCLUSIONS: readonly Exclusion[] = [
  {
    rule: "8.1 comparison",
    why: "numbers compare exactly; LibreOffice takes near ones for equal, and a small difference for 0",
    meets: (one) =>
      somePart(one, (part) => {
        if (part.kind !== "binary") return false;
        const [left, right] = [valueAt(one, part.left), valueAt(one, part.right)];
        if (typeof left !== "number" || typeof right !== "number") return false;
        const [difference, size] = [Math.abs(left - right), Math.max(Math.abs(left), Math.abs(right))];
        const sum = part.sign === "+" ? Math.abs(left + right) : difference;
        return sum !== 0 && sum < size * 1e-13;
      }),
  },
  {
    rule: "8.1 rest",
    why: "MOD is the rest of the doubles, or nothing; LibreOffice takes it from a rounded quotient, and refuses large ones",
    meets: (one) =>
      somePart(one, (part) => {
        if (!isCall(part, "MOD")) return false;
        const [left, right] = partsOf(part).map((of) => valueAt(one, of)) as [unknown, unknown];
        if (typeof left !== "number" || typeof right !== "number") return false;
        const isExact = Number.isSafeInteger(left) && Number.isSafeInteger(right);
        return !isExact;
      }),
  },
  {
    rule: "8.1 rounding",
    why: 'the shortest decimal is rounded: TEXT(1.005, "0%") is 101%; LibreOffice writes 15 digits, then zeros',
    meets: (one) =>
      somePart(one, (part) => {
        const [of] = partsOf(part);
        if (!isCall(part, "TEXT", "ROUND") || of === undefined) return false;
        const value = valueAt(one, of);
        if (typeof value !== "number") return false;
        return (
          hasMoreDigits(value) ||
          (isCall(part, "TEXT") && /5$/.test(String(value)) && !Number.isInteger(value))
        );
      }),
  },
  {
    rule: "8.1 underflow",
    why: "a power too small for a double is 0; LibreOffice refuses it",
    meets: (one, theirs) =>
      "error" in theirs && somePart(one, (part) => isBinary(part, "^") && valueAt(one, part) === 0),
  },
  {
    rule: "3.4 no implicit conversion",
    why: "a value of unknown type is looked at when it is there; LibreOffice takes text as a number, unset as 0, and 1 as TRUE",
    meets: (one) =>
      throwsWith(
        one,
        / needed$|have no order$|which is no number$|TEXT needs a (?:number|date)|gives no value$/,
      ),
  },
  {
    rule: "8.2",
    why: "what is unset stays so behind IF, and is empty text to = and <>; in LibreOffice it is 0 there",
    meets: (one) =>
      somePart(
        one,
        (part) =>
          (isBinary(part, "=", "<>") && partsOf(part).some((of) => isUnset(outcomeAt(one, of)))) ||
          (isCall(part, "IFBLANK") &&
            partsOf(part)
              .slice(0, 1)
              .some((of) => of.kind !== "name" && isUnset(outcomeAt(one, of)))),
      ),
  },
  {
    rule: "8.7",
    why: "texts are ordered by the code points of their small letters, in LibreOffice as in a dictionary",
    meets: (one) =>
      somePart(one, (part) => {
        if (part.kind !== "binary" || !ORDERS.has(part.sign)) return false;
        const [left, right] = [valueAt(one, part.left), valueAt(one, part.right)];
        if (typeof left !== "string" || typeof right !== "string") return false;
        return Math.sign(compare(left, right)) !== Math.sign(COLLATOR.compare(left, right));
      }),
  },
  {
    rule: "8.8",
    why: "a number becomes text as in a prompt: 1e+21; LibreOffice writes 1E+21 with more digits, and 15 digits at most",
    meets: (one) =>
      somePart(one, (part) => {
        const joins = (part.kind === "binary" && part.sign === "&") || isCall(part, "TEXTJOIN");
        return (
          joins &&
          partsOf(part).some((each) => everyPart(each).some((inner) => isLongNumber(valueAt(one, inner))))
        );
      }),
  },
  {
    rule: "8.9",
    why: "a boolean is no number",
    meets: (one) =>
      somePart(one, (part) => {
        const [left, right] = partsOf(part).map((of) => valueAt(one, of));
        if (isCall(part, "ISNUMBER")) return typeof left === "boolean";
        return isBinary(part, "=", "<>") && areUnlike(left, right);
      }),
  },
  {
    rule: "8.10",
    why: "AND and OR stop early; LibreOffice also computes what comes then",
    meets: (one) =>
      somePart(
        one,
        (part) => isCall(part, "AND", "OR") && partsOf(part).some((of) => fails(outcomeAt(one, of))),
      ),
  },
  {
    rule: "8.11 COUNT",
    why: "COUNT counts values, and what fails, fails; COUNTA of LibreOffice counts errors",
    meets: (one) =>
      somePart(one, (part) => isCall(part, "COUNT") && partsOf(part).some((of) => fails(outcomeAt(one, of)))),
  },
  {
    rule: "8.11",
    why: "what Excel refuses throws: LibreOffice takes 0 ^ 0 for 1, and item 0 for the whole list",
    meets: (one) => throwsWith(one, /0 \^ 0 has no value|INDEX is asked for item 0 /),
  },
  {
    rule: "8.13",
    why: "characters are UTF-16 units, and UPPER is that of JavaScript",
    meets: (one) =>
      somePart(
        one,
        (part) =>
          (isCall(part, "LEN", "LEFT", "RIGHT", "MID") &&
            partsOf(part).some((of) => hasPair(valueAt(one, of)))) ||
          (isCall(part, "UPPER") && partsOf(part).some((of) => String(valueAt(one, of)).includes("ß"))),
      ),
  },
  {
    rule: "8.14",
    why: "VALUE takes digits, a point, a sign and an exponent; LibreOffice also takes dates, percents and thousands",
    meets: (one) => throwsWith(one, /VALUE finds no number/),
  },
];

const fails = (outcome: ReturnType<typeof outcomeAt>): boolean => outcome !== null && "throws" in outcome;

const isUnset = (outcome: ReturnType<typeof outcomeAt>): boolean =>
  outcome !== null && "throws" in outcome && outcome.throws === GIVES_NOTHING;

/** Its text in a prompt is not the one of LibreOffice. */
const isLongNumber = (value: unknown): boolean =>
  typeof value === "number" && (/e/.test(String(value)) || hasMoreDigits(value));

/** More digits than LibreOffice writes. */
const hasMoreDigits = (value: number): boolean =>
  String(value)
    .replace(/e.*/, "")
    .replace(/\D/g, "")
    .replace(/^0+|0+$/g, "").length > 15;

export const exclusionOf = (one: Case, theirs: OfficeValue): string | null =>
  EXCLUSIONS.find(({ meets }) => meets(one, theirs))?.rule ?? null;
