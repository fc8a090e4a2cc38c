import type { World } from "../../world.js";
import type { Code } from "../catalogue.js";

/** The world of the examples: an empty project without missing files. */
const project: Omit<World, "agents"> = {
  customAgents: new Set(["adder"]),
  unknownAgent: "warning",
  prompt: () => ({ missing: "there is no such file" }),
  otherGraphs: new Set(),
  lacks: () => null,
  table: (name) =>
    name === "tariff.csv"
      ? {
          rows: [
            { cells: ["weight", "price"], number: 1 },
            { cells: ["1", "4.9"], number: 2 },
            { cells: ["10", "9.9"], number: 3 },
          ],
          isWorksheet: false,
        }
      : { missing: "there is no such file" },
};

export function exampleWorld(code: Code, agents: World["agents"]): World {
  const lacking = { what: "the key OPENAI_API_KEY", cure: "set OPENAI_API_KEY in the environment" };
  const lacks: World["lacks"] = (type) => (type === "llm" ? lacking : null);
  return { ...project, agents, ...(code === "missing-dependency" ? { lacks } : {}) };
}

export function curedWorld(agents: World["agents"]): World {
  return { ...project, agents };
}
