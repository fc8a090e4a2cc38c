import { useState } from "preact/hooks";
import { AnswerForm } from "../run/answer-form.js";
import { chosenStep, lastRun } from "../run/run-state.js";
import { StepDetails, Values } from "../run/step-details.js";
import { Timeline } from "../run/timeline.js";
import { manyLines, oneLine } from "../sheet/shown-text.js";
import { type Debugging, debuggingHere, type Stop } from "./debug-state.js";
import { tell } from "./lead.js";

/** A run that is led step by step: where it is, what the next node would get, and the fields, which may be changed. */
export function DebugPanel() {
  const now = debuggingHere.value;
  const [looked, look] = useState<string | null>(null);
  if (now === null) return null;
  const steps = lastRun.value?.steps ?? [];
  const shown = now.stop === null && now.asked === null ? steps.find(({ key }) => key === looked) : undefined;
  return (
    <div class="run">
      <div class="course">
        <Head now={now} />
        {now.said === "" ? null : <p class="said error">{manyLines(now.said)}</p>}
        <Timeline
          steps={steps}
          atWork={now.stop === null ? "running" : "paused"}
          choose={({ key }) => {
            chosenStep.value = key;
            look(key);
          }}
        />
      </div>
      <div class="details">
        {now.stop === null ? null : <Paused stop={now.stop} />}
        {now.asked === null ? null : (
          <section class="asked" aria-label={`${now.asked.node} asks`}>
            <h3>{now.asked.node}</h3>
            <p class="question">{manyLines(now.asked.prompt)}</p>
            <AnswerForm question={now.asked} send={(value) => tell({ do: "answer", value })} />
          </section>
        )}
        {shown === undefined ? null : <StepDetails step={shown} />}
      </div>
    </div>
  );
}

function Head({ now: { stop, asked } }: { readonly now: Debugging }) {
  const isHeld = stop !== null;
  const word = isHeld ? `Paused before ${stop.node}` : asked === null ? "Running" : `${asked.node} waits`;
  return (
    <p class="run-head">
      <output class={`status ${isHeld || asked !== null ? "suspended" : "running"}`}>{oneLine(word)}</output>
      <span class="grow" />
      <button
        type="button"
        class="primary"
        disabled={!isHeld}
        title="F10"
        onClick={() => void tell({ do: "next" })}
      >
        Step
      </button>
      <button type="button" disabled={!isHeld} title="F5" onClick={() => void tell({ do: "continue" })}>
        Continue
      </button>
      <button type="button" onClick={() => void tell({ do: "quit" })}>
        Stop
      </button>
    </p>
  );
}

function Paused({ stop }: { readonly stop: Stop }) {
  const { node, visit, inputs, prompt, state } = stop;
  return (
    <section aria-label={`Paused before ${node}`}>
      <h3>
        {oneLine(node)}
        {visit > 1 ? <span class="quiet"> visit {visit}</span> : null}
      </h3>
      <Values name="Reads" values={inputs} />
      {typeof prompt === "string" ? (
        <>
          <h4>Prompt</h4>
          <p class="whole">{manyLines(prompt)}</p>
        </>
      ) : null}
      <Values name="State" values={state} />
      <SetForm key={`${node} ${visit}`} fields={Object.keys(state)} />
    </section>
  );
}

/** Changes a field before the node is visited. */
function SetForm({ fields }: { readonly fields: readonly string[] }) {
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const field = `${given.get("field") ?? ""}`.trim();
    if (field !== "") void tell({ do: "set", field, value: valueIn(`${given.get("value") ?? ""}`) });
  };
  return (
    <form class="set-field" aria-label="Change the state" onSubmit={send}>
      <label>
        Field
        <input name="field" list="set-fields" required autocomplete="off" />
      </label>
      <datalist id="set-fields">
        {fields.map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
      <label>
        Value
        <input name="value" autocomplete="off" placeholder="text or JSON" />
      </label>
      <button type="submit">Set</button>
    </form>
  );
}

/** JSON where it is some, else the text as it is. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
