import { shapeOf } from "../../2-analyze/settings/settings.js";
import type { CellSpan, InputItem, PromptItem, Row, SettingItem, Sheet } from "../../ir.js";
import type { AgentFacts } from "../../world.js";
import { formulaTokens } from "./formula-tokens.js";
import { type CellToken, jsonTokens, settingTypes, type TokenType } from "./token.js";

/** What all rows of a sheet share. */
export interface RowSource {
  readonly factsOf: (agent: string) => AgentFacts | null;
  /** The columns whose whole cells are text, or nobody's business. */
  readonly whole: readonly WholeCell[];
  readonly context: number;
}

interface WholeCell {
  readonly column: number;
  readonly type: TokenType;
}

export function rowSource({ header }: Sheet, factsOf: RowSource["factsOf"]): RowSource {
  const whole = header.flatMap(({ meaning }, column): readonly WholeCell[] => {
    if (meaning.kind === "private") return [{ column, type: "comment" }];
    return meaning.kind === "column" && meaning.name === "description" ? [{ column, type: "text" }] : [];
  });
  const context = header.findIndex(({ meaning }) => meaning.kind === "column" && meaning.name === "context");
  return { factsOf, whole, context };
}

/** The tokens of a row; cells that could not be read have none. `textOf` gives the text of a cell. */
export function rowTokens(row: Row, textOf: (column: number) => string, source: RowSource): CellToken[] {
  const tokens: CellToken[] = [];
  const push = ({ column, start, end }: Omit<CellSpan, "row">, type: TokenType): void => {
    if (end > start) tokens.push({ column, start, end, type });
  };
  push(row.graph.at, "graph");
  push(row.node.at, "node");
  push(row.agent.at, "agent");
  for (const { at } of row.next) push(at, "target");
  for (const { at } of row.onSuccess) push(at, "target");
  for (const { at } of row.onFailure) push(at, "target");
  const item = ({ at, type }: Pick<InputItem, "at" | "type">): void => {
    const colon = type === null ? -1 : textOf(at.column).indexOf(":", at.start);
    push(colon < 0 ? at : { ...at, end: colon }, "field");
    if (colon >= 0) push({ ...at, start: colon + 1 }, "type");
  };
  for (const input of row.inputs) item(input);
  for (const output of row.outputs) item(output);
  if (row.settings.length > 0) {
    const facts = source.factsOf(row.agent.name);
    for (const setting of row.settings) settingTokens(setting, facts, tokens);
  }
  if (row.prompt !== null) {
    if (row.prompt.reference === null && source.factsOf(row.agent.name)?.type === "formula")
      tokens.push(...formulaTokens(row.prompt));
    else promptTokens(row.prompt, tokens);
  }
  if (row.context !== "")
    push({ column: source.context, start: 0, end: textOf(source.context).length }, "text");
  for (const { column, type } of source.whole) push({ column, start: 0, end: textOf(column).length }, type);
  return tokens;
}

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
