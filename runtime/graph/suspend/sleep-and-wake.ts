import type { Json, WaitSpec } from "../contract/contract.js";
import type { Line } from "../drive/run.js";
import { answeredNow, createVisit, extraOf, type Visit } from "../drive/visit.js";
import { tellEnd } from "../tell/events.js";
import { timeAfter } from "../values/times.js";
import { convertAnswer, waitingFor } from "./answers.js";
import { isDueInside } from "./names-inside.js";

/** Suspends a visit until the run is resumed with an answer. */
export function fallAsleep(visit: Visit): false {
  const { line, prepared: node, visit: number, attempt, notes, extra } = visit;
  const spec = extra?.spec ?? {};
  if (notes !== null) tellEnd(visit, "waiting", null);
  const until = untilOf(visit);
  const waiting = waitingFor(node, spec);
  const about = { node: node.index, visit: number, attempt, spec, until, waiting };
  line.asleep = { ...about, answer: undefined, answered: null };
  return false;
}

/** The end of a wait. A durable engine has its own. */
function untilOf({ prepared: { timeoutMs }, extra }: Visit): number | null {
  const parked = extra?.parked ?? null;
  if (parked !== null) return parked.until;
  const limit = extra?.spec?.limitMs ?? timeoutMs;
  return limit === 0 ? null : timeAfter(Date.now(), limit);
}

/** A waiting visit that now has its answer, or has timed out; null when there is none. */
export function wake(line: Line): Visit | null {
  const { run, asleep } = line;
  if (asleep === null) return null;
  const { until, spec } = asleep;
  const now = run.options.waitsAt ?? Date.now();
  const isOver = until !== null && now >= until;
  const isDue = isOver || (spec.inside !== undefined && isDueInside(spec.inside, now));
  if (asleep.answer === undefined && !isDue) return null;
  line.asleep = null;
  const node = run.table.nodes[asleep.node]!;
  if (isOver && asleep.answer !== undefined)
    run.log.warn(`the answer to "${node.name}" came after its time was over: it is not used`);
  const visit = createVisit(line, node, asleep.visit);
  const extra = extraOf(visit);
  extra.calls = 1;
  extra.attempt = asleep.attempt;
  extra.answer = isOver ? fallbackOf(asleep.spec) : asleep.answer;
  if (!isOver && asleep.answer !== undefined)
    extra.answered = asleep.answered ?? answeredNow(run, run.options.answeredBy);
  extra.inside = isOver ? null : (spec.inside ?? null);
  extra.overdue = extra.answer === undefined && extra.inside === null;
  return visit;
}

/** The answer that is used when the wait times out. */
function fallbackOf(spec: WaitSpec): Json | undefined {
  if (spec.limitMs !== undefined) return spec.fallback;
  const converted = spec.fallback === undefined ? undefined : convertAnswer(spec, spec.fallback);
  return converted !== undefined && "value" in converted ? converted.value : undefined;
}
