import type { Json, WaitSpec } from "../../graph/contract/contract.js";
import { timeAfter } from "../../graph/values/times.js";
import type { NewWait, WaitRow } from "../rows.js";
import type { OpenedWait } from "./journal.js";

/** Who may answer a wait. An escalation adds to the assignees. */
export interface WaitAbout {
  readonly assignees?: readonly string[];
  readonly notStarter?: true;
  readonly escalate?: { readonly assignees: readonly string[] };
}

export const aboutOf = ({ about }: Pick<WaitRow, "about">): WaitAbout => (about ?? {}) as WaitAbout;

/** The row of a wait that begins now. */
export function newWait(
  { waiting, timeoutMs, spec }: OpenedWait,
  at: Pick<NewWait, "id" | "seq" | "opened">,
): NewWait {
  const { escalate } = spec;
  const after = (ms: number | null = null): number | null => (ms === null ? null : timeAfter(at.opened, ms));
  return {
    ...at,
    waiting,
    spec,
    about: whoMayAnswer(spec) as Json,
    until: after(timeoutMs),
    remindAt: after(spec.remindMs),
    escalateAt: after(escalate?.afterMs),
  };
}

function whoMayAnswer({ assignees, notStarter, escalate }: WaitSpec): WaitAbout | null {
  if (assignees === undefined && notStarter !== true) return null;
  return {
    ...(assignees === undefined ? {} : { assignees }),
    ...(notStarter === true ? { notStarter } : {}),
    ...(escalate === undefined ? {} : { escalate: { assignees: escalate.assignees } }),
  };
}
