import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkFormula } from "../../compiler/formula/check.js";
import { FUNCTIONS } from "../../compiler/formula/functions.js";
import { parseFormula } from "../../compiler/formula/parse.js";
import { linkCompute } from "../../runtime/graph/link/compute.js";

const PAGE = "docs/formulas.md";
const [OPEN, CLOSE] = ["<!-- functions -->\n", "<!-- /functions -->"];

const TARIFF = {
  rows: [
    { cells: ["weight", "price"], number: 1 },
    { cells: ["10", "4.9"], number: 2 },
  ],
  isWorksheet: false,
};

const cell = (text: string): string => text.replaceAll("|", "\\|");

function table(): string {
  const rows = [...FUNCTIONS.values()].map(
    ({ signature, about, example: [formula, value] }) =>
      `| \`${cell(signature)}\` | ${cell(about)} | \`${cell(formula)}\` is \`${cell(value)}\` |`,
  );
  return `| function | gives | example |\n|---|---|---|\n${rows.join("\n")}\n`;
}

test("the page on formulas has every function, as the table of the code says it", () => {
  const page = readFileSync(PAGE, "utf8");
  const start = page.indexOf(OPEN) + OPEN.length;
  const wanted = `${page.slice(0, start)}${table()}${page.slice(page.indexOf(CLOSE))}`;
  if (process.env["GOLDEN"] === "write") writeFileSync(PAGE, wanted);
  else expect(page).toBe(wanted);
});

test.each([...FUNCTIONS.values()])(
  "the example of $name gives what it says",
  ({ example: [formula, value] }) => {
    const parsed = parseFormula(formula);
    if (!("tree" in parsed)) throw new Error(parsed.fault.message);
    const { faults, tree } = checkFormula(parsed.tree, {
      text: formula,
      nameOf: () => null,
      names: [],
      table: () => TARIFF,
    });
    expect(faults).toEqual([]);
    const clock = { $today: "2026-11-22", $now: "2026-11-22T10:36:00.000Z" };
    const found =
      tree === null ? null : linkCompute(tree)(clock, { "tariff.csv": [{ weight: "10", price: "4.9" }] });
    expect(typeof found === "boolean" ? String(found).toUpperCase() : String(found)).toBe(value);
  },
);
