import type { ErrorCode, Json, WaitSpec } from "../contract/contract.js";
import { AgentError, codeOf } from "../contract/errors.js";
import type { Usage } from "../contract/services.js";
import { choose, mark, signalOf, wait } from "../contract/signal.js";
import { publicMessage } from "../drive/run.js";
import { extraOf, type Said, type Visit } from "../drive/visit.js";
import { dataOf } from "../values/values.js";

/** Calls the agent through a durable engine, which records the answer. Later calls get the recorded one. */
export async function callDurably(visit: Visit, callAgent: (visit: Visit) => unknown): Promise<unknown> {
  const { ops } = visit.line.run;
  const extra = extraOf(visit);
  extra.calls += 1;
  // A name cannot hold "|", so ids are unique. The first call of a visit has the plain id.
  const call = extra.calls === 1 ? "" : `|${extra.calls}`;
  const id = `${visit.node}|${visit.visit}${call}`;
  extra.said = null;
  const { said, usage, became } = (await ops!.step(id, () => record(visit, callAgent))) as Recorded;
  // Recorded turns and usage count, too, when the agent was not called again.
  extra.said = said as readonly Said[] | null;
  extra.usage = usage as Usage | null;
  return decode(became);
}

interface Recorded {
  readonly became: Became;
  readonly said: Json;
  readonly usage: Json;
  readonly [key: string]: Json;
}

type Became =
  | { readonly kind: "value"; readonly value?: Json }
  | {
      readonly kind: "failure";
      readonly reason: string | null;
      readonly whole: boolean;
      readonly value?: Json;
    }
  | { readonly kind: "choice"; readonly name: string; readonly value?: Json }
  | { readonly kind: "wait"; readonly spec: Json }
  | { readonly kind: "thrown"; readonly code: ErrorCode; readonly message: string };

async function record(visit: Visit, callAgent: (visit: Visit) => unknown): Promise<Json> {
  const became = await settle(visit, callAgent);
  const { said, usage } = extraOf(visit);
  return dataOf({ became, said, usage }) as Json;
}

async function settle(visit: Visit, callAgent: (visit: Visit) => unknown): Promise<Json> {
  try {
    return dataOf(encode(await callAgent(visit))) as Json;
  } catch (thrown) {
    return { kind: "thrown", code: codeOf(thrown), message: publicMessage(visit.line.run, thrown) };
  }
}

function encode(answer: unknown): unknown {
  const signal = typeof answer === "object" && answer !== null ? signalOf(answer) : undefined;
  if (signal === undefined) return { kind: "value", value: answer };
  if ("spec" in signal) return { kind: "wait", spec: signal.spec };
  if ("failure" in signal)
    return { kind: "failure", reason: signal.failure, whole: signal.whole, value: signal.writes };
  return { kind: "choice", name: signal.name, value: signal.value };
}

function decode(recorded: Became): unknown {
  switch (recorded.kind) {
    case "value":
      return recorded.value;
    case "failure":
      return { [mark]: "failure", failure: recorded.reason, writes: recorded.value, whole: recorded.whole };
    case "choice":
      return choose(recorded.name, recorded.value);
    case "wait":
      return wait(recorded.spec as WaitSpec);
    case "thrown":
      throw new AgentError(recorded.code as AgentError["code"], recorded.message);
  }
}
