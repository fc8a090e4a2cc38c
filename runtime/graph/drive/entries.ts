import { AgentError } from "../contract/errors.js";
import type { Output } from "../link/table.js";
import { fromAgent } from "../values/values.js";
import type { Visit } from "./visit.js";

/**
 * Entries without an output are left out, and logged once for each node and run. An entry `__proto__` is always
 * refused.
 */
export function checkSurplus({ line: { run }, prepared: node }: Visit, answer: object): void {
  if (Object.hasOwn(answer, "__proto__")) fromAgent.refuse('an entry named "__proto__"');
  if (run.options.log === undefined || run.noted?.has(node.index) === true) return;
  const keys = new Set(node.outputs.map(({ key }) => key));
  const surplus = Object.keys(answer).filter((key) => !keys.has(key));
  if (surplus.length === 0) return;
  run.noted ??= new Set();
  run.noted.add(node.index);
  run.log.warn(`"${node.name}" has no output for ${surplus.map((key) => `"${key}"`).join(", ")}: left out`);
}

export function noMapping(): never {
  throw new AgentError("bad_value", "the agent must return a mapping with an entry for each output");
}

export function missingEntry({ key }: Output): never {
  throw new AgentError("bad_value", `the agent returned a mapping without "${key}"`);
}
