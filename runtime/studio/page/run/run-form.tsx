import { useEffect, useRef, useState } from "preact/hooks";
import { mayDebug } from "../debug/debug-state.js";
import { startDebug } from "../debug/lead.js";
import { opened } from "../state.js";
import { type InputField, inputFields, typed, WrongValue } from "./input-fields.js";
import { wanted } from "./run-state.js";
import { startRun } from "./steer.js";
import { workflowName } from "./workflow-name.js";

/** What was given last, by workflow: a person tries again with little changed. */
const given = new Map<string, ReadonlyMap<string, string>>();

/** Asks for what the graph needs, and runs it. */
export function RunForm({ graph }: { readonly graph: string }) {
  const [fields, setFields] = useState<readonly InputField[] | null>(null);
  const [said, say] = useState("");
  const name = workflowName();
  useEffect(() => {
    let isCurrent = true;
    inputFields(name).then(
      (found) => isCurrent && setFields(found),
      () => isCurrent && say("What the graph needs cannot be asked: the server did not answer."),
    );
    return () => {
      isCurrent = false;
    };
  }, [name, opened.value]);

  const form = useRef<HTMLFormElement>(null);
  const what = wanted.value;
  useEffect(() => {
    if (fields === null || what === null) return;
    wanted.value = null;
    const isReady = what === "run" || what === "step" || fields.length === 0;
    if (isReady) form.current?.requestSubmit(buttonFor(form.current, what));
    else form.current?.querySelector<HTMLElement>("textarea, select")?.focus();
  }, [fields, what]);

  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const texts = textsOf(event.currentTarget as HTMLFormElement);
    given.set(name, texts);
    try {
      say("");
      const isStep = (event.submitter as HTMLButtonElement | null)?.value === "step";
      void (isStep ? startDebug : startRun)(typed(fields ?? [], texts));
    } catch (error) {
      if (error instanceof WrongValue) say(error.message);
    }
  };
  const last = given.get(name);
  return (
    <form class="run-form" ref={form} onSubmit={send} aria-label={`Run ${graph}`}>
      {fields?.map((field) => (
        <FieldInput key={field.name} field={field} text={last?.get(field.name) ?? ""} />
      ))}
      {fields?.length === 0 ? <p class="quiet">This graph needs nothing to begin.</p> : null}
      {fields === null ? null : (
        <div class="options">
          <button type="submit" class="primary">
            Start
          </button>
          {mayDebug() ? (
            <button type="submit" value="step" title="F10: stop before the first node, or the first break">
              Step
            </button>
          ) : null}
        </div>
      )}
      <output class="said error">{said}</output>
    </form>
  );
}

const buttonFor = (form: HTMLFormElement | null, what: string): HTMLElement | null =>
  form?.querySelector<HTMLElement>(what.endsWith("step") ? 'button[value="step"]' : "button.primary") ?? null;

const textsOf = (form: HTMLFormElement): ReadonlyMap<string, string> =>
  new Map(
    [...new FormData(form)].flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );

function FieldInput({ field, text }: { readonly field: InputField; readonly text: string }) {
  const { name, kind, choices, isRequired } = field;
  const id = `given-${name}`;
  return (
    <div class="given">
      <label for={id}>{name}</label>
      {choices === null ? (
        <textarea id={id} name={name} rows={1} required={isRequired} defaultValue={text} />
      ) : (
        <select id={id} name={name} required={isRequired} defaultValue={text}>
          {isRequired ? null : <option value="" />}
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
      <span class="quiet">
        {[isRequired ? "" : "optional", kind === "text" ? "" : kind].filter(Boolean).join(", ")}
      </span>
    </div>
  );
}
