import type { NodeIR } from "../../compiler/ir.js";
import type { Services } from "../graph/contract.js";
import type { StandIn } from "./mocks.js";

/** A node that a case came to and must not run. */
export interface Offence {
  readonly node: string;
  readonly why: string;
  readonly cure: string;
}

const MODELS: ReadonlySet<string> = new Set(["llm", "openai", "anthropic", "google"]);
const WRITERS: ReadonlySet<string> = new Set(["json_writer", "csv_writer", "file_writer"]);

/** What a node does to the world outside: nothing, or in words. */
function effectOf({ agent: { builtin, type }, settings }: NodeIR): "asks a model" | "writes files" | null {
  if (!builtin) return null;
  if (WRITERS.has(type)) return "writes files";
  const { llm, strategy } = settings;
  const asks =
    MODELS.has(type) ||
    (type === "summary" && llm !== undefined && llm !== false) ||
    (type === "orchestrator" && strategy === "llm");
  return asks ? "asks a model" : null;
}

export interface GuardOptions {
  /** Custom agents that are not there, by node. */
  readonly missing: ReadonlySet<string>;
  /** What the caller lends the agents; a model among them may be asked. */
  readonly services: Services;
  readonly onOffence: (offence: Offence) => void;
}

/** The stand-in for a node that no case may run as it is; null for all others. */
export function guardOf(node: NodeIR, { missing, services, onOffence }: GuardOptions): StandIn | null {
  const refuse = (why: string, cure: string): StandIn => {
    const offence = { node: node.name, why: `node ${JSON.stringify(node.name)} ${why}`, cure };
    return () => {
      onOffence(offence);
      throw new Error(offence.why);
    };
  };
  const entry = `{${JSON.stringify(node.name)}: "what it gives"}`;
  if (missing.has(node.name))
    return refuse(
      `has no agent: there is no ${JSON.stringify(node.agent.written)}`,
      `write the agent, or write ${entry} into mocks`,
    );
  const effect = effectOf(node);
  if (effect === null || (effect === "asks a model" && services["llm"] !== undefined)) return null;
  return refuse(`${effect}, which a test must not do`, `write ${entry} into mocks`);
}

/** The services of a case: models that nobody lends are refused, also to custom agents. */
export function guardedServices({ services, onOffence }: Omit<GuardOptions, "missing">): Services {
  if (services["llm"] !== undefined) return services;
  const generate = (_request: unknown, call?: { readonly node?: string }): never => {
    const why = "an agent asks a model, which a test must not do";
    onOffence({ node: call?.node ?? "", why, cure: "mock the node whose agent it is" });
    throw new Error(why);
  };
  return { ...services, llm: { generate } };
}
