import { isObject } from "../../../compiler/types/field-type.js";
import type { ErrorCode, Json, StateData, StepResult, WaitSpec } from "../contract/contract.js";
import { AgentError, asksToWait, codeOf, waitAskedBy } from "../contract/errors.js";
import { choose, mark, signalOf, wait } from "../contract/signal.js";
import { checkSurplus, missingEntry, noMapping } from "../drive/entries.js";
import { publicMessage } from "../drive/run.js";
import type { Visit } from "../drive/visit.js";
import { holdOutput } from "../link/hold.js";
import type { Output } from "../link/table.js";
import { dataOf, isMapping } from "../values/values.js";

/** What the outputs take of an answer: the rest need not be data. */
interface Kept {
  /** The answer itself; missing when it is undefined. */
  readonly whole?: Json;
  /** The entries of the answer that are outputs. */
  readonly entries?: { readonly [key: string]: Json };
  /** Entries that were there and undefined. They stand apart, so that no value can look like one. */
  readonly unset?: readonly string[];
}

/** The result of a call as data. */
export type Became =
  | ({ readonly kind: "value" } & Kept)
  | ({ readonly kind: "failure"; readonly reason: string | null; readonly isWhole: boolean } & Kept)
  | ({ readonly kind: "choice"; readonly name: string } & Kept)
  | { readonly kind: "wait"; readonly spec: Json }
  | {
      readonly kind: "thrown";
      readonly code: ErrorCode;
      readonly message: string;
      readonly retryAfterMs?: number;
    };

export function thrownBy({ line }: Visit, thrown: unknown): Became {
  const retryAfterMs = waitAskedBy(thrown);
  return {
    kind: "thrown",
    code: codeOf(thrown),
    message: publicMessage(line.run, thrown),
    ...(retryAfterMs === 0 ? {} : { retryAfterMs }),
  };
}

/** An answer as data. It throws where the answer is none that the node could take. */
export function encode(visit: Visit, answer: unknown): Became {
  const signal = typeof answer === "object" && answer !== null ? signalOf(answer) : undefined;
  if (signal === undefined) return encodePlain(visit, answer);
  if ("spec" in signal) return { kind: "wait", spec: dataOf(signal.spec) ?? {} };
  if (!("failure" in signal))
    return { kind: "choice", name: String(signal.name), ...keep(visit, signal.value) };
  const { failure: reason, whole: isWhole, writes } = signal;
  const kept = isWhole ? keep(visit, writes) : writes === undefined ? {} : keepEntries(visit, writes);
  return { kind: "failure", reason, isWhole, ...kept };
}

/** A node that chooses takes the answer as a name, too. */
function encodePlain(visit: Visit, answer: unknown): Became {
  if (visit.prepared.choices === null) return { kind: "value", ...keep(visit, answer) };
  return { kind: "choice", name: String(answer), ...keep(visit, answer) };
}

function keep(visit: Visit, answer: unknown): Kept {
  const [only, another] = visit.prepared.outputs;
  if (only === undefined) return {};
  if (another !== undefined) return keepEntries(visit, answer);
  const isEntry = !isObject(only.type) && isMapping(answer) && Object.hasOwn(answer, only.key);
  return isEntry ? keepEntries(visit, answer) : keepWhole(dataOf(answer));
}

const keepWhole = (whole: Json | undefined): Kept => (whole === undefined ? {} : { whole });

function keepEntries(visit: Visit, answer: unknown): Kept {
  // Any answer that is no mapping is refused in the same words.
  if (!isMapping(answer)) return { whole: null };
  checkSurplus(visit, answer);
  const entries: { [key: string]: Json } = {};
  const unset: string[] = [];
  for (const { key } of visit.prepared.outputs) {
    if (!Object.hasOwn(answer, key)) continue;
    const value = dataOf(answer[key]);
    if (value === undefined) unset.push(key);
    else entries[key] = value;
  }
  return { entries, ...(unset.length === 0 ? {} : { unset }) };
}

/** The answer again. It throws what the agent threw. */
export function decode(became: Became): unknown {
  switch (became.kind) {
    case "value":
      return answerOf(became);
    case "failure":
      return {
        [mark]: "failure",
        failure: became.reason,
        writes: answerOf(became),
        whole: became.isWhole,
      };
    case "choice":
      return choose(became.name, answerOf(became));
    case "wait":
      return wait(became.spec as WaitSpec);
    case "thrown":
      throw asksToWait(
        new AgentError(became.code as AgentError["code"], became.message),
        became.retryAfterMs,
      );
  }
}

function answerOf({ whole, entries, unset = [] }: Kept): unknown {
  if (entries === undefined) return whole;
  return { ...entries, ...Object.fromEntries(unset.map((key) => [key, undefined])) };
}

/** The result of a call for a history. */
export function resultOf(visit: Visit, became: Became): StepResult {
  if (became.kind === "wait") return { outcome: "waiting", writes: {}, error: null };
  if (became.kind === "thrown") return { outcome: "thrown", writes: {}, error: became.message };
  const isFailure = became.kind === "failure";
  try {
    const writes = writesOf(visit, became, isFailure && !became.isWhole);
    return {
      outcome: isFailure ? "failure" : "success",
      writes,
      error: isFailure ? became.reason : null,
    };
  } catch (thrown) {
    return { outcome: "thrown", writes: {}, error: publicMessage(visit.line.run, thrown) };
  }
}

/** The values that the node writes. It throws where the node does. */
function writesOf({ prepared }: Visit, kept: Kept, mayMiss: boolean): StateData {
  const writes: { [field: string]: Json } = {};
  const { whole, entries } = kept;
  const needsEntries = prepared.outputs.length > 1 || mayMiss;
  if (needsEntries && entries === undefined && !(mayMiss && whole === undefined)) noMapping();
  for (const output of prepared.outputs) {
    const value = holdOutput(output, keptValue(output, kept, mayMiss), prepared);
    if (value !== undefined) writes[output.field] = value;
  }
  return writes;
}

function keptValue(output: Output, { whole, entries, unset }: Kept, mayMiss: boolean): Json | undefined {
  const { key } = output;
  if (entries === undefined) return whole;
  if (Object.hasOwn(entries, key)) return entries[key];
  if (mayMiss || unset?.includes(key) === true) return undefined;
  return missingEntry(output);
}
