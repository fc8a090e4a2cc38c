import { MOMENT, readMoment } from "../../config/moment.js";
import { resultOf } from "../../durable/kept-result.js";
import type { RunStatus } from "../../durable/rows.js";
import type { ListOrder, RowPage, RowQuery } from "../../durable/store.js";
import { StoreError } from "../../durable/store-error.js";
import { namesOf } from "../../graph/suspend/answerer.js";
import type { DescribedRun } from "../../runs/describe-run.js";
import type { KeptRuns } from "../../runs/kept/kept-runs.js";
import { sheetFrom } from "../../runs/resume.js";
import { MOST_WORDS, searchWords } from "../../runs/search-words.js";
import { answersJson } from "../openapi/operation.js";
import { json } from "../request/answer.js";
import { cursorInvalid, limitWithin, pagesOf } from "../request/paging.js";
import { HttpProblem, inputInvalid } from "../request/problem.js";
import type { RequestContext, Route } from "../route.js";
import { answererOf, type Caller, mayRead, visibleTo } from "../run-access.js";
import type { Service } from "../service.js";
import { withinLimit } from "../workflow-access.js";
import { filesOf, isOfFiles, pageOfFiles } from "./file-runs.js";
import { runPage, STATUSES } from "./run-schemas.js";
import { describerOf } from "./served-runs.js";

const MOST = 200;
const USUAL = 100;

const text = { type: "string" } as const;

export const listRuns: Route = {
  method: "GET",
  path: "/runs",
  permission: "read",
  instead: "answer",
  operation: {
    operationId: "listRuns",
    summary: "Runs, newest first; without a status those that wait",
    tag: "runs",
    query: [
      {
        ...{
          name: "status",
          in: "query",
          schema: { type: "array", items: { enum: ["all", "suspended", ...STATUSES] } },
        },
        description:
          "May be repeated, or be a list with commas. `all` is every status, `suspended` the same as `waiting`.",
      },
      { name: "graph_name", in: "query", schema: text },
      {
        ...{ name: "assigned", in: "query", schema: text },
        description: "Runs that ask `me`, or another user or `role:name`.",
      },
      {
        ...{ name: "mine", in: "query", schema: { enum: ["true"] } },
        description: "Only runs that the caller has begun.",
      },
      { name: "since", in: "query", schema: text, description: "When runs began: an ISO time, or `2d`." },
      { name: "until", in: "query", schema: text, description: "As `since`." },
      { name: "key", in: "query", schema: text, description: "The `Idempotency-Key` of the start." },
      {
        name: "q",
        in: "query",
        schema: text,
        description: "Words of the id, the graph or given values, at most 10.",
      },
      {
        ...{ name: "order", in: "query", schema: { enum: ["newest", "oldest"] } },
        description: "Which come first, by when they began.",
      },
      ...pagesOf(MOST),
    ],
    answers: { "200": answersJson(runPage, "A page of runs, newest first.") },
    problems: ["input_invalid", "storage_unavailable"],
  },
  handle: async (context) => json(await pageOfRuns(context)),
};

/** A caller, and what is asked of the list. */
type Listing = Caller & Pick<RequestContext, "query">;

/** The page of runs that a query asks for. */
export async function pageOfRuns(context: Listing): Promise<object> {
  const { service } = context;
  const query = queryOf(context);
  const [limit, cursor] = [limitWithin(context.query, MOST, USUAL), context.query.get("cursor")];
  const kept = await service.runner.kept();
  if (kept === null && cursor !== null && !isOfFiles(cursor)) throw cursorInvalid();
  const files = await filesOf(context, query);
  const stored =
    kept === null ? NONE : await pageOf(kept, query, isOfFiles(cursor) ? null : { limit, cursor });
  const told = kept === null ? [] : await describeAll(context, kept, stored.runs);
  // Files are older than any run of the store, so they come last.
  const room = { limit: limit - told.length, cursor: isOfFiles(cursor) ? cursor : null };
  const rest = stored.cursor === null ? await pageOfFiles(service, files, room) : null;
  return {
    runs: [...told, ...(rest?.runs ?? [])],
    next_cursor: stored.cursor ?? rest?.cursor ?? null,
    total: stored.total === null ? null : stored.total + files.length,
    counts: await countsOf(context, kept, query),
  };
}

const NONE: RowPage = { runs: [], cursor: null, total: 0 };

/** Of the filter without its status. */
async function countsOf(
  caller: Caller,
  kept: KeptRuns | null,
  query: RowQuery,
): Promise<{ readonly [status: string]: number }> {
  const counts = (await kept?.executor.store.counts(query)) ?? {};
  const files = await filesOf(caller, { ...query, status: ["waiting"] });
  const waiting = (counts.waiting ?? 0) + files.length;
  return Object.fromEntries(
    STATUSES.map((status) => [status, status === "waiting" ? waiting : (counts[status] ?? 0)]),
  );
}

/** Without a page only the total is asked for. */
async function pageOf(
  { executor }: KeptRuns,
  query: RowQuery,
  asked: { readonly limit: number; readonly cursor: string | null } | null,
): Promise<RowPage> {
  if (asked === null) return { ...NONE, total: (await executor.list({ ...query, limit: 1 })).total };
  const { limit, cursor } = asked;
  try {
    return await executor.list({ ...query, limit, ...(cursor === null ? {} : { cursor }) });
  } catch (error) {
    throw error instanceof StoreError && error.code === "input_invalid" ? cursorInvalid() : error;
  }
}

async function describeAll(
  caller: Caller,
  { executor }: KeptRuns,
  runs: RowPage["runs"],
): Promise<DescribedRun[]> {
  const describe = describerOf(caller);
  const waits = await executor.store.openWaits(runs.map(({ runId }) => runId));
  const told: DescribedRun[] = [];
  for (const run of runs) {
    // Only the whole row has the error's message. One is read at a time, for states may be large.
    const full = run.errorCode === null ? null : await executor.store.run(run.runId);
    told.push(describe(run, waits.get(run.runId) ?? [], full === null ? null : resultOf(full)));
  }
  return told;
}

/** The query of the store. */
function queryOf(context: Listing): RowQuery {
  const { query, service } = context;
  const [graph, key, q] = [query.get("graph_name"), query.get("key"), query.get("q")];
  const [since, until] = [timeIn(query, "since"), timeIn(query, "until")];
  if (q !== null && !mayRead(context)) throw searchRefused();
  if (q !== null && searchWords(q).length > MOST_WORDS)
    throw inputInvalid([{ pointer: "/q", message: `q takes ${MOST_WORDS} words at most` }]);
  return {
    ...visibleTo(context),
    ...withinLimit(context),
    ...servedOf(service),
    status: statusesIn(query),
    ...(graph === null ? {} : { graphs: [graph] }),
    ...(key === null ? {} : { key }),
    ...(q === null ? {} : { q }),
    ...peopleIn(context),
    ...(since === null ? {} : { since }),
    ...(until === null ? {} : { until }),
    order: orderIn(query),
  };
}

function peopleIn(context: Listing): Pick<RowQuery, "assigned" | "userId"> {
  const [assigned, mine] = [context.query.get("assigned"), context.query.get("mine")];
  if (mine !== null && mine !== "true")
    throw inputInvalid([{ pointer: "/mine", message: "mine takes true" }]);
  // Nobody has begun a run in the name of nobody.
  const userId = context.principal.userId ?? "";
  return {
    ...(assigned === null ? {} : { assigned: assigned === "me" ? namesOf(answererOf(context)) : [assigned] }),
    ...(mine === null ? {} : { userId }),
  };
}

/** A search would tell what runs were given. */
const searchRefused = (): HttpProblem =>
  new HttpProblem("permission_denied", {
    detail: "A search by q needs the permission read.",
    more: { required: ["read"] },
  });

/** The store's sheets are named from the project's folder. */
function servedOf({ project }: Service): Pick<RowQuery, "under"> {
  const folders = [project.workflows, project.generated].map((folder) => sheetFrom(project.root, folder));
  // The project's own folder has no name from there.
  return folders.includes("") ? {} : { under: folders.map((folder) => `${folder}/`) };
}

function statusesIn(query: URLSearchParams): readonly RunStatus[] {
  const words = query.getAll("status").flatMap((one) => one.split(","));
  // So results of `/execute` call what lists call waiting.
  const given = words.map((one) => (one === "suspended" ? "waiting" : one));
  const unknown = given.find((one) => one !== "all" && !STATUSES.some((status) => status === one));
  if (unknown !== undefined)
    throw inputInvalid([{ pointer: "/status", message: `status is all or any of ${STATUSES.join(", ")}` }]);
  if (given.length === 0) return ["waiting"];
  return given.includes("all") ? STATUSES : STATUSES.filter((status) => given.includes(status));
}

function orderIn(query: URLSearchParams): ListOrder {
  const order = query.get("order") ?? "newest";
  if (order === "newest" || order === "oldest") return order;
  throw inputInvalid([{ pointer: "/order", message: "order takes newest or oldest" }]);
}

function timeIn(query: URLSearchParams, name: "since" | "until"): number | null {
  const given = query.get(name);
  if (given === null) return null;
  const time = readMoment(given, Date.now(), "ago");
  if (time !== null) return time;
  throw inputInvalid([{ pointer: `/${name}`, message: `${name} must be ${MOMENT}` }]);
}
