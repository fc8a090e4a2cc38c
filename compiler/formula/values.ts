import { BOOLEAN, type FieldType, listOf, NUMBER, STRING, UNKNOWN } from "../types/field-type.js";
import { fitOf, itemsOf, TEXTS } from "../types/kinds.js";
import { unionOf } from "../types/union.js";
import { type FormulaFunction, plain } from "./function.js";
import type { Typed } from "./typed.js";

const NUMBER_FORMAT = /^(?:0+|0\.0{1,15}|#,##0|#,##0\.0{1,15}|0%|0\.0{1,15}%)$/;
const DATE_FORMATS: readonly string[] = ["yyyy-mm-dd", "dd.mm.yyyy"];

const isFormat = (text: string): boolean =>
  NUMBER_FORMAT.test(text) || DATE_FORMATS.includes(text.toLowerCase());

const FORMATS =
  'the formats are "0", "0.00", "#,##0", "#,##0.00", "000", "0%", "0.0%", "yyyy-mm-dd" and "dd.mm.yyyy"';

function format(value: unknown): string | null {
  if (typeof value !== "string") return FORMATS;
  return isFormat(value) ? null : (meantFormat(value.toLowerCase()) ?? FORMATS);
}

/** Formats as a German program writes them, and numbers with a currency. */
function meantFormat(text: string): string | null {
  const day = text.replaceAll("t", "d").replaceAll("j", "y");
  const [number = ""] = /^[#0.,]+%?/.exec(text) ?? [];
  const swapped = number.replace(/[.,]/g, (sign) => (sign === "," ? "." : ","));
  const found = [day, number, swapped].find(isFormat);
  if (found === undefined) return null;
  const more = found !== day && number.length < text.length ? ", and join what follows with &" : "";
  return `write "${found}"${more}`;
}

const unit = (value: unknown): string | null =>
  typeof value === "string" && ["D", "M", "Y"].includes(value.toUpperCase())
    ? null
    : 'write "D" for days, "M" for months, "Y" for years';

const date = (value: unknown): string | null =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}(?:T.*)?$/.test(value)
    ? null
    : 'a date is written as "2026-11-22"';

const notNegative = (value: unknown): string | null =>
  typeof value === "number" && value < 0 ? "write a number that is not negative" : null;
const notZero = (value: unknown): string | null =>
  typeof value === "number" && value < 1 ? "the first one has the number 1" : null;

const TEXT: readonly FormulaFunction[] = [
  plain({
    name: "LEN",
    signature: "LEN(text)",
    about: "How many characters a text has.",
    example: ['LEN("Ada")', "3"],
    params: ["text"],
    gives: NUMBER,
    runs: "length",
  }),
  plain({
    name: "LOWER",
    signature: "LOWER(text)",
    about: "The text in small letters.",
    example: ['LOWER("Ada")', "ada"],
    params: ["text"],
    gives: STRING,
    runs: "lower",
  }),
  plain({
    name: "UPPER",
    signature: "UPPER(text)",
    about: "The text in capitals.",
    example: ['UPPER("Ada")', "ADA"],
    params: ["text"],
    gives: STRING,
    runs: "upper",
  }),
  plain({
    name: "TRIM",
    signature: "TRIM(text)",
    about: "The text without blanks around it, and with single blanks inside.",
    example: ['TRIM("  a  b ")', "a b"],
    params: ["text"],
    gives: STRING,
    runs: "trim",
  }),
  plain({
    name: "LEFT",
    signature: "LEFT(text, count)",
    about: "The first characters of a text; one without a count.",
    example: ['LEFT("invoice", 3)', "inv"],
    params: ["text", "number?"],
    gives: STRING,
    runs: "left",
    constants: [null, notNegative],
  }),
  plain({
    name: "RIGHT",
    signature: "RIGHT(text, count)",
    about: "The last characters of a text; one without a count.",
    example: ['RIGHT("invoice", 3)', "ice"],
    params: ["text", "number?"],
    gives: STRING,
    runs: "right",
    constants: [null, notNegative],
  }),
  plain({
    name: "MID",
    signature: "MID(text, start, count)",
    about: "Characters from inside of a text; the first one has the number 1.",
    example: ['MID("invoice", 3, 2)', "vo"],
    params: ["text", "number", "number"],
    gives: STRING,
    runs: "mid",
    constants: [null, notZero, notNegative],
  }),
  plain({
    name: "CONTAINS",
    signature: "CONTAINS(text, part)",
    about: "TRUE when a text has another one in it, small letters and capitals alike.",
    example: ['CONTAINS("Your Invoice", "invoice")', "TRUE"],
    params: ["text", "text"],
    gives: BOOLEAN,
    runs: "contains",
  }),
  plain({
    name: "EXACT",
    signature: "EXACT(text, other)",
    about: "TRUE for two equal texts; small letters and capitals differ.",
    example: ['EXACT("DE", "de")', "FALSE"],
    params: ["text", "text"],
    gives: BOOLEAN,
    runs: "exact",
  }),
  plain({
    name: "SUBSTITUTE",
    signature: "SUBSTITUTE(text, old, new, number)",
    about: "The text with a part exchanged everywhere, or only the part with that number.",
    example: ['SUBSTITUTE("1-2-3", "-", "/")', "1/2/3"],
    params: ["text", "text", "text", "number?"],
    gives: STRING,
    runs: "substitute",
    constants: [null, null, null, notZero],
  }),
  plain({
    name: "SPLIT",
    signature: "SPLIT(text, separator)",
    about: "The parts of a text as a list.",
    example: ['COUNT(SPLIT("a,b,c", ","))', "3"],
    params: ["text", "text"],
    gives: TEXTS,
    runs: "split",
    constants: [null, (value) => (value === "" ? 'write what stands between the parts, such as ","' : null)],
  }),
  plain({
    name: "TEXTJOIN",
    signature: "TEXTJOIN(separator, skip_empty, value, …)",
    about: "Values and the items of lists as one text; TRUE leaves out empty ones.",
    example: ['TEXTJOIN(", ", TRUE, "a", "", "b")', "a, b"],
    params: ["text", "boolean", "any", "any*"],
    gives: STRING,
    runs: "textJoin",
  }),
  plain({
    name: "TEXT",
    signature: "TEXT(value, format)",
    about: 'A number or a date as text, by a format such as "#,##0.00" or "dd.mm.yyyy".',
    example: ['TEXT(1234.5, "#,##0.00")', "1,234.50"],
    params: ["any", "text"],
    gives: STRING,
    runs: "formatted",
    constants: [null, format],
  }),
  plain({
    name: "VALUE",
    signature: "VALUE(text)",
    about: "Text as a number: digits with a point, no thousands.",
    example: ['VALUE(" 12.5 ")', "12.5"],
    params: ["text"],
    gives: NUMBER,
    runs: "toNumber",
  }),
];

/** Numbers, and the numbers of lists. */
const counting = (
  name: string,
  about: string,
  example: readonly [string, string],
  runs: string,
): FormulaFunction =>
  plain({
    name,
    signature: `${name}(value, …)`,
    about,
    example,
    params: name === "COUNT" ? ["any", "any*"] : ["numbers", "numbers*"],
    gives: NUMBER,
    runs,
  });

const NUMBERS: readonly FormulaFunction[] = [
  plain({
    name: "ROUND",
    signature: "ROUND(number, digits)",
    about: "A number rounded to digits after the point, half away from zero.",
    example: ["ROUND(1.005, 2)", "1.01"],
    params: ["number", "number"],
    gives: NUMBER,
    runs: "round",
  }),
  plain({
    name: "INT",
    signature: "INT(number)",
    about: "The whole number below or equal.",
    example: ["INT(-1.5)", "-2"],
    params: ["number"],
    gives: NUMBER,
    runs: "floor",
  }),
  plain({
    name: "ABS",
    signature: "ABS(number)",
    about: "The number without its sign.",
    example: ["ABS(-3)", "3"],
    params: ["number"],
    gives: NUMBER,
    runs: "abs",
  }),
  plain({
    name: "MOD",
    signature: "MOD(number, divisor)",
    about: "What is left of a division; it has the sign of the divisor.",
    example: ["MOD(-3, 2)", "1"],
    params: ["number", "number"],
    gives: NUMBER,
    runs: "mod",
  }),
  counting("MIN", "The smallest number of values and lists.", ["MIN(3, 1, 2)", "1"], "min"),
  counting("MAX", "The largest number of values and lists.", ["MAX(3, 1, 2)", "3"], "max"),
  counting("SUM", "The numbers of values and lists added up; 0 for none.", ["SUM(3, 1, 2)", "6"], "sum"),
  counting("AVERAGE", "The mean of the numbers of values and lists.", ["AVERAGE(3, 1, 2)", "2"], "average"),
  counting("COUNT", "How many values there are, with the items of lists.", ["COUNT(3, 1, 2)", "3"], "count"),
];

const DATES: readonly FormulaFunction[] = [
  plain({
    name: "DATEADD",
    signature: "DATEADD(date, count, unit)",
    about: 'A date so many days "D", months "M" or years "Y" later; the end of a month is kept.',
    example: ['DATEADD("2026-01-31", 1, "M")', "2026-02-28"],
    params: ["text", "number", "text"],
    gives: STRING,
    runs: "dateAdd",
    constants: [date, null, unit],
  }),
  plain({
    name: "DATEDIF",
    signature: "DATEDIF(start, end, unit)",
    about: 'The whole days "D", months "M" or years "Y" between two dates.',
    example: ['DATEDIF("2026-11-01", "2026-11-22", "D")', "21"],
    params: ["text", "text", "text"],
    gives: NUMBER,
    runs: "dateDif",
    constants: [date, date, unit],
  }),
];

const itemType = ([list]: readonly Typed[]): FieldType => itemsOf(list?.type ?? UNKNOWN);
const sameList = ([list]: readonly Typed[]): FieldType =>
  list !== undefined && fitOf(list.type, "list") === "all" ? unionOf([list.type]) : listOf(null);

const LISTS: readonly FormulaFunction[] = [
  plain({
    name: "INDEX",
    signature: "INDEX(list, number)",
    about: "One item of a list; the first one has the number 1.",
    example: ['INDEX(SPLIT("a,b,c", ","), 2)', "b"],
    params: ["list", "number"],
    gives: itemType,
    runs: "item",
    constants: [null, notZero],
  }),
  plain({
    name: "UNIQUE",
    signature: "UNIQUE(list)",
    about: "A list with every value once, the first of equal ones.",
    example: ['TEXTJOIN(",", TRUE, UNIQUE(SPLIT("a,b,A", ",")))', "a,b"],
    params: ["list"],
    gives: sameList,
    runs: "unique",
  }),
  plain({
    name: "SORT",
    signature: "SORT(list)",
    about: "A list of numbers or of texts in order.",
    example: ['TEXTJOIN(",", TRUE, SORT(SPLIT("b,a,c", ",")))', "a,b,c"],
    params: ["list"],
    gives: sameList,
    runs: "sorted",
  }),
  plain({
    name: "FILTERBY",
    signature: 'FILTERBY(list, "field", "criterion")',
    about: 'The objects of a list whose field meets a criterion, such as ">100", "<>DE" or "*urgent*".',
    example: ['COUNT(FILTERBY(SPLIT("a", ","), "x", ">1"))', "0"],
    params: ["list", "text", "text"],
    gives: sameList,
    runs: "filterBy",
  }),
  plain({
    name: "JSON",
    signature: "JSON(value)",
    about: "A value as JSON text.",
    example: ['JSON("a")', '"a"'],
    params: ["any"],
    gives: STRING,
    runs: "json",
  }),
];

export const VALUES: readonly FormulaFunction[] = [...TEXT, ...NUMBERS, ...DATES, ...LISTS];
