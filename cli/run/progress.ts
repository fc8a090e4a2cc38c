import { createPaint } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { RunEvent } from "../../runtime/graph/contract.js";
import type { Context } from "../context.js";

const MARKS = { success: "✓", failure: "✗", thrown: "!", waiting: "…" } as const;

/** Tells on stderr what a run does, a line for each visit: mark, name, milliseconds. */
export function createProgress({ stderr, color }: Context): (event: RunEvent) => void {
  const paint = createPaint(color(stderr));
  return (event) => {
    if (event.type === "node_retry") {
      stderr.write(
        `${indent(event.branch)}${paint("quiet", "↻")} ${visible(event.node)}  attempt ${event.attempt} failed: ${visible(event.error)}\n`,
      );
    }
    if (event.type !== "node_end") return;
    const style = event.outcome === "thrown" ? "error" : event.outcome === "success" ? "help" : "strong";
    const time = event.outcome === "waiting" ? "waits for an answer" : `${Math.round(event.ms)} ms`;
    const why = event.error === null || event.error === undefined ? "" : `  ${visible(event.error)}`;
    stderr.write(
      `${indent(event.branch)}${paint(style, MARKS[event.outcome])} ${visible(event.node)}  ${paint("quiet", time)}${why}\n`,
    );
  };
}

/** A branch stands to the right of what it branched off. */
const indent = (branch: readonly number[]): string => branch.map((number) => `│${number + 1} `).join("");
