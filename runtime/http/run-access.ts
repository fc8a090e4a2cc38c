import type { RunRow, WaitRow } from "../durable/rows.js";
import type { RowQuery } from "../durable/store.js";
import type { StartWords } from "../runs/request.js";
import type { RequestContext } from "./route.js";

/** The caller of a request, as far as runs ask for it. */
export type Caller = Pick<RequestContext, "principal" | "service">;

/** Which runs lists show the caller. */
export const visibleTo = (_caller: Caller): RowQuery => ({});

/** A run that the caller may not see is one that is not there. */
export const maySee = (_caller: Caller, _run: RunRow, _waits: readonly WaitRow[]): boolean => true;

/** What a run keeps of the caller that begins it. */
export const starterOf = ({ principal: { kind, name, userId } }: Caller): Omit<StartWords, "key"> => ({
  userId,
  startedBy: kind === "api_key" || kind === "jwt" || kind === "identity" ? name : null,
});
