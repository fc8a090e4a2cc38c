import { working } from "../counted-time.js";
import { oneLine } from "../sheet/shown-text.js";
import { chosenStep, type Mark, markOf, type Step } from "./run-state.js";

interface TimelineView {
  readonly steps: readonly Step[];
  readonly choose: (step: Step) => void;
  /** What is said of a step that has begun and not ended. */
  readonly atWork?: string;
}

/** Each step with its time: one bar a step. */
export function Timeline({ steps, choose, atWork = "running" }: TimelineView) {
  // A run may have waited for a worker.
  const start = steps.reduce((least, { atMs }) => Math.min(least, atMs), steps[0]?.atMs ?? 0);
  const length = steps.reduce((most, { atMs, ms }) => Math.max(most, atMs - start + (ms ?? 0)), 1);
  return (
    <ol class="timeline">
      {steps.map((step, i) => {
        const { key, node, atMs, ms } = step;
        const mark = markOf(step);
        const width = Math.max(8, ((ms ?? 0) / length) * 1000);
        return (
          <li key={key}>
            <button
              type="button"
              class={`step ${isRejected(step) ? "rejected" : mark}`}
              aria-current={chosenStep.value === key}
              onClick={() => choose(step)}
            >
              <span class="step-number" aria-hidden="true">
                {i + 1}
              </span>
              <span class="step-node">{oneLine(node)}</span>
              <svg aria-hidden="true" viewBox="0 0 1000 8" preserveAspectRatio="none">
                <rect
                  x={Math.min(1000 - width, ((atMs - start) / length) * 1000)}
                  y={0}
                  width={width}
                  height={8}
                />
              </svg>
              <span class="step-time">{timeOf(mark, step, atWork)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** An answer that is a no, which is no error. */
const isRejected = ({ outcome, answered, error }: Step): boolean =>
  outcome === "failure" && answered !== null && error === null;

function timeOf(mark: Mark, step: Step, atWork: string): string {
  const { ms, outcome, answered } = step;
  if (mark === "waits") return mark;
  if (mark === "running") return atWork;
  if (outcome === "stopped") return "stopped";
  const time = ms === null ? "" : working(ms);
  if (isRejected(step)) return `rejected, ${time}`;
  if (mark === "failed") return `failed, ${time}`;
  return answered === null ? time : `waited ${time}`;
}
