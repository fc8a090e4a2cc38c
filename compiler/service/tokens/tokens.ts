import { indexOf, rawOffset } from "../../1-parse/text/page.js";
import { type Cell, cellText, type RecordScan, scanRecord } from "../../1-parse/text/scan.js";
import { isComment } from "../../1-parse/text/skipped-rows.js";
import { memo } from "../../2-analyze/flow/once.js";
import { agentsByName, createAgentFinder } from "../../2-analyze/nodes.js";
import type { Range } from "../../ir.js";
import type { AgentFacts, World } from "../../world.js";
import type { View } from "../document.js";
import { type Layout, layoutOf, type Meaning } from "../layout.js";
import { recordAt, rowFrom } from "../spot.js";
import { caseTokens } from "./case-tokens.js";
import { rowSource, rowTokens } from "./row-tokens.js";
import { type CellToken, TOKEN_TYPES, type TokenType } from "./token.js";

/** Start, length and type (its index in `TOKEN_TYPES`) of each token in turn: in order, apart, each within a line. */
export type Tokens = Uint32Array;

/** The tokens of a text, or of the records that a range touches. Linear in these. */
export function tokens(view: View, range: Range = { start: 0, end: view.text.length }): Tokens {
  const layout = layoutOf(view);
  const found: number[] = [];
  if (layout === null) return new Uint32Array(found);
  const { page, headerRecord } = layout;
  const { records } = indexOf(page);
  const first = Math.max(0, recordAt(page, range.start));
  const tokensOf = recordTokens(view, layout);
  for (let record = first; record < records.length; record++) {
    const begin = records[record] as number;
    if (begin > range.end) break;
    const scan = scanRecord(page.text, begin, page.delimiter);
    // A cell may hold very many names, each of which asks for its text.
    const textOf = memo((column: number): string => {
      const cell = scan.cells[column];
      return cell === undefined ? "" : cellText(page.text, cell);
    });
    const from = scan.cells[0]?.from ?? begin;
    if (isComment(page.text.slice(from, from + 2)))
      addLines(found, page.text, { start: begin, end: scan.end }, "comment");
    else if (record === headerRecord) addCells(found, page.text, scan, headerTokens(layout.meanings, textOf));
    else addCells(found, page.text, scan, tokensOf(record, textOf));
  }
  return new Uint32Array(found);
}

type TextOf = (column: number) => string;

/** The tokens of the records below the header, which are asked for in their order. */
function recordTokens(view: View, { meanings }: Layout): (record: number, textOf: TextOf) => CellToken[] {
  const { sheet, tests } = view;
  if (sheet !== null) {
    const source = rowSource(sheet, createFacts(view.world.world));
    const next = inOrder(sheet.rows);
    return (record, textOf) => {
      const row = next(record);
      return row === null ? [] : rowTokens(row, textOf, source);
    };
  }
  const next = inOrder(tests?.cases ?? []);
  return (record, textOf) => {
    const one = next(record);
    const notes = meanings.flatMap((meaning, column) =>
      meaning.kind === "private" ? [whole(textOf, column, "comment")] : [],
    );
    return one === null ? [] : [...caseTokens(one), ...notes];
  };
}

/** Finds what was read from a record; each question is behind the one before. */
function inOrder<T extends { readonly record: number }>(items: readonly T[]): (record: number) => T | null {
  const size = items.length;
  let at = -1;
  let item: T | undefined;
  return (record) => {
    if (at < 0) {
      at = rowFrom(items, record);
      item = items[at];
    }
    while (item !== undefined && item.record < record) {
      at++;
      item = at < size ? items[at] : undefined;
    }
    return item?.record === record ? item : null;
  };
}

function createFacts(world: World): (agent: string) => AgentFacts | null {
  const agentOf = createAgentFinder(agentsByName(world.agents), world);
  return (agent) => agentOf(agent).facts;
}

const COLUMN_TYPES: { readonly [kind in Meaning["kind"]]: TokenType | null } = {
  column: "column",
  test: "column",
  entry: "column",
  setting: "setting",
  private: "comment",
  unknown: null,
};

const headerTokens = (meanings: readonly Meaning[], textOf: TextOf): CellToken[] =>
  meanings.flatMap((meaning, column) => {
    const type = COLUMN_TYPES[meaning.kind];
    return type === null ? [] : [whole(textOf, column, type)];
  });

const whole = (textOf: TextOf, column: number, type: TokenType): CellToken => ({
  column,
  start: 0,
  end: textOf(column).length,
  type,
});

/** Few tokens that are nearly in order: a plain insertion is several times faster than a sort. */
function putInOrder(tokens: CellToken[]): void {
  if (tokens.length > FEW) tokens.sort((a, b) => a.column - b.column || a.start - b.start);
  else
    for (let i = 1; i < tokens.length; i++) {
      const token = tokens[i] as CellToken;
      let at = i;
      for (; at > 0 && isBehind(tokens[at - 1] as CellToken, token); at--)
        tokens[at] = tokens[at - 1] as CellToken;
      tokens[at] = token;
    }
}

const FEW = 64;

const isBehind = (one: CellToken, other: CellToken): boolean =>
  one.column > other.column || (one.column === other.column && one.start > other.start);

/** Puts the tokens of a record in their order; one that begins inside of another is left out. */
function addCells(found: number[], text: string, { cells }: RecordScan, tokens: CellToken[]): void {
  putInOrder(tokens);
  let done = 0;
  for (const { column, start, end, type } of tokens) {
    const cell: Cell | undefined = cells[column];
    if (cell === undefined) continue;
    const from = rawOffset(text, cell, start);
    const to = rawOffset(text, cell, end);
    if (from < done || to <= from) continue;
    done = to;
    // Only quotes hold the end of a line inside of a cell.
    if (cell.quoted) addLines(found, text, { start: from, end: to }, type);
    else found.push(from, to - from, CODES[type]);
  }
}

const CODES = Object.fromEntries(TOKEN_TYPES.map((type, code) => [type, code])) as {
  readonly [type in TokenType]: number;
};

const LINE_END = /[\r\n]+/g;

/** A token of several lines is one for each: editors know no longer ones. */
function addLines(found: number[], text: string, { start, end }: Range, type: TokenType): void {
  const add = (from: number, to: number): void => {
    if (to > from) found.push(from, to - from, CODES[type]);
  };
  let from = start;
  for (const { 0: lineEnd, index } of text.slice(start, end).matchAll(LINE_END)) {
    add(from, start + index);
    from = start + index + lineEnd.length;
  }
  add(from, end);
}
