import { editCell, locate } from "../1-parse/index.js";
import type { UntypedRead } from "../2-analyze/index.js";
import type { Problems } from "../diagnostics/collect.js";
import type { FieldType } from "../ir.js";
import { formatType } from "../types/format-type.js";
import type { GraphOfSheet } from "./tell.js";

/** An input of which only the agent's code says that it is no text, and the type that the sheet can name for it. */
export interface UntypedInput extends UntypedRead {
  readonly type: FieldType;
}

/** Proposes to write the type into the cell. */
export function tellUntypedInput(
  { node, read, type }: UntypedInput,
  { graph, sheet }: GraphOfSheet,
  problems: Problems,
): void {
  const { param, field } = read;
  const item = sheet.rows[node.index]?.inputs.find((one) => one.param === param && one.field === field);
  if (item === undefined) return;
  const written = formatType(type);
  const end = { ...item.at, start: item.at.end };
  problems.report(
    "untyped-input",
    { field, agent: node.agent.written, type: written },
    {
      place: locate(sheet, item.at),
      graph: graph.name,
      node: node.name,
      column: "input_fields",
      fix: {
        title: `write ":${written}" behind "${field}"`,
        safe: true,
        edits: [editCell(sheet, end, `:${written}`)],
      },
    },
  );
}
