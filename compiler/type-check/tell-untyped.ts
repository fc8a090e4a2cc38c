import { editCell, locate } from "../1-parse/index.js";
import { type TakenType, type UntypedInput, untypedInputs } from "../2-analyze/index.js";
import type { Problems } from "../diagnostics/collect.js";
import { formatType } from "../types/format-type.js";
import type { GraphOfSheet } from "./tell.js";

/** What only the caller gives comes as text from a command line, unless the sheet names its type. */
export function tellUntypedInputs(of: GraphOfSheet, takes: TakenType, problems: Problems): void {
  for (const one of untypedInputs(of.graph, takes)) tellUntypedInput(one, of, problems);
}

/** Proposes to write the type into the cell. */
function tellUntypedInput(
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
