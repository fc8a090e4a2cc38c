import { expect, test } from "vitest";
import { linkCompute } from "../../runtime/graph/link/compute.js";
import { howMany, inCi } from "../how-many.js";
import { accepted, graphOf, inputs } from "../property/generators/formula-sheets.js";
import { chanceOf, formula } from "../property/generators/formulas.js";
import { firstSeed } from "../seed.js";
import { type Case, outcomeOf, translated, workbookOf } from "./cases.js";
import { EXCLUSIONS, exclusionOf } from "./exclusions.js";
import { converted, hasOffice, type OfficeValue, valuesIn } from "./office.js";
import { isShared, treeOf } from "./translate.js";

const CASES = howMany(10_000, 200, "ORACLE_RUNS");
const BATCH = 2_500;

/** Right formulas that LibreOffice can compute, each with inputs and our own value. */
function casesOf(count: number): readonly Case[] {
  const cases: Case[] = [];
  for (let seed = firstSeed; cases.length < count; seed++) {
    const chance = chanceOf(seed);
    const made = Array.from({ length: 1_000 }, () =>
      formula(chance, chance.pick(["number", "text", "boolean"] as const), 1 + chance.below(4)),
    ).filter((text) => isShared(treeOf(text)));
    const right = accepted(made);
    for (const [i, node] of graphOf(right).nodes.entries()) {
      const given = {
        ...inputs(chance),
        any: chance.pick<unknown>([1, 12.5, "x", " 12.5 ", undefined, true]),
      };
      const tree = node.compute?.tree as never;
      cases.push({
        text: right[i] as string,
        inputs: given,
        ours: outcomeOf(() => linkCompute(tree)(given, {})),
      });
    }
  }
  return cases.slice(0, count);
}

/** Numbers of the two may differ in their last digits: LibreOffice adds otherwise, and writes 20 places at most. */
function isAlike({ ours }: Case, theirs: OfficeValue): boolean {
  if ("throws" in ours) return "error" in theirs;
  if ("error" in theirs) return false;
  const { value } = theirs;
  if (typeof ours.value === "boolean") return Number(value) === Number(ours.value);
  if (typeof ours.value === "number" && typeof value === "number")
    return Math.abs(ours.value - value) <= 1e-19 + 1e-12 * Math.max(Math.abs(ours.value), Math.abs(value));
  return ours.value === value;
}

interface Finding {
  readonly asked: string;
  readonly one: Case;
  readonly theirs: OfficeValue;
}

/** What LibreOffice says to each case, and the rule where it may say otherwise. */
function compared(cases: readonly Case[]) {
  const books = new Map<string, Uint8Array>();
  for (let at = 0; at < cases.length; at += BATCH)
    books.set(`batch-${at}.xlsx`, workbookOf(cases.slice(at, at + BATCH)));
  const tally: { [rule: string]: number } = { alike: 0 };
  const differing: Finding[] = [];
  for (const [name, content] of converted(books, "fods")) {
    const from = Number(/\d+/.exec(name)?.[0]);
    const values = valuesIn(content, "Results");
    for (const [i, one] of cases.slice(from, from + BATCH).entries()) {
      const theirs = values.get(i);
      if (theirs === undefined) throw new Error(`${name} has no value of ${one.text}`);
      const rule = isAlike(one, theirs) ? "alike" : exclusionOf(one, theirs);
      if (rule === null) differing.push({ asked: translated(one, i + 1), one, theirs });
      else tally[rule] = (tally[rule] ?? 0) + 1;
    }
  }
  return { tally, differing };
}

// Without it (apt-get install libreoffice-calc-nogui) it is skipped.
test.skipIf(!hasOffice())(
  `R27: LibreOffice computes ${CASES} random formulas as we do`,
  {
    timeout: 900_000,
  },
  () => {
    const { tally, differing } = compared(casesOf(CASES));
    if (inCi) console.info("formulas beside LibreOffice, with what is left out by rule:", tally);
    expect(differing).toEqual([]);
    // What is left out must stay the smaller part.
    expect(tally["alike"]).toBeGreaterThan(CASES * 0.8);
  },
);

test("each rule that leaves something out stands once", () => {
  const rules = EXCLUSIONS.map(({ rule }) => rule);
  expect(new Set(rules).size).toBe(rules.length);
  expect(EXCLUSIONS.filter(({ why }) => why === "")).toEqual([]);
});
