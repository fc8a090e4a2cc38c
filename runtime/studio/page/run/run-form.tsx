import { useEffect, useRef, useState } from "preact/hooks";
import { mayDebug } from "../debug/debug-state.js";
import { startDebug } from "../debug/lead.js";
import { shownRecords } from "../editing/sheet-editing.js";
import { manyLines, oneLine } from "../sheet/shown-text.js";
import { chosenTab, opened } from "../state.js";
import { isBeginning, type NotBegun, notBegun } from "./begin-run.js";
import { type InputField, inputFields, typed, WrongValue } from "./input-fields.js";
import { wanted } from "./run-state.js";
import { StatusWord } from "./status-word.js";
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

  const last = notBegun.value;
  const not = last?.workflow === name && last.text === (shownRecords()?.text ?? null) ? last : null;
  useEffect(() => {
    if (not !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [not]);

  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    notBegun.value = null;
    const texts = textsOf(event.currentTarget as HTMLFormElement);
    given.set(name, texts);
    try {
      say("");
      const isStep = (event.submitter as HTMLButtonElement | null)?.value === "step";
      void (isStep ? startDebug : startRun)(typed(fields ?? [], texts));
    } catch (error) {
      if (error instanceof WrongValue)
        notBegun.value = {
          ...{ workflow: name, fields: new Map([[error.field, error.message]]), errors: [] },
          text: shownRecords()?.text ?? null,
        };
    }
  };
  const values = given.get(name);
  return (
    <form class="run-form" ref={form} onSubmit={send} aria-label={`Run ${graph}`}>
      {fields?.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          text={values?.get(field.name) ?? ""}
          fault={not?.fields.get(field.name) ?? null}
        />
      ))}
      {fields?.length === 0 ? <p class="quiet">This graph needs nothing to begin.</p> : null}
      {fields === null ? null : (
        <div class="options">
          <button type="submit" class="primary" aria-disabled={isBeginning.value}>
            Start
          </button>
          {mayDebug() ? (
            <button type="submit" value="step" title="F10">
              Step
            </button>
          ) : null}
        </div>
      )}
      {not === null ? null : <StatusWord status="refused" />}
      {not?.isInvalid === true ? (
        <button type="button" onClick={showProblems}>
          Show the problems
        </button>
      ) : null}
      <output class="said error">{said === "" ? manyLines(errorsOf(not, fields)) : said}</output>
    </form>
  );
}

function showProblems(): void {
  chosenTab.value = "problems";
}

/** A field that the form does not show has no place of its own. */
function errorsOf(not: NotBegun | null, fields: readonly InputField[] | null): string {
  const others = [...(not?.fields ?? [])].filter(([name]) => !fields?.some((field) => field.name === name));
  return [...(not?.errors ?? []), ...others.map(([, message]) => message)].join("\n");
}

const buttonFor = (form: HTMLFormElement | null, what: string): HTMLElement | null =>
  form?.querySelector<HTMLElement>(what.endsWith("step") ? 'button[value="step"]' : "button.primary") ?? null;

const textsOf = (form: HTMLFormElement): ReadonlyMap<string, string> =>
  new Map(
    [...new FormData(form)].flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );

interface FieldView {
  readonly field: InputField;
  readonly text: string;
  /** Why its value was refused. */
  readonly fault: string | null;
}

function FieldInput({ field, text, fault }: FieldView) {
  const { name, kind, choices, isRequired, without } = field;
  const id = `given-${name}`;
  const told = { "aria-invalid": fault !== null, "aria-describedby": `${id}-said ${id}-about` };
  return (
    <div class="given">
      <label for={id}>{name}</label>
      {choices === null ? (
        <textarea id={id} name={name} rows={1} required={isRequired} defaultValue={text} {...told} />
      ) : (
        <select id={id} name={name} required={isRequired} defaultValue={text} {...told}>
          {isRequired ? null : <option value="" />}
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
      <span id={`${id}-about`} class="quiet">
        {[isRequired ? "" : "optional", oneLine(without), kind === "text" ? "" : kind]
          .filter(Boolean)
          .join(", ")}
      </span>
      <p id={`${id}-said`} class="said error">
        {fault === null ? "" : manyLines(fault)}
      </p>
    </div>
  );
}
