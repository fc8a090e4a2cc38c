import { isCall } from "../../durable/edits/find-visit.js";
import { resultOf } from "../../durable/kept-result.js";
import type { StepRow, WaitRow } from "../../durable/rows.js";
import { describeEnd, describeVisits, describeWay, hasEnded, withEnds } from "../../runs/describe-run.js";
import { answersJson } from "../openapi/operation.js";
import { json } from "../request/answer.js";
import { cursorInvalid, cursorOf, limitWithin, pagesOf, readCursor } from "../request/paging.js";
import { inputInvalid } from "../request/problem.js";
import type { RequestContext, Route } from "../route.js";
import { type Caller, hasAnswered } from "../run-access.js";
import { runDetail } from "./run-schemas.js";
import { describeFile, describerOf, findServed, type ServedRun } from "./served-runs.js";

export const ID = "As the answer that began it tells.";

/** Visits of a page. */
const MOST = 1_000;
/** And so much of their values. */
const BYTES = 4_000_000;

type KeptRun = Extract<ServedRun, { kind: "kept" }>;

export const showRun: Route = {
  method: "GET",
  path: "/runs/{run_id}",
  permission: "read",
  instead: "answer",
  operation: {
    operationId: "showRun",
    summary: "One run: what it waits for, or what became of it",
    tag: "runs",
    names: ID,
    query: [
      {
        ...{ name: "include", in: "query", schema: { enum: ["steps", "questions"] } },
        description: "`steps`: its visits, too, in pages; `questions`: only those that ask.",
      },
      ...pagesOf(MOST),
    ],
    answers: { "200": answersJson(runDetail, "The run.") },
    problems: ["run_not_found", "input_invalid", "storage_unavailable"],
  },
  handle: async (context) => json(await describedRun(context)),
};

type Showing = Caller & Pick<RequestContext, "params" | "query">;

/** One run, as far as the caller may see it. */
export async function describedRun(context: Showing): Promise<object> {
  const { service, query } = context;
  const include = query.get("include");
  if (include !== null && include !== "steps" && include !== "questions")
    throw inputInvalid([{ pointer: "/include", message: "include takes steps or questions" }]);
  const found = await findServed(context, { afterwards: true });
  if (found.kind === "file") return describeFile(service, found.run);
  const { run, waits, view } = found;
  const result = hasEnded(run) ? resultOf(run) : null;
  const told = describerOf(context)(run, waits, result);
  const end = result === null ? {} : describeEnd(result);
  const visits = include === null ? {} : await visitsOf(context, found);
  return view === "whole" ? { ...told, ...end, ...visits } : questionOf(context, found, visits);
}

/** What whoever answers is shown: no value but those of the question, and afterwards how the run went on. */
function questionOf(context: Caller, { run, waits }: KeptRun, visits: object): object {
  const told = describerOf(context)(run, waits, null);
  const result = hasEnded(run) && hasAnswered(context, waits) ? resultOf(run) : null;
  const end = result === null ? {} : describeWay(result);
  return { ...told, ...end, ...visits };
}

async function visitsOf(context: Showing, found: KeptRun): Promise<object> {
  const { query } = context;
  const limit = limitWithin(query, MOST, MOST);
  const cursor = query.get("cursor");
  const { visits, next } = await pageOf(context, found, limit, cursor === null ? 0 : visitAt(cursor));
  return {
    visits: describeVisits(visits, found.waits),
    next_cursor: next === null ? null : cursorOf(["visit", `${next}`]),
  };
}

interface VisitPage {
  readonly visits: readonly StepRow[];
  /** The number of the last record that was looked at; null when it was the last of the run. */
  readonly next: number | null;
}

/** Not all that is recorded is shown. A page of large values has fewer visits than it may have. */
async function pageOf(
  context: Showing,
  { executor, run, waits, view }: KeptRun,
  limit: number,
  after: number,
): Promise<VisitPage> {
  const visits: StepRow[] = [];
  const shown = (calls: readonly StepRow[]): readonly StepRow[] => {
    if (context.query.get("include") === "questions") return calls.filter(asksIn(waits));
    return view === "whole" ? calls : stepsFor(context, calls, waits);
  };
  for (let last = after; ; ) {
    const rest = limit - visits.length;
    const { steps, isLast } = await executor.stepsFrom(run.runId, { after: last, limit: rest, bytes: BYTES });
    const calls = withEnds(run, steps.filter(isCall), waits);
    visits.push(...shown(calls));
    last = steps.at(-1)?.seq ?? last;
    if (isLast) return { visits, next: null };
    const isFull = visits.length === limit || (visits.length > 0 && steps.length < rest);
    if (isFull) return { visits, next: last };
    // Others come between two pieces.
    await new Promise((go) => setImmediate(go));
  }
}

/** The visits that ask, and for those who have answered the way of the run, without its values. */
function stepsFor(caller: Caller, steps: readonly StepRow[], waits: readonly WaitRow[]): readonly StepRow[] {
  const isAsking = asksIn(waits);
  const known = hasAnswered(caller, waits) ? steps : steps.filter(isAsking);
  return known.map((step) => (isAsking(step) ? step : { ...step, seen: null, writes: null, error: null }));
}

function asksIn(waits: readonly WaitRow[]): (step: StepRow) => boolean {
  const asking = new Set(waits.filter(({ ending }) => ending === null).map(({ id }) => id));
  return ({ id, outcome }) => outcome === "waiting" && asking.has(id);
}

/** The number of the last visit of the page before. */
function visitAt(cursor: string): number {
  const [kind, at] = readCursor(cursor);
  if (kind === "visit" && /^\d{1,15}$/.test(at)) return Number(at);
  throw cursorInvalid();
}
