import type { Json, Settings, WaitSpec } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import { isMapping } from "../../graph/values/values.js";

type Assigned = Pick<WaitSpec, "assignees" | "notStarter" | "escalate">;

/** Who may answer, by the settings of a node and what its inputs hold. */
export function assignedOf(settings: Settings, inputs: object): Assigned {
  const { assignee, not_starter: notStarter, escalate } = settings;
  const { after_ms: afterMs, assignee: later } = isMapping(escalate) ? escalate : {};
  return {
    ...(assignee === undefined ? {} : { assignees: peopleIn(assignee, inputs) }),
    ...(notStarter === true ? { notStarter } : {}),
    ...(typeof afterMs === "number" && later !== undefined
      ? { escalate: { afterMs, assignees: peopleIn(later as Json, inputs) } }
      : {}),
  };
}

/** A value that was given at the start is no answer of somebody else. */
export const isAssigned = ({ assignee, not_starter: notStarter }: Settings): boolean =>
  assignee !== undefined || notStarter === true;

function peopleIn(assignee: Json, inputs: object): readonly string[] {
  if (!isMapping(assignee)) return peopleOf(assignee, "assignee names nobody");
  const name = String(assignee["input"]);
  const value = Object.hasOwn(inputs, name) ? (inputs as { readonly [name: string]: Json })[name] : null;
  return peopleOf(value ?? null, `nobody can be asked: the input "${name}" names nobody`);
}

/** Without a name nobody is asked, rather than everybody. */
function peopleOf(value: Json, problem: string): readonly string[] {
  const listed: readonly Json[] = Array.isArray(value) ? value : [value];
  const people = listed.map((one) =>
    typeof one === "string" || typeof one === "number" ? `${one}`.trim() : "",
  );
  if (people.length > 0 && people.every((one) => one !== "" && one !== "role:")) return people;
  throw new AgentError("agent_failed", problem);
}
