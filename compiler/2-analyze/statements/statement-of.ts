import type { StatementPart } from "../../sql-statement.js";
import { writeStatement } from "../../sql-statement.js";
import type { DraftNode } from "../draft.js";
import { resolvePrompt } from "../fields/placeholders.js";

/** The statement in the prompt of a node; null for a node of another agent, and without a prompt. */
export function statementOf(node: DraftNode): { readonly parts: readonly StatementPart[] } | null {
  if (node.facts?.type !== "sql") return null;
  const parts = resolvePrompt(node);
  return parts === null ? null : { parts };
}

/** A statement is no prompt: nothing may be rendered into it. So it becomes a setting, with the names of its inputs. */
export function withStatement(node: DraftNode, settings: DraftNode["settings"]): DraftNode["settings"] {
  const found = statementOf(node);
  return found === null ? settings : { ...settings, statement: writeStatement(found.parts) };
}
