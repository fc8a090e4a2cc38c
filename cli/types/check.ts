import { join } from "node:path";
import { customType } from "../../compiler/2-analyze/index.js";
import type { Understanding } from "../../compiler/compile.js";
import type { GraphIR } from "../../compiler/ir.js";
import { checkTypes, TypeConfigError, type TypeFindings } from "../../compiler/type-check/index.js";
import { findAgents } from "../../runtime/agents/find.js";
import type { Folders } from "../../runtime/config/folders.js";
import { fingerprintOf } from "../../runtime/graph/fingerprint.js";
import { nameFrom } from "../../runtime/workflows/find-sheets.js";
import type { Context } from "../context.js";
import { UsageError } from "../failure.js";
import { packageRoot } from "../package-root.js";

export interface TypesToCheck {
  readonly understood: readonly Understanding[];
  readonly folders: Folders;
  /** The folder of the modules. */
  readonly out: string;
  /** Makes the modules, by their names in that folder. */
  readonly emit: (graphs: readonly GraphIR[]) => ReadonlyMap<string, string>;
}

/** Type-checks what would be compiled, in memory. Graphs with errors, or with agents that are not there, are left out. */
export function findTypeProblems(context: Context, check: TypesToCheck): TypeFindings {
  const { understood, folders, out, emit } = check;
  const custom = new Set(findAgents(folders.agents).map(({ type }) => type));
  const graphs = understood.flatMap(({ sheet, graphs: all, diagnostics }) => {
    if (sheet === null) return [];
    const faulty = new Set(diagnostics.flatMap((one) => (one.severity === "error" ? [one.graph] : [])));
    return all
      .filter(({ name }) => !faulty.has(null) && !faulty.has(name))
      .filter(({ nodes }) =>
        nodes.every(({ agent }) => agent.builtin || custom.has(customType(agent.written))),
      )
      .map((graph) => ({ graph, sheet, fingerprint: fingerprintOf(graph) }));
  });
  const skipped = understood.reduce((sum, { graphs: all }) => sum + all.length, 0) - graphs.length;
  if (skipped > 0) context.note(`the types of ${skipped} of the graphs are not checked: mend them first`);
  const emitted = emit(graphs.map(({ graph }) => graph));
  const files = new Map([...emitted].map(([name, text]) => [join(out, name), text]));
  const shown = (path: string): string => nameFrom(context.cwd, path);
  try {
    return checkTypes({ files, graphs, root: folders.root, packageRoot: packageRoot(), shown });
  } catch (error) {
    if (!(error instanceof TypeConfigError)) throw error;
    throw new UsageError(`cannot read ${shown(error.file)}: ${error.message}`);
  }
}
