import type { Json, NodeIR } from "../../ir.js";
import type { Draft, DraftNode, Routes } from "../draft.js";

const NONE: NodeIR["candidates"] = [];

/** Texts that describe the nodes that an orchestrator may choose: description, context, and texts of settings. */
export function candidatesOf(draft: Draft, node: DraftNode, routes: Routes): NodeIR["candidates"] {
  if (node.facts?.type !== "orchestrator") return NONE;
  const listed = routes.success.length > 0 ? routes.success : routes.next;
  return listed.flatMap((target) => {
    const chosen = draft.nodes[target];
    return chosen === undefined ? [] : [{ target, about: aboutOf(chosen) }];
  });
}

function aboutOf({ description, row, settings }: DraftNode): string {
  const parts = [description, ...(row.context === description ? [] : [row.context]), ...textsIn(settings)];
  return parts.filter((part) => part !== "").join(" ");
}

/** The texts in settings, without their names. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value as { readonly [key: string]: Json }).flatMap(textsIn);
}
