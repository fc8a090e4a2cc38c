import type { Json, OutputItem, Row } from "../../../ir.js";
import { type FieldType, OBJECT } from "../../../types/field-type.js";
import type { ToolTypes, Types } from "../../../types/from-schema.js";
import type { AgentFacts, World } from "../../../world.js";

/** What the row leaves open is annotated as the tool declares it, so a run holds the tool to it. */
export function typedByTool(
  { tool: toolNamed }: Pick<World, "tool">,
  row: Row,
  facts: AgentFacts | null,
  { server, tool }: { readonly [setting: string]: Json },
): Row {
  if (facts?.type !== "mcp" || typeof server !== "string" || typeof tool !== "string") return row;
  const types = toolNamed?.(server, tool) ?? null;
  if (types === null) return row;
  const { inputs, outputs } = row;
  return {
    ...row,
    inputs: inputs.map((item) => ({ ...item, type: item.type ?? entryOf(types.inputs, item.param) })),
    outputs: outputs.map((item) => ({ ...item, type: item.type ?? writtenType(types, outputs, item) })),
  };
}

/** One output that the tool has no entry for takes the whole result. */
function writtenType(
  { outputs: types, isClosed }: ToolTypes,
  outputs: readonly OutputItem[],
  { key }: OutputItem,
): FieldType | null {
  const isWhole = outputs.length === 1 && isClosed && !Object.hasOwn(types, key);
  return isWhole ? OBJECT : entryOf(types, key);
}

const entryOf = (types: Types, name: string): FieldType | null =>
  Object.hasOwn(types, name) ? (types[name] ?? null) : null;
