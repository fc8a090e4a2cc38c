import { join } from "node:path";
import { customType } from "../../compiler/agent-name.js";
import type { Understanding } from "../../compiler/compile.js";
import type { GraphIR } from "../../compiler/ir.js";
import { checkTypes, type TypeFindings } from "../../compiler/type-check/check-types.js";
import { TypeConfigError } from "../../compiler/type-check/program.js";
import { findAgents } from "../../runtime/agents/custom/find.js";
import type { Folders } from "../../runtime/config/folders.js";
import { fingerprintOf } from "../../runtime/graph/link/fingerprint.js";
import { nameFrom } from "../../runtime/workflows/find-sheets.js";
import { errorsOf } from "../../runtime/workflows/read-sheet.js";
import type { Emitter } from "../compile/modules.js";
import type { ProjectGraphs } from "../compile/project-graphs.js";
import { UsageError } from "../failure.js";
import { packageRoot } from "../package-root.js";
import type { Context } from "../process/context.js";

/** Checks modules in memory. Graphs with errors or with missing agents are left out. */
export function findTypeProblems(
  context: Context,
  folders: Folders,
  understood: readonly Understanding[],
  project: ProjectGraphs,
  out: string,
  emit: Emitter,
): TypeFindings {
  const sound = soundGraphs(understood, folders, project);
  const graphs = understood.flatMap(({ sheet, graphs: all }) => {
    if (sheet === null) return [];
    const valid = all.filter((graph) => sound.has(graph));
    return valid.map((graph) => ({ graph, sheet, fingerprint: fingerprintOf(graph) }));
  });
  const skipped = understood.reduce((sum, { graphs: all }) => sum + all.length, 0) - graphs.length;
  if (skipped > 0) context.note(`the types of ${skipped} of the graphs are not checked: mend them first`);
  const called = project.calledBy(graphs.map(({ graph }) => graph));
  const emitted = emit([...graphs, ...called].map(({ graph }) => graph));
  const files = new Map([...emitted].map(([name, text]) => [join(out, name), text]));
  const shown = (path: string): string => nameFrom(context.cwd, path);
  try {
    return checkTypes({ files, graphs, root: folders.root, packageRoot: packageRoot(), shown });
  } catch (error) {
    if (!(error instanceof TypeConfigError)) throw error;
    throw new UsageError(`cannot read ${shown(error.file)}: ${error.message}`);
  }
}

/** The graphs whose modules can be printed. A graph that runs a faulty one cannot. */
function soundGraphs(
  understood: readonly Understanding[],
  folders: Folders,
  project: ProjectGraphs,
): ReadonlySet<GraphIR> {
  const custom = new Set(findAgents(folders.agents).map(({ type }) => type));
  const isSound = (understanding: Understanding, { name, nodes }: GraphIR): boolean =>
    understanding.sheet !== null &&
    errorsOf(understanding, name).length === 0 &&
    nodes.every(({ agent }) => agent.builtin || custom.has(customType(agent.written)));
  const own = understood.flatMap((one) => one.graphs.map((graph) => ({ understanding: one, graph })));
  const all = [...own, ...project.calledBy(own.map(({ graph }) => graph))];
  const sound = new Set(
    all.flatMap(({ understanding, graph }) => (isSound(understanding, graph) ? [graph] : [])),
  );
  const runsFaulty = (graph: GraphIR): boolean =>
    graph.nodes.some((node) => {
      const child = project.childOf(graph, node);
      return child !== null && !sound.has(child);
    });
  for (let before = -1; before !== sound.size; ) {
    before = sound.size;
    for (const graph of sound) if (runsFaulty(graph)) sound.delete(graph);
  }
  return sound;
}
