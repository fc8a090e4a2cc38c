import type { FieldType, GraphIR, NodeIR, ReadIR } from "../../ir.js";
import { formatType } from "../../types/format-type.js";

/** An input of which only the agent's code says that it is no text, and the type that the sheet can name for it. */
export interface UntypedInput {
  readonly node: NodeIR;
  readonly read: ReadIR;
  readonly type: FieldType;
}

/** The type of what a node's agent takes: undefined where its code says nothing, null where no sheet can name it. */
export type TakenType = (node: NodeIR, param: string) => FieldType | null | undefined;

/**
 * What agents of the project declare of fields that only the caller gives, where the sheet names no type. Each field
 * comes once; where agents do not agree, nobody can name it.
 */
export function untypedInputs({ nodes, fields }: GraphIR, takes: TakenType): readonly UntypedInput[] {
  const open = new Set(
    fields.flatMap(({ name, input, writers, checks }) =>
      input !== null && writers.length === 0 && checks.length === 0 ? [name] : [],
    ),
  );
  const found = new Map<string, UntypedInput>();
  const mixed = new Set<string>();
  for (const node of nodes.filter(({ agent }) => !agent.builtin)) {
    for (const read of node.reads) {
      const type = open.has(read.field) && read.path.length === 0 ? takes(node, read.param) : undefined;
      const known = found.get(read.field);
      if (type === undefined) continue;
      if (type === null || (known !== undefined && formatType(known.type) !== formatType(type)))
        mixed.add(read.field);
      else if (known === undefined) found.set(read.field, { node, read, type });
    }
  }
  return [...found.values()].filter(({ read }) => !mixed.has(read.field));
}
