import { oneLine } from "../sheet/shown-text.js";
import type { Step } from "./run-state.js";

interface ElsewhereView {
  readonly steps: readonly Step[];
  readonly choose: (step: Step) => void;
}

/** Leads to the steps that ask. */
export const AskedElsewhere = ({ steps, choose }: ElsewhereView) => (
  <>
    {steps.map((step) => (
      <p key={step.key} class="elsewhere">
        {oneLine(step.node)} waits for an answer.
        <button type="button" onClick={() => choose(step)}>
          Show the question
        </button>
      </p>
    ))}
  </>
);
