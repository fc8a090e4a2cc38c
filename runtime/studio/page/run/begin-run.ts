import { signal } from "@preact/signals";
import { server } from "../connection/present.js";
import { Refusal, wordsOf } from "../connection/requests.js";
import { saveNow, shownRecords } from "../editing/sheet-editing.js";
import { workflowName } from "./workflow-name.js";

/** Why the last run of a workflow did not begin. */
export interface NotBegun {
  readonly workflow: string;
  /** What is wrong with a given field. */
  readonly fields: ReadonlyMap<string, string>;
  /** What else keeps it from beginning. */
  readonly errors: readonly string[];
  /** The sheet has errors, which the tab of problems shows. */
  readonly isInvalid?: true;
  /** The sheet as it was then: an edit may have mended it. */
  readonly text: string | null;
}

export const notBegun = signal<NotBegun | null>(null);
/** A run is on its way to the server. */
export const isBeginning = signal(false);

/** Saves the sheet, and asks for a run. Null when it does not begin: the form keeps its values, and says why. */
export async function beginRun<T>(path: string, body: object): Promise<T | null> {
  if (isBeginning.value) return null;
  [isBeginning.value, notBegun.value] = [true, null];
  const workflow = workflowName();
  try {
    if (!(await saveNow())) throw new NotSaved();
    const response = await server().ask(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await response.json()) as T;
  } catch (error) {
    notBegun.value = { workflow, text: shownRecords()?.text ?? null, ...faultsOf(error) };
    return null;
  } finally {
    isBeginning.value = false;
  }
}

class NotSaved extends Error {}

const FIELD = /^\/(?:initial_state|given)\/(.+)$/;

function faultsOf(error: unknown): Omit<NotBegun, "workflow" | "text"> {
  const fields = new Map<string, string>();
  if (error instanceof NotSaved)
    return { fields, errors: ["the sheet is not saved yet: a run takes what is saved"] };
  if (error instanceof Refusal && error.code === "workflow_invalid")
    return { fields, errors: ["this sheet has errors"], isInvalid: true };
  if (!(error instanceof Refusal)) return { fields, errors: wordsOf(error) };
  const others: string[] = [];
  for (const { pointer, message } of error.errors) {
    const [, name] = FIELD.exec(pointer) ?? [];
    if (name === undefined) others.push(message);
    else fields.set(name.replaceAll("~1", "/").replaceAll("~0", "~"), message);
  }
  return { fields, errors: fields.size > 0 ? others : wordsOf(error) };
}
