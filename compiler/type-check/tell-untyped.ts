import { editCell, locate } from "../1-parse/index.js";
import { type UntypedRead, untypedReads } from "../2-analyze/index.js";
import type { Problems } from "../diagnostics/collect.js";
import type { FieldType, NodeIR } from "../ir.js";
import { formatType } from "../types/format-type.js";
import type { GraphOfSheet } from "./tell.js";

/** An input of which only the agent's code says that it is no text, and the type that the sheet can name for it. */
interface UntypedInput extends UntypedRead {
  readonly type: FieldType;
}

/** The type of what a node's agent takes: undefined where its code says nothing, null where no sheet can name it. */
export type TakenType = (node: NodeIR, param: string) => FieldType | null | undefined;

/**
 * What only the caller gives comes as text from a command line, unless the sheet names its type. Each field is told
 * once; where agents do not agree, nobody can name it.
 */
export function tellUntypedInputs(of: GraphOfSheet, takes: TakenType, problems: Problems): void {
  const found = new Map<string, UntypedInput>();
  const mixed = new Set<string>();
  for (const { node, read } of untypedReads(of.graph)) {
    const type = takes(node, read.param);
    const known = found.get(read.field);
    if (type === undefined) continue;
    if (type === null || (known !== undefined && formatType(known.type) !== formatType(type)))
      mixed.add(read.field);
    else if (known === undefined) found.set(read.field, { node, read, type });
  }
  for (const one of found.values()) if (!mixed.has(one.read.field)) tellUntypedInput(one, of, problems);
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
