import { resultOf } from "../../durable/kept-result.js";
import { describeEnd, describeVisits, hasEnded } from "../../runs/describe-run.js";
import { answersJson } from "../openapi/operation.js";
import { json } from "../request/answer.js";
import { cursorInvalid, cursorOf, limitOf, pagesOf, readCursor } from "../request/paging.js";
import { inputInvalid } from "../request/problem.js";
import type { RequestContext, Route } from "../route.js";
import { runDetail } from "./run-schemas.js";
import { describeFile, describerOf, findServed, type ServedRun } from "./served-runs.js";

export const ID = "As the answer that began it tells.";

/** Visits of a page. */
const MOST = 1_000;

/** Recorded times are no visits. */
const NO_VISIT = /\|(?:clock|late\d+)$/;

export const showRun: Route = {
  method: "GET",
  path: "/runs/{run_id}",
  permission: "read",
  operation: {
    operationId: "showRun",
    summary: "One run: what it waits for, or what became of it",
    tag: "runs",
    names: ID,
    query: [
      {
        ...{ name: "include", in: "query", schema: { enum: ["steps"] } },
        description: "`steps`: its visits, too, in pages.",
      },
      ...pagesOf(MOST),
    ],
    answers: { "200": answersJson(runDetail, "The run.") },
    problems: ["run_not_found", "input_invalid", "storage_unavailable"],
  },
  handle: async (context) => {
    const { service, query } = context;
    const include = query.get("include");
    if (include !== null && include !== "steps")
      throw inputInvalid([{ pointer: "/include", message: "include takes steps" }]);
    const found = await findServed(context);
    if (found.kind === "file") return json(describeFile(service, found.run));
    const { run, waits } = found;
    const result = hasEnded(run) ? resultOf(run) : null;
    const told = describerOf(service)(run, waits, result);
    const end = result === null ? {} : describeEnd(result);
    return json({ ...told, ...end, ...(include === null ? {} : await visitsOf(context, found)) });
  },
};

async function visitsOf(
  { query }: RequestContext,
  { executor, run }: Extract<ServedRun, { kind: "kept" }>,
): Promise<object> {
  const limit = limitOf(query, MOST);
  const cursor = query.get("cursor");
  const after = cursor === null ? 0 : Number(readCursor(cursor)[1]);
  if (!Number.isSafeInteger(after)) throw cursorInvalid();
  const rest = (await executor.steps(run.runId)).filter(({ seq, id }) => seq > after && !NO_VISIT.test(id));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const isLast = page.length === rest.length || last === undefined;
  return { visits: describeVisits(page), next_cursor: isLast ? null : cursorOf(["visit", `${last.seq}`]) };
}
