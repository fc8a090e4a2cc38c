import type { GraphIR, NodeIR, ReadIR } from "../../ir.js";

/** A read of a whole field that only the caller gives, and whose type the sheet does not name. */
export interface UntypedRead {
  readonly node: NodeIR;
  readonly read: ReadIR;
}

/** What agents of the project read of what only the caller gives, where the sheet names no type. */
export function untypedReads({ nodes, fields }: GraphIR): readonly UntypedRead[] {
  const open = new Set(
    fields.flatMap(({ name, input, writers, checks }) =>
      input !== null && writers.length === 0 && checks.length === 0 ? [name] : [],
    ),
  );
  return nodes.flatMap((node) =>
    node.agent.builtin
      ? []
      : node.reads.flatMap((read) =>
          open.has(read.field) && read.path.length === 0 ? [{ node, read }] : [],
        ),
  );
}
