import { untypedReads } from "../../compiler/2-analyze/index.js";
import type { AgentImport } from "../../compiler/3-emit/index.js";
import type { Understanding } from "../../compiler/compile.js";
import { Problems } from "../../compiler/diagnostics/collect.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import type { FieldType, GraphIR, NodeIR } from "../../compiler/ir.js";
import { tellUntypedInput, type UntypedInput } from "../../compiler/type-check/tell-untyped.js";
import { formatType } from "../../compiler/types/format-type.js";

/** What the modules know by the text of agents, and the sheets do not say. */
export function tellDeclared(
  understood: readonly Understanding[],
  agentOf: (node: NodeIR) => AgentImport,
): readonly Diagnostic[] {
  return understood.flatMap(({ file, sheet, graphs }) => {
    if (sheet === null) return [];
    const problems = new Problems(file);
    for (const graph of graphs)
      for (const found of declaredIn(graph, agentOf)) tellUntypedInput(found, { graph, sheet }, problems);
    return problems.sorted();
  });
}

/** Each field once; where agents do not agree, nobody can name its type. */
function declaredIn(graph: GraphIR, agentOf: (node: NodeIR) => AgentImport): readonly UntypedInput[] {
  const found = new Map<string, UntypedInput>();
  const mixed = new Set<string>();
  for (const { node, read } of untypedReads(graph)) {
    const type: FieldType | undefined = agentOf(node).takes?.()?.get(read.param);
    const known = found.get(read.field);
    if (type === undefined) continue;
    if (known === undefined) found.set(read.field, { node, read, type });
    else if (formatType(known.type) !== formatType(type)) mixed.add(read.field);
  }
  return [...found.values()].filter(({ read }) => !mixed.has(read.field));
}
