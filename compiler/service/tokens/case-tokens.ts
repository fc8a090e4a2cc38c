import type { CaseCell, TestCase } from "../../1-parse/test-sheet.js";
import type { TestColumn } from "../../ir.js";
import { type CellToken, type JsonTypes, jsonTokens, type TokenType } from "./token.js";

/** How JSON is shown whose keys are fields, and whose keys are nodes. */
const JSON_TYPES: { readonly [column in TestColumn]?: JsonTypes } = {
  given: { key: "field", value: "value" },
  expect_state: { key: "field", value: "value" },
  mocks: { key: "target", value: "value" },
  answers: { key: "target", value: "value" },
  expect_path: { key: "setting", value: "target" },
  expect_error: { key: "setting", value: "value" },
};

/** How other text is shown, by the signs between its items. */
const TEXTS: { readonly [column in TestColumn]?: readonly [TokenType, RegExp | null] } = {
  graph_name: ["graph", null],
  case: ["node", null],
  expect_status: ["value", null],
  expect_path: ["target", />/],
  expect_absent: ["field", /[|,;\r\n]/],
  expect_error: ["text", null],
};

export function caseTokens({ cells, entries }: TestCase): CellToken[] {
  const own = entries.flatMap((cell) =>
    cell.json === null ? [valueToken(cell)] : ofJson({ ...cell, name: "expect_error" }),
  );
  return [
    ...[...cells.values()].flatMap((cell) => (cell.json === null ? textTokens(cell) : ofJson(cell))),
    ...own,
  ];
}

const valueToken = ({ column, start, end }: CaseCell): CellToken => ({ column, start, end, type: "value" });

function ofJson({ name, column, json }: CaseCell): readonly CellToken[] {
  const tokens: CellToken[] = [];
  if (json !== null) jsonTokens(column, json, JSON_TYPES[name] ?? { key: "setting", value: "value" }, tokens);
  return tokens;
}

function textTokens({ name, column, start, text }: CaseCell): readonly CellToken[] {
  const [type, between] = TEXTS[name] ?? ["text", null];
  if (between === null) return [{ column, start, end: start + text.length, type }];
  let at = start;
  return text.split(between).flatMap((item) => {
    const from = at + item.length - item.trimStart().length;
    at += item.length + 1;
    const { length } = item.trim();
    return length === 0 ? [] : [{ column, start: from, end: from + length, type }];
  });
}
