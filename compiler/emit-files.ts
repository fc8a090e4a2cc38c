import { emitIndex, emitModule } from "./3-emit/index.js";
import { kebabCase } from "./3-emit/names.js";
import type { AgentImport } from "./3-emit/scope.js";
import type { GraphIR, NodeIR } from "./ir.js";

/** A graph with what its module says of its sheet. */
export interface GraphToEmit {
  readonly graph: GraphIR;
  readonly fingerprint: string;
}

/** The generated files of a project: one module a graph, and an index of them. */
export function emitFiles(
  graphs: readonly GraphToEmit[],
  findAgent: (node: NodeIR) => AgentImport,
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const names = fileNames(graphs);
  const modules = graphs.map(({ graph, fingerprint }, i) => {
    const sheet = graph.file.slice(Math.max(graph.file.lastIndexOf("/"), graph.file.lastIndexOf("\\")) + 1);
    const module = emitModule(graph, { sheet, fingerprint, findAgent });
    const name = names[i] as string;
    files.set(`${name}.gen.ts`, module.text);
    return { from: `./${name}.gen.js`, value: module.value };
  });
  if (modules.length > 0) files.set("index.gen.ts", emitIndex(modules));
  return files;
}

/** File names that differ also where case does not count; the sheet's name tells two graphs of one name apart. */
function fileNames(graphs: readonly GraphToEmit[]): readonly string[] {
  const taken = new Set(["index"]);
  return graphs.map(({ graph }) => {
    const base = kebabCase(graph.name);
    let name = base;
    for (let i = 2; taken.has(name.toLowerCase()); i++) name = `${base}-${i}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
