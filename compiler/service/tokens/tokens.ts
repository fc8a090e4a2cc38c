import { indexOf, rawOffset } from "../../1-parse/text/page.js";
import { type Cell, cellText, type RecordScan, scanRecord } from "../../1-parse/text/scan.js";
import { isComment } from "../../1-parse/text/skipped-rows.js";
import { createAgentFinder } from "../../2-analyze/nodes.js";
import { normalizeAgent } from "../../agent-name.js";
import type { Range } from "../../ir.js";
import type { AgentFacts, World } from "../../world.js";
import type { View } from "../document.js";
import { type Layout, layoutOf, type Meaning } from "../layout.js";
import { recordAt, rowFrom } from "../spot.js";
import { caseTokens } from "./case-tokens.js";
import { rowTokens } from "./row-tokens.js";
import { type CellToken, TOKEN_TYPES, type TokenType } from "./token.js";

/** Start, length and type (its index in `TOKEN_TYPES`) of each token in turn: in order, apart, each within a line. */
export type Tokens = Uint32Array;

/** The tokens of a text, or of the records that a range touches. Linear in these. */
export function tokens(view: View, range: Range = { start: 0, end: view.text.length }): Tokens {
  const layout = layoutOf(view);
  const found: number[] = [];
  if (layout === null) return Uint32Array.from(found);
  const { page, headerRecord } = layout;
  const { records } = indexOf(page);
  const first = Math.max(0, recordAt(page, range.start));
  const tokensOf = recordTokens(view, layout);
  for (let record = first; record < records.length; record++) {
    const begin = records[record] as number;
    if (begin > range.end) break;
    const scan = scanRecord(page.text, begin, page.delimiter);
    const texts = scan.cells.map((cell) => cellText(page.text, cell));
    if (isComment(texts[0] ?? "")) addLines(found, page.text, { start: begin, end: scan.end }, "comment");
    else if (record === headerRecord) addCells(found, page.text, scan, headerTokens(layout.meanings, texts));
    else addCells(found, page.text, scan, tokensOf(record, texts));
  }
  return Uint32Array.from(found);
}

/** The tokens of the records below the header, which are asked for in their order. */
function recordTokens(
  view: View,
  { meanings }: Layout,
): (record: number, texts: readonly string[]) => readonly CellToken[] {
  const { sheet, tests } = view;
  if (sheet !== null) {
    const factsOf = createFacts(view.world.world);
    const next = inOrder(sheet.rows);
    return (record, texts) => {
      const row = next(record);
      return row === null ? NONE : rowTokens(row, texts, { sheet, factsOf });
    };
  }
  const next = inOrder(tests?.cases ?? []);
  return (record, texts) => {
    const one = next(record);
    const notes = meanings.flatMap((meaning, column) =>
      meaning.kind === "private" ? [whole(texts, column, "comment")] : [],
    );
    return one === null ? NONE : [...caseTokens(one), ...notes];
  };
}

const NONE: readonly CellToken[] = [];

/** Finds what was read from a record; each question is behind the one before. */
function inOrder<T extends { readonly record: number }>(items: readonly T[]): (record: number) => T | null {
  let at = -1;
  return (record) => {
    if (at < 0) at = rowFrom(items, record);
    while (at < items.length && (items[at] as T).record < record) at++;
    return items[at]?.record === record ? (items[at] as T) : null;
  };
}

function createFacts(world: World): (agent: string) => AgentFacts | null {
  const named = world.agents.flatMap((facts) =>
    [facts.type, ...facts.aliases].map((name) => [normalizeAgent(name), facts] as const),
  );
  const agentOf = createAgentFinder(new Map(named), world);
  return (agent) => agentOf(agent).facts;
}

const COLUMN_TYPES: { readonly [kind in Meaning["kind"]]: TokenType | null } = {
  column: "column",
  test: "column",
  setting: "setting",
  private: "comment",
  unknown: null,
};

const headerTokens = (meanings: readonly Meaning[], texts: readonly string[]): readonly CellToken[] =>
  meanings.flatMap((meaning, column) => {
    const type = COLUMN_TYPES[meaning.kind];
    return type === null ? [] : [whole(texts, column, type)];
  });

const whole = (texts: readonly string[], column: number, type: TokenType): CellToken => ({
  column,
  start: 0,
  end: texts[column]?.length ?? 0,
  type,
});

/** Puts the tokens of a record in their order; one that begins inside of another is left out. */
function addCells(found: number[], text: string, { cells }: RecordScan, all: readonly CellToken[]): void {
  const sorted = [...all].sort((a, b) => a.column - b.column || a.start - b.start);
  let done = 0;
  for (const { column, start, end, type } of sorted) {
    const cell: Cell | undefined = cells[column];
    if (cell === undefined) continue;
    const range = { start: rawOffset(text, cell, start), end: rawOffset(text, cell, end) };
    if (range.start < done || range.end <= range.start) continue;
    done = range.end;
    addLines(found, text, range, type);
  }
}

const LINE_END = /[\r\n]+/g;

/** A token of several lines is one for each: editors know no longer ones. */
function addLines(found: number[], text: string, { start, end }: Range, type: TokenType): void {
  const code = TOKEN_TYPES.indexOf(type);
  const add = (from: number, to: number): void => {
    if (to > from) found.push(from, to - from, code);
  };
  let from = start;
  const part = text.slice(start, end);
  for (const { 0: lineEnd, index } of part.matchAll(LINE_END)) {
    add(from, start + index);
    from = start + index + lineEnd.length;
  }
  add(from, end);
}
