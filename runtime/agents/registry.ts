import { customType, normalizeAgent } from "../../compiler/agent-name.js";
import type { AnyAgent } from "../graph/contract/contract.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import { human } from "./asking/human.js";
import { input } from "./asking/input.js";
import { csvReader, csvWriter, fileReader, fileWriter, jsonReader, jsonWriter } from "./data/data-files.js";
import { list } from "./data/list.js";
import { branching } from "./deciding/branching.js";
import { orchestrator, switching } from "./deciding/choosing.js";
import { echo } from "./deciding/echo.js";
import { failure, success } from "./deciding/ends.js";
import { formula } from "./deciding/formula.js";
import { agentFacts } from "./facts.js";
import { anthropic, google, llm, openai } from "./models/llm.js";
import { summary } from "./models/summary.js";
import { http } from "./outside/http.js";
import { mail } from "./outside/mail.js";
import { mcp } from "./outside/mcp.js";
import { notify } from "./outside/notify.js";
import { sql } from "./outside/sql.js";
import { wait } from "./outside/wait.js";

/** A built-in agent and its export from `flowsheet/agents`. */
export interface Builtin {
  readonly name: string;
  readonly agent: AnyAgent;
}

export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["default", { name: "echo", agent: echo }],
  ["echo", { name: "echo", agent: echo }],
  ["input", { name: "input", agent: input }],
  ["human", { name: "human", agent: human }],
  ["branching", { name: "branching", agent: branching }],
  ["formula", { name: "formula", agent: formula }],
  ["switch", { name: "switch", agent: switching }],
  ["success", { name: "success", agent: success }],
  ["summary", { name: "summary", agent: summary }],
  ["orchestrator", { name: "orchestrator", agent: orchestrator }],
  ["failure", { name: "failure", agent: failure }],
  ["list", { name: "list", agent: list }],
  ["wait", { name: "wait", agent: wait }],
  ["mail", { name: "mail", agent: mail }],
  ["notify", { name: "notify", agent: notify }],
  ["mcp", { name: "mcp", agent: mcp }],
  ["sql", { name: "sql", agent: sql }],
  ["http", { name: "http", agent: http }],
  ["json_reader", { name: "jsonReader", agent: jsonReader }],
  ["json_writer", { name: "jsonWriter", agent: jsonWriter }],
  ["csv_reader", { name: "csvReader", agent: csvReader }],
  ["csv_writer", { name: "csvWriter", agent: csvWriter }],
  ["file_reader", { name: "fileReader", agent: fileReader }],
  ["file_writer", { name: "fileWriter", agent: fileWriter }],
  ["llm", { name: "llm", agent: llm }],
  ["openai", { name: "openai", agent: openai }],
  ["anthropic", { name: "anthropic", agent: anthropic }],
  ["google", { name: "google", agent: google }],
]);

export { customType, normalizeAgent as normalizeType } from "../../compiler/agent-name.js";

/** The type of each built-in agent, for graphs that hold only the agents. */
export const typesOfBuiltins: ReadonlyMap<unknown, string> = new Map(
  [...builtins].map(([type, { agent }]) => [agent, type]),
);

const canonical: ReadonlyMap<string, string> = new Map(
  agentFacts.flatMap(({ type, aliases }) =>
    [type, ...aliases].map((name) => [normalizeAgent(name), type] as const),
  ),
);

/** With or without "Agent" at its end; undefined for a custom agent. An empty name is `default`. */
export function builtinType(name: string): string | undefined {
  return canonical.get(normalizeAgent(name) || "default") ?? canonical.get(customType(name));
}

export class AgentRegistry {
  private readonly custom = new Map<string, AnyAgent>();

  find(type: string): AnyAgent | undefined {
    const builtin = builtinType(type);
    return builtin === undefined ? this.custom.get(customType(type)) : builtins.get(builtin)?.agent;
  }

  /** Adds an agent under a name; `WeatherAgent` answers to the type `weather`, unless that is given. */
  add(name: string, agent: AnyAgent, type = customType(name)): void {
    if (builtinType(name) !== undefined || builtinType(type) !== undefined) {
      throw new FlowsheetError("agent_name_taken", `"${name}" is the name of a built-in agent`);
    }
    if (this.custom.has(type))
      throw new FlowsheetError("agent_name_taken", `there are two agents named "${name}"`);
    if (typeof agent !== "function")
      throw new FlowsheetError("agent_unusable", `the agent "${name}" is neither a class nor a function`);
    this.custom.set(type, agent);
  }

  types(): ReadonlySet<string> {
    return new Set(this.custom.keys());
  }
}
