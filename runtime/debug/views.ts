import type { StateData, Stop, StopView } from "../graph/contract/contract.js";
import { redactData } from "../graph/tell/redact.js";
import { isReserved } from "../graph/values/values.js";

/** What a visit would get, without secrets, as in traces. */
export function safeView(stop: Stop, redact: (text: string) => string): StopView {
  const { inputs, prompt, state } = stop.look();
  return {
    inputs: redactData(inputs, redact),
    prompt: prompt === null ? null : redact(prompt),
    state: redactData(state, redact) as StateData,
  };
}

/** Whether a field may be written by hand. */
export const canBeSet = (field: string): boolean =>
  /^[\p{L}_][\p{L}\p{N}_-]{0,127}$/u.test(field) && !isReserved(field);
