import type { AgentImport } from "../../compiler/3-emit/scope.js";
import type { Understanding } from "../../compiler/compile.js";
import { Problems } from "../../compiler/diagnostics/collect.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import type { NodeIR } from "../../compiler/ir.js";
import { tellUntypedInputs } from "../../compiler/type-check/tell.js";

/** Inputs whose types only the code of agents declares: the sheets do not show them. */
export function tellDeclared(
  understood: readonly Understanding[],
  agentOf: (node: NodeIR) => AgentImport,
): readonly Diagnostic[] {
  return understood.flatMap(({ file, sheet, graphs }) => {
    if (sheet === null) return [];
    const problems = new Problems(file);
    for (const graph of graphs)
      tellUntypedInputs({ graph, sheet }, (node, param) => agentOf(node).takes?.()?.get(param), problems);
    return problems.sorted();
  });
}
