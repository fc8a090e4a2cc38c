import type { CallEndSeen, CallSeen, VisitSeen } from "../contract/contract.js";
import type { Usage } from "../contract/services.js";
import { branchOf } from "../drive/run.js";
import type { Visit } from "../drive/visit.js";
import { isNested, isPure } from "../link/marks.js";
import { safeResult, seenBy } from "../suspend/durable.js";
import { type Became, encode, thrownBy } from "../suspend/recorded.js";

/** The facts of a call. The driver does not make them: only runs with an observer pay for them. */
export function callSeen(seen: VisitSeen): CallSeen {
  const visit = seen as Visit;
  const { node, visit: number, attempt, line, prepared } = visit;
  const kind = isNested(prepared.call) ? "graph" : isPure(prepared.call) ? "pure" : "agent";
  const agent = line.run.table.definition.nodes[node]?.type ?? null;
  const before = visit.extra?.usage ?? null;
  const endOf = (became: () => Became): CallEndSeen => ({
    ...safeResult(visit, dataOrError(visit, became)),
    usage: spentSince(before, visit.extra?.usage ?? null),
  });
  return {
    ...{ node, agent, kind, visit: number, attempt, branch: branchOf(line) },
    seen: () => seenBy(visit),
    answered: (answer) => endOf(() => encode(visit, answer)),
    thrown: (thrown) => endOf(() => thrownBy(visit, thrown)),
  };
}

/** An answer that is no data is an error of the node. */
function dataOrError(visit: Visit, became: () => Became): Became {
  try {
    return became();
  } catch (thrown) {
    return thrownBy(visit, thrown);
  }
}

/** Of this call alone: a visit counts the tokens of all its calls. */
function spentSince(before: Usage | null, now: Usage | null): Usage | null {
  if (now === null || now === before) return null;
  return {
    input_tokens: now.input_tokens - (before?.input_tokens ?? 0),
    output_tokens: now.output_tokens - (before?.output_tokens ?? 0),
  };
}
