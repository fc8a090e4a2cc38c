import { clock } from "../counted-time.js";
import { manyLines, oneLine } from "../sheet/shown-text.js";
import type { Step } from "./run-state.js";

/** What a step read, asked and wrote, and what went wrong. */
export function StepDetails({ step }: { readonly step: Step }) {
  const { node, visit, attempts, error, inputs, prompt, writes, answered } = step;
  return (
    <>
      <h3>
        {oneLine(node)}
        {visit > 1 ? <span class="quiet"> visit {visit}</span> : null}
        {attempts > 1 ? <span class="quiet"> {attempts} attempts</span> : null}
      </h3>
      {error === null ? null : <p class="said error">{manyLines(error)}</p>}
      {answered === null ? null : (
        <p class="quiet">
          Answered{answered.by === null ? "" : ` by ${manyLines(answered.by)}`},{" "}
          {clock(Date.parse(answered.at))}
        </p>
      )}
      <Values name="Reads" values={inputs} />
      {typeof prompt === "string" ? (
        <>
          <h4>Prompt</h4>
          <p class="whole">{manyLines(prompt)}</p>
        </>
      ) : null}
      <Values name="Writes" values={writes} />
    </>
  );
}

/** The fields of an object with their values; nothing for one without. */
export function Values({ name, values }: { readonly name: string; readonly values: unknown }) {
  const entries = typeof values === "object" && values !== null ? Object.entries(values) : [];
  if (entries.length === 0) return null;
  return (
    <>
      <h4>{name}</h4>
      <Fields entries={entries} />
    </>
  );
}

export const Fields = ({ entries }: { readonly entries: readonly (readonly [string, unknown])[] }) => (
  <dl>
    {entries.map(([field, value]) => (
      <div key={field}>
        <dt>{manyLines(field)}</dt>
        <dd>{manyLines(typeof value === "string" ? value : JSON.stringify(value, null, 2))}</dd>
      </div>
    ))}
  </dl>
);

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
