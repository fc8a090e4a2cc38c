import type { FieldType, GraphIR, NodeIR, ReadIR } from "../../ir.js";
import { formatType } from "../../types/format-type.js";

/** An input whose type only the agent's code declares; the sheet could name this type. */
export interface UntypedInput {
  readonly node: NodeIR;
  readonly read: ReadIR;
  readonly type: FieldType;
}

/** The declared type of an input: undefined without a declaration, null for a type that no sheet can name. */
export type TakenType = (node: NodeIR, param: string) => FieldType | null | undefined;

/**
 * The inputs that only the caller gives, that the sheet gives no type, and whose type agents of the project declare.
 * A field is left out when agents declare different types.
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
