import { describeValue } from "../../../compiler/types/describe-value.js";
import type { AgentContext, Outcome } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import { type Inputs, inputOf } from "../agent.js";

/** Shorter waits do not suspend the run. */
const SHORT_MS = 1_000;

/** Goes on after a time, or at one. It writes when it went on. */
export function wait<R = string>(inputs: object, context: AgentContext): Outcome<R> {
  const now = (): R => new Date().toISOString() as R;
  if (context.answer !== undefined) return now();
  const ms = lengthOf(inputs as Inputs, context);
  if (ms <= 0) return now();
  if (ms <= SHORT_MS) return pause(ms, context.signal).then(now);
  return context.wait({ limitMs: ms, fallback: true });
}

const failure = (message: string): AgentError => new AgentError("agent_failed", message);

function lengthOf(inputs: Inputs, { settings }: AgentContext): number {
  const { for: length, until } = settings;
  if (typeof until === "string") return timeIn(inputOf(inputs, until), until) - Date.now();
  const ms = typeof length === "string" ? durationOf(length) : null;
  if (ms === null)
    throw failure('it is not said how long: "for" is a time such as "2h", "until" names an input');
  return ms;
}

const UNITS: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

function durationOf(text: string): number | null {
  const [, number, unit = ""] = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*(ms|s|m|h|d)\s*$/.exec(text) ?? [];
  return number === undefined ? null : Number(number) * UNITS[unit]!;
}

/** An ISO time; without an offset it is UTC. */
function timeIn(value: unknown, name: string): number {
  const [, day, clock = "T00:00", offset = "Z"] =
    /^\s*(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(Z|[+-]\d\d:?\d\d)?\s*$/i.exec(
      String(value),
    ) ?? [];
  const time = day === undefined ? Number.NaN : Date.parse(`${day}${clock.replace(" ", "T")}${offset}`);
  if (!Number.isNaN(time)) return time;
  throw failure(
    `the input "${name}" is to be a time such as 2026-11-22T09:00:00Z, but it is ${describeValue(value)}`,
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
