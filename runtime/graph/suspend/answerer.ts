import type { WaitSpec } from "../contract/contract.js";
import { FlowsheetError } from "../contract/errors.js";

/** Who gives an answer. */
export interface Answerer {
  /** Null where nobody is known. */
  readonly user: string | null;
  readonly roles: readonly string[];
  /** It may also answer what others are asked. */
  readonly isAdmin: boolean;
}

export const NOBODY: Answerer = { user: null, roles: [], isAdmin: false };

/** The assignees that somebody is one of. A user whose id looks like a role is none. */
export const namesOf = ({ user, roles }: Pick<Answerer, "user" | "roles">): readonly string[] => [
  ...(user === null || user.startsWith("role:") ? [] : [user]),
  ...roles.map((role) => `role:${role}`),
];

type Asked = Pick<WaitSpec, "assignees" | "notStarter">;

export const isAssignee = ({ assignees }: Asked, answerer: Answerer): boolean =>
  assignees === undefined || namesOf(answerer).some((name) => assignees.includes(name));

/** The answer is that of somebody who may not give it. */
export class AnswererError extends FlowsheetError {
  declare readonly code: "not_assignee" | "starter_may_not_answer";
  readonly node: string;
  constructor(code: AnswererError["code"], node: string, message: string) {
    super(code, message);
    this.node = node;
  }
}

/** Why somebody may not answer a question; null when they may. Four eyes hold for `admin`, too. */
export function refusalOf(
  node: string,
  asked: Asked,
  { starter, answerer }: { readonly starter: string | null; readonly answerer: Answerer },
): AnswererError | null {
  const { user, isAdmin } = answerer;
  const who = user ?? "nobody in particular";
  if (!isAdmin && !isAssignee(asked, answerer)) {
    const people = (asked.assignees ?? []).join(", ");
    return new AnswererError("not_assignee", node, `"${node}" is asked of ${people}, not of ${who}`);
  }
  // Whoever does not say who they are may be the starter.
  const isStarter = starter !== null && (user === starter || (user === null && !isAdmin));
  if (asked.notStarter !== true || !isStarter) return null;
  const message = `"${node}" is to be answered by somebody else than ${starter}, who started the run`;
  return new AnswererError("starter_may_not_answer", node, message);
}
