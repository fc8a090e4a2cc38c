import { working } from "../counted-time.js";
import { oneLine } from "../sheet/shown-text.js";
import { chosenStep, type Mark, markOf, type Step } from "./run-state.js";

interface TimelineView {
  readonly steps: readonly Step[];
  readonly choose: (step: Step) => void;
}

/** Each step with its time: one bar a step. */
export function Timeline({ steps, choose }: TimelineView) {
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
              class={`step ${mark}`}
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
              <span class="step-time">{timeOf(mark, step)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function timeOf(mark: Mark, { ms, outcome }: Step): string {
  if (mark === "waits" || mark === "running") return mark;
  const time = ms === null ? "" : working(ms);
  if (outcome === "stopped") return "stopped";
  return mark === "failed" ? `failed, ${time}` : time;
}
