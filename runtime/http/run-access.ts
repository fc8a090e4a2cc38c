import type { Permission } from "../auth/permissions.js";
import { isEnded } from "../durable/kept-result.js";
import { aboutOf } from "../durable/legs/open-wait.js";
import type { RunRow, WaitRow } from "../durable/rows.js";
import type { RowQuery } from "../durable/store.js";
import { type Answerer, namesOf } from "../graph/suspend/answerer.js";
import type { StartWords } from "../runs/request.js";
import type { RequestContext } from "./route.js";

/** The caller of a request, as far as runs ask for it. */
export type Caller = Pick<RequestContext, "principal" | "graphs" | "service">;

/** What of a run the caller is shown: all of it, or what whoever answers must know. */
export type View = "whole" | "question";

type Open = Pick<WaitRow, "about" | "ending" | "answeredBy">;

/** Which runs lists show the caller. */
export function visibleTo(caller: Caller): Pick<RowQuery, "seenBy"> {
  const { principal } = caller;
  const seesAll = !isPrivate(caller);
  if (mayRead(caller))
    return seesAll ? {} : { seenBy: { startedBy: principal.userId, asked: names(caller) } };
  return { seenBy: { startedBy: null, asked: seesAll ? "anybody" : names(caller) } };
}

/**
 * Null for a run that the caller may not see: it is one that is not there. The whole of it is for those who may read,
 * or who may do what the route is for.
 */
export function viewOf(
  caller: Caller,
  run: RunRow,
  {
    waits,
    does = "read",
    afterwards = false,
  }: {
    readonly waits: readonly Open[];
    readonly does?: Permission;
    /** Whoever has answered may see how it went on, also where others' runs are hidden. */
    readonly afterwards?: boolean;
  },
): View | null {
  const { principal } = caller;
  const seesAll = !isPrivate(caller);
  // Whatever a run still asked when it was cancelled or failed, it asks nobody any more.
  const open = isEnded(run) ? [] : waits.filter(({ ending }) => ending === null);
  const isAsked = open.some((wait) => seesAll || isAmong(wait, names(caller)));
  const mayAll = mayRead(caller) || principal.permissions.has(does);
  if (mayAll && (maySeeAlways(caller, run) || isAsked)) return "whole";
  const isKnown = (seesAll || afterwards) && hasAnswered(caller, waits);
  return isAsked || isKnown ? "question" : null;
}

export const hasAnswered = ({ principal: { userId } }: Caller, waits: readonly Open[]): boolean =>
  userId !== null && waits.some(({ answeredBy }) => answeredBy === userId);

/** Whether a run has asked the caller, who must be told of an answer that comes too late. */
export const wasAsked = (caller: Caller, waits: readonly Open[]): boolean =>
  !isPrivate(caller) && caller.principal.permissions.has("answer") && waits.length > 0;

/** Not only because the run asks them. */
export const maySeeAlways = (caller: Caller, { userId }: RunRow): boolean =>
  !isPrivate(caller) || (userId !== null && userId === caller.principal.userId);

/** Nobody knows who began a run of a file. */
export const maySeeFiles = (caller: Caller): boolean => !isPrivate(caller);

export const viewOfFile = (caller: Caller): View =>
  mayRead(caller) || caller.principal.permissions.has("execute") ? "whole" : "question";

/** Keys of starts are for those who chose them. */
export const mayKnowKey = ({ principal: { userId, permissions } }: Caller, run: RunRow): boolean =>
  run.userId === userId || permissions.has("admin");

/** True when others' runs are hidden from the caller. */
const isPrivate = ({ principal: { permissions }, service }: Caller): boolean =>
  service.project.keeping.visibility === "own" && !permissions.has("admin");

/** A path that was made public is read without a credential. */
export const mayRead = ({ principal: { kind, permissions } }: Caller): boolean =>
  kind === "public" || permissions.has("read");

/** The assignees that the caller is one of. Whoever may not answer is asked nothing. */
const names = (caller: Caller): readonly string[] =>
  caller.principal.permissions.has("answer") ? namesOf(answererOf(caller)) : [];

export const answererOf = ({
  principal: { userId: user, roles, permissions },
}: Pick<Caller, "principal">): Answerer => ({
  ...{ user, roles },
  isAdmin: permissions.has("admin"),
});

/** Those whom an escalation will ask see the run before, too. */
function isAmong(wait: Open, whom: readonly string[]): boolean {
  const { assignees = [], escalate } = aboutOf(wait);
  return [...assignees, ...(escalate?.assignees ?? [])].some((one) => whom.includes(one));
}

/** What a run keeps of the caller that begins it. */
export const starterOf = ({ principal: { kind, name, userId } }: Caller): Omit<StartWords, "key"> => ({
  userId,
  startedBy: kind === "api_key" || kind === "jwt" || kind === "identity" ? name : null,
});
