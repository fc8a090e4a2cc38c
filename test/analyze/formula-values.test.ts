import { describe, expect, test } from "vitest";
import { linkCompute } from "../../runtime/graph/link/compute.js";
import { INPUTS } from "../property/generators/formulas.js";
import { understandText } from "../world.js";

const GIVEN = {
  ...{ a: 12.5, b: 3, note: "Ada", vip: true, level: "low", nums: [3, 1, 2], tags: ["b", "a", "B"] },
  ...{ rows: [{ n: 5 }, { n: 200 }], order: { total: 10, name: "x" }, "order-id": "7" },
  ...{ $today: "2026-11-22", $now: "2026-11-22T10:36:00.000Z" },
};

/** The value of a formula, or what it throws. */
function computed(formula: string, given: object = {}): unknown {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const { graphs, diagnostics } = understandText(
    `graph_name,node_name,agent_type,input_fields,output_field,prompt\ng,A,formula,${cell(INPUTS)},x,${cell(formula)}\n`,
  );
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return errors.map(({ code }) => code).join(" ");
  try {
    return linkCompute(graphs[0]?.nodes[0]?.compute?.tree as never)({ ...GIVEN, ...given }, {});
  } catch (thrown) {
    return String(thrown).replace("AgentError: ", "throws ");
  }
}

/** Each line of the contract, beside what the properties and the examples of the functions hold. */
describe("values of formulas", () => {
  test.each([
    // Signs.
    ["-2^2", 4],
    ["2^3^2", 64],
    ["-b%", -0.03],
    ["+b", 3],
    ["1e3 + .5", 1000.5],
    ["0.1 + 0.2 = 0.3", false],
    ['"DE" = "de"', true],
    ['"Z" < "a"', false],
    ['"apple" < "Banana"', true],
    ['a & "/" & vip', "12.5/true"],
    ['limit & "x"', "x"],
    ['limit = ""', true],
    ['IF(b > 2; "more"; "less")', "more"],
    ["10 / (b - 3)", "throws a division by zero"],
    ["0 ^ (b - 3)", "throws 0 ^ 0 has no value"],
    ["(b - 4) ^ .5", "throws -1 ^ 0.5 gives no number"],
    ["ROUND(a, 1000000000)", 12.5],
    ['TEXT(b * 1E307, "0.00")', `3${"0".repeat(307)}.00`],
    ["ROUND(1E308 * 1, 2) = 1E308", true],
    ["ROUND(-0.2 * b, 0)", -1],
    ["1 / ROUND(-0.1 * b, 0)", "throws a division by zero"],
    // What is too large for a number never becomes a value.
    ['"x" & a * 1E308', "throws a part of the formula gives no number"],
    ["-(a * 1E308) & 1", "throws a part of the formula gives no number"],
    ['IF(vip, a * 1E308, b) & ""', "throws a part of the formula gives no number"],
    ['b * 2 & "/" & b / 3 & "/" & ROUND(a, 0)', "6/1/13"],
    ["JSON(a * 1E308)", "throws JSON gives no number"],
    ['TEXT(a * 1E308, "0")', "throws TEXT gives no number"],
    ['TEXTJOIN("-", TRUE, a * 1E308)', "throws TEXTJOIN gives no number"],
    ["MIN(a * 1E308, 5)", "throws MIN gives no number"],
    ["COUNT(a * 1E308)", "throws COUNT gives no number"],
    ["1 / (a * 1E308)", "throws the division gives no number"],
    ["2 ^ (-a * 1E308)", "throws 2 ^ -Infinity gives no number"],
    ["MOD(5, a * 1E308)", "throws MOD gives no number"],
    ["INDEX(nums, a * 1E308 - a * 1E308)", "throws INDEX is asked for item NaN of a list of 3"],
    ['LEFT("abc", a * 1E308 - a * 1E308)', "throws LEFT is asked for NaN characters"],
    [
      'MID("abc", a * 1E308 - a * 1E308, 1)',
      "throws MID begins at NaN: the first character has the number 1",
    ],
    ['SUBSTITUTE("a", "a", "b", a * 1E308)', "throws SUBSTITUTE gives no number"],
    ['DATEADD("2026-01-31", a * 1E308, "M")', "throws DATEADD leaves the years 1 to 9999"],
    // Conditions.
    ["IFS(b > 9, 1)", "throws IFS finds nothing that fits"],
    ['SWITCH(note, "x", 1)', "throws SWITCH finds nothing that fits"],
    ["OR(vip, 1 / (b - 3) > 1)", true],
    ["AND(NOT(vip), 1 / (b - 3) > 1)", false],
    ["ISBLANK(alt)", true],
    ['IFBLANK(alt, "none")', "none"],
    ["IF(ISBLANK(limit), 0, limit * 2)", 0],
    ["IF(b > 2, 1)", "formula-type"],
    ["IF(b, 1, 2)", "formula-type"],
    ["vip + 1", "formula-type"],
    ["limit * 2", "maybe-unset"],
    // Text.
    ['LEN("😀")', 2],
    ['UPPER("ß")', "SS"],
    ["LEFT(note)", "A"],
    ["RIGHT(note, 2)", "da"],
    ["RIGHT(note, 0)", ""],
    ["MID(note, 2, 99)", "da"],
    ["MID(note, b - 3, 1)", "throws MID begins at 0: the first character has the number 1"],
    ["LEFT(note, b - 4)", "throws LEFT is asked for -1 characters"],
    ["LEFT(note, 1e21)", "throws LEFT is asked for 1e+21 characters"],
    ['SUBSTITUTE("1-2-3", "-", "/", 2)', "1-2/3"],
    ['SUBSTITUTE(note, "", "x")', "Ada"],
    ['CONTAINS(note, "DA")', true],
    ['EXACT(note, "ada")', false],
    ['TEXTJOIN("-", FALSE, tags, b)', "b-a-B-3"],
    ['TEXT(1234567.891, "#,##0.0")', "1,234,567.9"],
    ['TEXT(b, "000")', "003"],
    ['TEXT(1.005, "0%")', "101%"],
    ['TEXT(1e21, "0%")', "100000000000000000000000%"],
    ['TEXT(1e21, "#,##0.0")', "1,000,000,000,000,000,000,000.0"],
    ['TEXT(12345678901234567890, "0")', "12345678901234567000"],
    ['TEXT("2026-11-02", "dd.mm.yyyy")', "02.11.2026"],
    ['TEXT(b, "0.00 €")', "bad-formula"],
    ['VALUE("1.5e2")', 150],
    ['VALUE("1,500")', 'throws VALUE finds no number in "1,500"'],
    ['VALUE("1.500,25")', 'throws VALUE finds no number in "1.500,25": write 1500.25'],
    ['VALUE("4,90")', 'throws VALUE finds no number in "4,90": write 4.90'],
    ['VALUE("5%")', 'throws VALUE finds no number in "5%"'],
    // Numbers.
    ["ROUND(1.005, 2)", 1.01],
    ["ROUND(-2.5, 0)", -3],
    ["ROUND(1234, -2)", 1200],
    ["ROUND(b)", "bad-formula"],
    ["INT(-1.5)", -2],
    ["MOD(-3, 2)", 1],
    ["MOD(3, -2)", -1],
    ["MOD(0.3, 0.1)", 0],
    ["MOD(319, 0.1)", 0],
    ["MOD(1e21, 7)", 6],
    ["MOD(b, 0)", "throws a division by zero"],
    ["SUM(nums, a)", 18.5],
    ["AVERAGE(nums)", 2],
    ["COUNT(nums, tags)", 6],
    ["COUNT(order.total, order.nothing)", 1],
    // Dates.
    ['DATEADD("2026-01-31", 1, "M")', "2026-02-28"],
    ['DATEADD("2024-02-29", 1, "Y")', "2025-02-28"],
    ['DATEADD(NOW(), -22, "D")', "2026-10-31T10:36:00.000Z"],
    ['DATEDIF("2026-01-31", "2026-03-30", "M")', 1],
    [
      'DATEDIF("2026-02-01", "2026-01-01", "D")',
      'throws DATEDIF ends before it starts: "2026-02-01" to "2026-01-01"',
    ],
    ['DATEADD("22.11.2026", 1, "D")', "bad-formula"],
    ["TODAY()", "2026-11-22"],
    ["2026-11-22", "2026-11-22"],
    ["=2026-11-22", 1993],
    // Lists.
    ["INDEX(nums, 2)", 1],
    ["INDEX(nums, 4)", "throws INDEX is asked for item 4 of a list of 3"],
    ["INDEX(nums, 0)", "bad-formula"],
    ['TEXTJOIN(",", TRUE, SORT(nums))', "1,2,3"],
    ['TEXTJOIN(",", TRUE, UNIQUE(tags))', "b,a"],
    ['COUNT(FILTERBY(rows, "n", ">100"))', 1],
    ["JSON(order)", '{"total":10,"name":"x"}'],
    // Names.
    ["order.total * 2", 20],
    ["order.name * 2", 'throws order.name is "x", a number is needed'],
    ["'order-id' & \"\"", "7"],
    ["order-id", "formula-type unknown-placeholder"],
    ["toString", "unknown-placeholder"],
    ["constructor(1)", "unknown-function"],
    ["A1 * 2", "unknown-placeholder"],
    // Limits.
    ["", "bad-formula"],
    ["=", "bad-formula"],
    [`${"(".repeat(65)}1${")".repeat(65)}`, "bad-formula"],
    [`${"(".repeat(64)}1${")".repeat(64)}`, 1],
    [`"${"x".repeat(4094)}"`, "x".repeat(4094)],
    [`="${"x".repeat(4094)}"`, "x".repeat(4094)],
    [`"${"x".repeat(4095)}"`, "bad-formula"],
  ] as const)("%s", (formula, wanted) => {
    expect(computed(formula)).toEqual(wanted);
  });
});

test("a message names an operand with its brackets, though the first of its names stands in some", () => {
  const { diagnostics } = understandText(
    'graph_name,node_name,agent_type,input_fields,output_field,prompt\ng,A,formula,a:string,x,"1 + ((a) & ""x"")"\n',
  );
  expect(diagnostics.map(({ message }) => message)).toEqual(['((a) & "x") is text, + needs a number']);
});
