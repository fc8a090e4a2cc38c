import { suggest } from "../diagnostics/suggest.js";

/** What a cell of a spreadsheet shows in place of a value. */
export const CELL_ERROR = /#(?:REF!|NAME\?|N\/A|VALUE!|DIV\/0!|NUM!|NULL!|SPILL!|CALC!)/y;

/** What may be meant by the name of a function that is not there. */
export interface Meant {
  /** The function that takes its place, values and all. */
  readonly name: string | null;
  readonly help: string;
}

/** The functions of other spreadsheets, then those that are spelt alike. */
export function meantBy(name: string, known: ReadonlyMap<string, unknown>): Meant {
  const english = IN_GERMAN.get(name) ?? name;
  const advice = KNOWN_ELSEWHERE.get(english);
  if (advice !== undefined) return { name: null, help: advice };
  const near = known.has(english) ? english : (SYNONYMS.get(name) ?? suggest(name, known.keys()));
  if (near === null) return { name: null, help: "the functions stand in docs/formulas.md" };
  return { name: near, help: `did you mean ${near}?` };
}

/** Files hold English names, but a formula that is typed as text has those of the program. */
const IN_GERMAN: ReadonlyMap<string, string> = new Map(
  `WENN IF|WENNS IFS|ERSTERWERT SWITCH|UND AND|ODER OR|NICHT NOT|XODER XOR|WAHR TRUE|FALSCH FALSE|ISTLEER ISBLANK
ISTZAHL ISNUMBER|ISTTEXT ISTEXT|WENNFEHLER IFERROR|WENNNV IFNA|SVERWEIS VLOOKUP|XVERWEIS XLOOKUP|WVERWEIS HLOOKUP
VERWEIS VLOOKUP|VERGLEICH MATCH|WAHL CHOOSE|SUMME SUM|SUMMEWENN SUMIF|SUMMEWENNS SUMIF|PRODUKT PRODUCT|RUNDEN ROUND
AUFRUNDEN ROUNDUP|ABRUNDEN ROUNDDOWN|OBERGRENZE CEILING|UNTERGRENZE FLOOR|K\u00dcRZEN TRUNC|REST MOD|GANZZAHL INT
WURZEL SQRT|POTENZ POWER|MITTELWERT AVERAGE|ANZAHL COUNT|ANZAHL2 COUNTA|Z\u00c4HLENWENN COUNTIF|Z\u00c4HLENWENNS COUNTIF
L\u00c4NGE LEN|LINKS LEFT|RECHTS RIGHT|TEIL MID|GROSS UPPER|KLEIN LOWER|GROSS2 PROPER|GL\u00c4TTEN TRIM|IDENTISCH EXACT
WECHSELN SUBSTITUTE|ERSETZEN REPLACE|WERT VALUE|ZAHLENWERT VALUE|SUCHEN SEARCH|FINDEN FIND|ZEICHEN CHAR
VERKETTEN CONCAT|TEXTKETTE CONCAT|TEXTVERKETTEN TEXTJOIN|TEXTTEILEN SPLIT|HEUTE TODAY|JETZT NOW|DATUM DATE
DATWERT DATE|EDATUM EDATE|TAGE DAYS|JAHR YEAR|MONAT MONTH|TAG DAY|NETTOARBEITSTAGE NETWORKDAYS|ARBEITSTAG WORKDAY
EINDEUTIG UNIQUE|SORTIEREN SORT`
    .split(/[|\n]/)
    .map((pair) => pair.split(" ") as [string, string]),
);

/** What other programs call a function that is here: the name that is spelt most alike may be another one. */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  `RND ROUND|AVG AVERAGE|MEAN AVERAGE|LENGTH LEN|LCASE LOWER|UCASE UPPER|JOIN TEXTJOIN|ISEMPTY ISBLANK
ISNULL ISBLANK|COALESCE IFBLANK|IFNULL IFBLANK|NVL IFBLANK`
    .split(/[|\n]/)
    .map((pair) => pair.split(" ") as [string, string]),
);

const TABLE = 'write LOOKUP(value, "table.csv", "column")';
const ERRORS = "an error takes next_on_failure; IFBLANK(value, other) stands in for what is unset";
const WORKDAYS = "weekdays and holidays are not known here: they are the work of an agent";
const SUMS = "SUM adds numbers and lists of numbers: a field of objects is added up by an agent";
const COUNTS = 'write COUNT(FILTERBY(list, "field", ">100"))';
const NO_PATTERNS = "there are no regular expressions: write CONTAINS(text, part), or SPLIT and INDEX";
const DATES = 'a date is text, such as "2026-11-22"';

/** Functions of spreadsheets that have another name here. */
const KNOWN_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["TRUE", "write TRUE"],
  ["FALSE", "write FALSE"],
  ["VLOOKUP", TABLE],
  ["XLOOKUP", TABLE],
  ["HLOOKUP", TABLE],
  ["MATCH", TABLE],
  ["CHOOSE", "write SWITCH(number, 1, first, 2, second)"],
  ["XOR", "write one <> other"],
  ["SINGLE", "write what stands in its brackets alone"],
  ["CONCATENATE", "join text with &, as in first & last"],
  ["CONCAT", "join text with &, as in first & last"],
  ["SEARCH", "write CONTAINS(text, part)"],
  ["FIND", "write CONTAINS(text, part)"],
  ["REGEXMATCH", NO_PATTERNS],
  ["REGEXTEST", NO_PATTERNS],
  ["REGEXEXTRACT", NO_PATTERNS],
  ["REGEXREPLACE", NO_PATTERNS],
  ["FILTER", 'write FILTERBY(list, "field", ">100")'],
  ["COUNTA", "write COUNT(list)"],
  ["IFERROR", ERRORS],
  ["IFNA", ERRORS],
  ["ISERROR", ERRORS],
  ["EDATE", 'write DATEADD(date, months, "M")'],
  ["DAYS", 'write DATEDIF(start, end, "D")'],
  ["YEAR", "write VALUE(LEFT(date, 4))"],
  ["MONTH", "write VALUE(MID(date, 6, 2))"],
  ["DAY", "write VALUE(MID(date, 9, 2))"],
  ["NETWORKDAYS", WORKDAYS],
  ["WORKDAY", WORKDAYS],
  ["ISTEXT", "write NOT(ISNUMBER(value))"],
  ["ROUNDUP", "write -INT(-value)"],
  ["CEILING", "write -INT(-value)"],
  ["ROUNDDOWN", "write INT(value)"],
  ["FLOOR", "write INT(value)"],
  ["TRUNC", "write INT(value)"],
  ["POWER", "write base ^ exponent"],
  ["SQRT", "write number ^ 0.5"],
  ["PRODUCT", "write one * other"],
  ["DATE", DATES],
  ["DATEVALUE", DATES],
  ["CHAR", "write the character itself in quotes, also a line break"],
  ["SUMIF", SUMS],
  ["SUMIFS", SUMS],
  ["COUNTIF", COUNTS],
  ["COUNTIFS", COUNTS],
  ["REPLACE", "write SUBSTITUTE(text, old, new)"],
  ["PROPER", "there is UPPER and LOWER"],
]);
