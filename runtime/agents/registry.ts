import type { AnyAgent } from "../graph/contract/contract.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import { builtins, builtinType, customType } from "./builtins.js";

/** The built-in and custom agents of a graph. */
export class AgentRegistry {
  private readonly custom = new Map<string, AnyAgent>();

  /** The agent of a type as a sheet writes it, or undefined. */
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

  /** The types of the custom agents. */
  types(): ReadonlySet<string> {
    return new Set(this.custom.keys());
  }
}
