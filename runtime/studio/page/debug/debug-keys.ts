import { pressStep } from "../run/press-run.js";
import { chosenRow, graph } from "../state.js";
import { debuggingHere, mayDebug } from "./debug-state.js";
import { changeBreak, tell } from "./lead.js";

const breakable = (): string | null => {
  const { node = null, graph: of = null } = chosenRow.value ?? {};
  return of === graph.value?.name && mayDebug() ? node : null;
};

/** What debugging does at keys. */
export const DEBUG_COMMANDS = [
  {
    keys: ["F9"],
    says: "stop before this row's node, or no longer",
    act: () => changeBreak(breakable() ?? ""),
    isThere: () => breakable() !== null,
  },
  {
    keys: ["F10"],
    says: "run step by step: the next step",
    act: () => (debuggingHere.value === null ? pressStep() : void tell({ do: "next" })),
    isThere: mayDebug,
  },
  {
    keys: ["F5"],
    says: "continue to the next break (while debugging)",
    act: () => void tell({ do: "continue" }),
    isThere: () => debuggingHere.value !== null,
  },
];
