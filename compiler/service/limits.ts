import { firstCell } from "../1-parse/text/open-page.js";
import type { RowLimit } from "../1-parse/text/outline.js";
import { type Most, Problems } from "../diagnostics/collect.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";

/**
 * What a text may hold to be understood while somebody types in it: every request is answered within two seconds.
 * `flowsheet validate` takes all that a sheet may have.
 */
export const EDITOR_LIMITS = {
  characters: 6_000_000,
  /** Records below the header. */
  rows: 50_000,
  cases: 10_000,
  /** Cells of a test sheet that hold something: each may be an entry in a column of its own. */
  caseCells: 200_000,
  graphs: 5_000,
  /** Steps of one graph: each may be looked up for all others. */
  steps: 10_000,
  /** Rows of a graph times those of them that lead to several nodes: each may lead around through all rows. */
  ways: 2_000_000,
  parts: 1_900_000,
  /** Problems of one code. */
  problems: 5_000,
  /** Places of one name that are listed. */
  places: 10_000,
  /** Places of one name that a rename changes in a file. */
  renamed: 100_000,
} as const;

export const IN_EDITOR: Partial<Most> = { ofACell: Infinity, ofAStep: EDITOR_LIMITS.problems };

const counted = (count: number): string => count.toLocaleString("en-US");

export interface TooLarge {
  readonly what: string;
  readonly limit: string;
}

const beyond = (count: number, of: string): TooLarge => ({
  what: `it has more than ${counted(count)} ${of}`,
  limit: `${counted(count)} ${of}`,
});

/** What the parts of cells cost that a sign stands for: a cell, a value in JSON, a name in a list, a setting. */
const MOST_WEIGHT = 60;
const WEIGHTS = new Uint8Array(128);
const weigh = (signs: string, weight: number): void => {
  for (const sign of signs) WEIGHTS[sign.charCodeAt(0)] = weight;
};
weigh(",;\t\n\r", 1);
weigh('"', 5);
weigh("|{", 8);
weigh("'[(=/><+-*&^", 16);
weigh(":", MOST_WEIGHT);

/** How many parts the cells of a text have, about. An edit changes the sum by those of its texts. */
export function partsOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += WEIGHTS[text.charCodeAt(at)] ?? 0;
  return sum;
}

/** Why a text is not understood; null for one of the usual size. */
export function tooLarge(text: string, parts: () => number): TooLarge | null {
  const { characters, parts: most } = EDITOR_LIMITS;
  if (text.length > characters) return beyond(characters, "characters");
  return text.length > most / MOST_WEIGHT && parts() > most ? MANY_PARTS : null;
}

const MANY_PARTS: TooLarge = {
  what: "its cells hold too many names, values and quotes",
  limit: `${counted(EDITOR_LIMITS.parts)} parts: a cell and a carriage return count 1, a quote 5, | and { 8, a sign such as ( or + 16, a colon 60`,
};

/** Why the rows of a sheet are not understood, by the graph of each; null for a usual number of graphs and steps. */
export function tooManyGraphs(graphOfRow: readonly string[], splits: ReadonlySet<number>): TooLarge | null {
  const { graphs, steps, ways } = EDITOR_LIMITS;
  const rowsOf = countEach(graphOfRow);
  if (rowsOf.size > graphs) return beyond(graphs, "graphs");
  if ([...rowsOf.values()].some((count) => count > steps)) return beyond(steps, "rows of one graph");
  const splitsOf = countEach(Array.from(splits, (index) => graphOfRow[index] as string));
  const isOver = [...splitsOf].some(([graph, count]) => count * (rowsOf.get(graph) as number) > ways);
  return isOver ? MANY_SPLITS : null;
}

const MANY_SPLITS: TooLarge = {
  what: "too many rows of a large graph lead to several nodes each",
  limit: `${counted(EDITOR_LIMITS.ways)} for the rows of a graph times those that lead to several nodes`,
};

function countEach(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Why the text of a test sheet is not understood; null for one of the usual size. */
export function tooManyCases(text: string): TooLarge | null {
  const { caseCells } = EDITOR_LIMITS;
  return text.length > caseCells && filledCells(text) > caseCells ? beyond(caseCells, "filled cells") : null;
}

const ENDS = new Set([",", ";", "\t", "\n"].map((sign) => sign.charCodeAt(0)));
const QUOTE = 34;

/** About: what may part cells does, outside of quotes. */
function filledCells(text: string): number {
  let sum = 0;
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) isQuoted = !isQuoted;
    if (isQuoted || !ENDS.has(sign)) continue;
    if (at > from) sum++;
    from = at + 1;
  }
  return sum;
}

/** For `validate` it is in order. */
const severity = "warning";

const inEditor = ({ what, limit }: TooLarge): TooLarge => ({
  what: `${what}, and is not checked here`,
  limit: `${limit}, in an editor; \`flowsheet validate\` checks larger sheets`,
});

/** The one problem of a sheet that only `validate` checks. */
export function leftToValidate(file: string, large: TooLarge): readonly Diagnostic[] {
  const problems = new Problems(file);
  problems.report("sheet-too-large", inEditor(large), { place: firstCell({ file }), severity });
  return problems.take();
}

const rowLimit = (most: number): RowLimit => ({
  most,
  ...inEditor(beyond(most, "rows below the header")),
  severity,
});

export const SHEET_ROWS = rowLimit(EDITOR_LIMITS.rows);
export const TEST_ROWS = rowLimit(EDITOR_LIMITS.cases);

/** The first problems of each code; the last of them says that there are more. They are in the order of the file. */
export function firstOfEach(sorted: readonly Diagnostic[]): readonly Diagnostic[] {
  const { problems: most } = EDITOR_LIMITS;
  if (sorted.length < most) return sorted;
  const counts = countEach(sorted.map(({ code }) => code));
  const told = new Map<string, number>();
  return sorted.flatMap((one) => {
    const count = (told.get(one.code) ?? 0) + 1;
    told.set(one.code, count);
    if (count > most) return [];
    return count < most ? [one] : [withMore(one, (counts.get(one.code) ?? 0) - count)];
  });
}

function withMore(one: Diagnostic, more: number): Diagnostic {
  const others =
    more === 0
      ? `there may be more like it in this sheet: ${TELLS_ALL}`
      : `and at least ${counted(more)} more like it in this sheet: ${TELLS_ALL}`;
  return { ...one, help: one.help === null ? others : `${one.help}; ${others}` };
}

const TELLS_ALL = "`flowsheet validate` counts all";
