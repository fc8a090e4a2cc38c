import { useId, useState } from "preact/hooks";
import { listOf } from "../address.js";
import { goTo } from "../choose.js";
import { wordsOf } from "../connection/requests.js";
import { changeRun } from "../run/records.js";
import type { Step } from "../run/run-state.js";

/** Begins a new run with what this one had recorded before a step. */
export function ForkForm({ step, id }: { readonly step: Step; readonly id: string }) {
  const [isOpen, setOpen] = useState(false);
  const [said, say] = useState("");
  const field = useId();
  const onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const name = String(data.get("field") ?? "").trim();
    const set = name === "" ? {} : { [name]: typedValue(String(data.get("value") ?? "")) };
    try {
      const from = `${step.node}#${step.visit}`;
      const forked = await changeRun(id, "fork", { from, set, current: data.has("current") });
      goTo({ ...listOf("runs"), run: forked.run_id });
    } catch (error) {
      say(wordsOf(error).join(" "));
    }
  };
  if (!isOpen)
    return (
      <p class="fork">
        <button type="button" onClick={() => setOpen(true)}>
          Fork from here
        </button>
      </p>
    );
  return (
    <form class="fork" aria-label={`Fork from ${step.node}`} onSubmit={onSubmit}>
      <p class="quiet">
        A new run begins with all that was done before {step.node}. This one stays as it is.
      </p>
      <label>
        <input type="checkbox" name="current" defaultChecked /> On the sheet as it is now
      </label>
      <div class="fork-set">
        <label for={`${field}-field`}>Change field</label>
        <input id={`${field}-field`} name="field" autocomplete="off" placeholder="none" />
        <label for={`${field}-value`}>to</label>
        <input id={`${field}-value`} name="value" autocomplete="off" placeholder="text or JSON" />
      </div>
      <div class="options">
        <button type="submit" class="primary">
          Fork
        </button>
        <button type="button" onClick={() => setOpen(false)}>
          Close
        </button>
      </div>
      <output class="said error">{said}</output>
    </form>
  );
}

function typedValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
