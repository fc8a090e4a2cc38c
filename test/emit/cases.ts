import { existsSync } from "node:fs";
import { join } from "node:path";
import { customType } from "../../compiler/agent-name.js";
import { emitFiles } from "../../compiler/emit-files.js";
import type { GraphIR, NodeIR } from "../../compiler/ir.js";
import { findAgents } from "../../runtime/agents/custom/find.js";
import { fingerprintOf } from "../../runtime/graph/link/fingerprint.js";
import { CASES } from "../cases/case-folder.js";
import { modulesOf } from "./emitted.js";

/** The generated files of a case, with the agents of its own folder `agents`. */
export function emitCase(folder: string, graphs: readonly GraphIR[]): ReadonlyMap<string, string> {
  const agents = join(CASES, folder, "agents");
  const found = existsSync(agents) ? findAgents(agents) : [];
  const findAgent = (node: Pick<NodeIR, "agent">): { readonly from: string; readonly name: string } => {
    const agent = found.find(({ type }) => type === customType(node.agent.written));
    if (agent === undefined) throw new Error(`${folder} lacks the agent ${node.agent.written}`);
    return {
      from: `./agents/${agent.file.slice(agents.length + 1).replace(/ts$/, "js")}`,
      name: agent.export,
    };
  };
  const toEmit = graphs.map((graph) => ({ graph, fingerprint: fingerprintOf(graph) }));
  return emitFiles(toEmit, { findAgent, extension: ".js", modules: modulesOf(graphs) });
}
