import type { PromptIR, ReadIR } from "../../../compiler/ir.js";
import { isRunValue, RUN_VALUES } from "../../../compiler/types/run-values.js";
import type { RunValues } from "../contract/contract.js";
import { at, text } from "../values/values.js";

type Mapping = { readonly [key: string]: unknown };
type Inputs = { [param: string]: unknown };
type Reader = (state: Mapping, run: RunValues) => Inputs;

/** The function that reads a node's inputs from the state. It makes a new mapping each time. */
export function linkInputs(reads: readonly ReadIR[]): Reader {
  const [first, second] = reads;
  if (first === undefined) return () => ({});
  if (reads.length > 2 || reads.some(({ field, path }) => path.length > 0 || isRunValue(field)))
    return linkAny(reads);
  // Most nodes read one or two whole fields. Assignment takes half the time of `{ [param]: … }`.
  const { param, field } = first;
  if (second === undefined)
    return (state) => {
      const inputs: Inputs = {};
      inputs[param] = state[field];
      return inputs;
    };
  return (state) => {
    const inputs: Inputs = {};
    inputs[param] = state[field];
    inputs[second.param] = state[second.field];
    return inputs;
  };
}

function linkAny(reads: readonly ReadIR[]): Reader {
  return (state, run) => {
    const inputs: Inputs = {};
    for (const { param, field, path } of reads) {
      if (isRunValue(field)) inputs[param] = run[RUN_VALUES[field]];
      else inputs[param] = path.length === 0 ? state[field] : at(state[field], ...path);
    }
    return inputs;
  };
}

/** The function that renders a prompt. A placeholder without an input is a field of the state, such as `error`. */
export function linkPrompt(
  prompt: PromptIR,
  reads: readonly ReadIR[],
): (inputs: Mapping, state: Mapping) => string {
  const parts = prompt.map((part): string | ((inputs: Mapping, state: Mapping) => string) => {
    if (typeof part === "string") return part;
    const [head = "", ...path] = part;
    const isInput = reads.some(({ param }) => param === head);
    if (path.length === 0) return isInput ? (inputs) => text(inputs[head]) : (_, state) => text(state[head]);
    return (inputs, state) => text(at((isInput ? inputs : state)[head], ...path));
  });
  const [only] = parts;
  if (parts.length === 1 && typeof only === "string") return () => only;
  return (inputs, state) => {
    let out = "";
    for (const part of parts) out += typeof part === "string" ? part : part(inputs, state);
    return out;
  };
}
