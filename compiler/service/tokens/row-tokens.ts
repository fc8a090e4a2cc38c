import { shapeOf } from "../../2-analyze/settings/settings.js";
import type { CellSpan, HeaderMeaning, PromptItem, Row, SettingItem, Sheet } from "../../ir.js";
import type { AgentFacts } from "../../world.js";
import { type CellToken, jsonTokens, settingTypes, type TokenType } from "./token.js";

/** What the cells of a row say, with the text of each cell. */
export interface RowSource {
  readonly sheet: Sheet;
  readonly factsOf: (agent: string) => AgentFacts | null;
}

/** The tokens of a row; cells that could not be read have none. */
export function rowTokens(
  row: Row,
  cells: readonly string[],
  { sheet, factsOf }: RowSource,
): readonly CellToken[] {
  const tokens: CellToken[] = [];
  const push = ({ column, start, end }: CellSpan, type: TokenType): void => {
    if (end > start) tokens.push({ column, start, end, type });
  };
  push(row.graph.at, "graph");
  push(row.node.at, "node");
  push(row.agent.at, "agent");
  for (const list of [row.next, row.onSuccess, row.onFailure]) for (const { at } of list) push(at, "target");
  for (const { at } of [...row.inputs, ...row.outputs]) {
    const text = (cells[at.column] ?? "").slice(at.start, at.end);
    const colon = text.indexOf(":");
    push(colon < 0 ? at : { ...at, end: at.start + colon }, "field");
    if (colon >= 0) push({ ...at, start: at.start + colon + 1 }, "type");
  }
  const facts = row.settings.length === 0 ? null : factsOf(row.agent.name);
  for (const item of row.settings) settingTokens(item, facts, tokens);
  if (row.prompt !== null) promptTokens(row.prompt, tokens);
  sheet.header.forEach(({ meaning }, column) => {
    const isText = isTextColumn(meaning) || (row.context !== "" && isContext(meaning));
    if (isText) push({ row: row.index, column, start: 0, end: cells[column]?.length ?? 0 }, "text");
    else if (meaning.kind === "private")
      push({ row: row.index, column, start: 0, end: cells[column]?.length ?? 0 }, "comment");
  });
  return tokens;
}

const isTextColumn = (meaning: HeaderMeaning): boolean =>
  meaning.kind === "column" && meaning.name === "description";
const isContext = (meaning: HeaderMeaning): boolean =>
  meaning.kind === "column" && meaning.name === "context";

function settingTokens(
  { name, nameAt, spot, cell }: SettingItem,
  facts: AgentFacts | null,
  tokens: CellToken[],
): void {
  const { column } = cell;
  if (nameAt.row >= 0) tokens.push({ column, start: nameAt.start, end: nameAt.end, type: "setting" });
  jsonTokens(column, spot, settingTypes(name, shapeOf, facts), tokens);
}

/** The text of a prompt and its placeholders; a reference is a value. */
function promptTokens({ parts, reference, at }: PromptItem, tokens: CellToken[]): void {
  const { column } = at;
  if (reference !== null) tokens.push({ column, start: at.start, end: at.end, type: "value" });
  else
    for (const { kind, start, end } of parts)
      tokens.push({ column, start, end, type: kind === "field" ? "placeholder" : "text" });
}
