import type { JsonSpot, Range } from "../../ir.js";
import type { AgentFacts, SettingShape } from "../../world.js";

/** A kind of token for each kind of cell, so that columns can be told apart by their colours. */
export const TOKEN_TYPES = [
  "comment",
  "column",
  "graph",
  "node",
  "target",
  "agent",
  "field",
  "type",
  "setting",
  "value",
  "placeholder",
  "text",
] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** A stretch of the decoded text of one cell of a record. */
export interface CellToken extends Range {
  readonly column: number;
  readonly type: TokenType;
}

/** How the parts of a value in JSON are shown. */
export interface JsonTypes {
  readonly key: TokenType;
  readonly value: TokenType;
}

/** The keys and the values without parts in JSON, in their order. */
export function jsonTokens(column: number, spot: JsonSpot, types: JsonTypes, tokens: CellToken[]): void {
  const { entries, items } = spot;
  if (entries === undefined && items === undefined) {
    tokens.push({ column, start: spot.start, end: spot.end, type: types.value });
    return;
  }
  for (const item of items ?? []) jsonTokens(column, item, types, tokens);
  for (const { start, end, spot: value } of entries ?? []) {
    tokens.push({ column, start, end, type: types.key });
    jsonTokens(column, value, types, tokens);
  }
}

const OF_SHAPE: { readonly [kind in SettingShape["kind"]]?: TokenType } = {
  node: "target",
  nodes: "target",
  graph: "graph",
  field: "field",
};

/** How the value of a setting is shown: what names something has its colour. */
export function settingTypes(
  name: string,
  shapeOf: (name: string, facts: AgentFacts | null) => SettingShape | undefined,
  facts: AgentFacts | null,
): JsonTypes {
  const shape = shapeOf(name, facts);
  return {
    key: name === "merge" || name === "when" ? "field" : "setting",
    value: (shape && OF_SHAPE[shape.kind]) ?? "value",
  };
}
