import { session } from "../state.js";
import type { Question } from "./run-state.js";

/** Why whoever looks cannot answer a question here; null when they can. */
export function whyNotAnswered({ refused }: Question): string | null {
  if (session.value?.can.includes("answer") !== true) return "You may look at this run, not answer it.";
  if (refused === "starter_may_not_answer") return "You began this run: somebody else has to answer here.";
  return refused === "not_assignee" ? "Others are asked here." : null;
}
