import { bare, enumerated, list, type Meant, meant, quote, warning } from "./rule.js";

/** Inputs that the agent never gets. */
export interface UnusedInput {
  readonly agent: string;
  readonly making: "text" | "end" | "message" | "question";
  readonly inputs: readonly string[];
  /** One of them stands between double braces. */
  readonly isEscaped: boolean;
  readonly hasPrompt: boolean;
}

function unusedInputHelp({ making, inputs, isEscaped, hasPrompt }: UnusedInput): string {
  const name = `{${bare(inputs[0] ?? "")}}`;
  if (isEscaped) return `write ${name}: two braces at each side stand for the text itself`;
  const many = inputs.length > 1;
  if (making === "text")
    return `write ${name} where its value belongs; without a prompt ${many ? "all of them are" : "it is"} given on unchanged`;
  if (making === "message")
    return `write ${name} where the model should read it; without a prompt ${many ? "all of them are" : "it is"} the message`;
  if (making === "question") return `write ${name} in the prompt, for the person who is asked`;
  return hasPrompt
    ? `write ${name} where its value belongs, or remove it`
    : `write a prompt with ${name}, or empty input_fields`;
}

/** Advice for a prompt that its agent does not use. */
const PROMPTLESS: { readonly [type: string]: string } = {
  summary:
    'set {"llm": true} for a model that follows it, or "format" for how an input is written; else empty the cell',
  branching: 'say what to decide in the settings, as in {"when": {"amount": ">100"}}; else empty the cell',
  switch: "it goes by its first input alone: let a node before it write that; else empty the cell",
  orchestrator: 'set {"strategy": "llm"} for a model that follows it; else empty the cell',
  list: "it goes by its settings and its first input alone: empty the cell",
  wait: "it goes by its settings alone: empty the cell",
  http: 'set {"body": "json"}, or a method that sends something, such as POST; else empty the cell',
  graph: "the other graph gets only the inputs: add what it needs to input_fields; else empty the cell",
};

/** What is understood all the same, or has no effect. */
export const ofWarnings = {
  "unknown-column": warning<Meant & { text: string; beside?: string | null }>(
    (p) =>
      p.text === ""
        ? "a column has cells but no header: it is ignored"
        : `column ${quote(p.text)} is unknown and ignored`,
    (p) =>
      p.beside != null
        ? `its cells mean what ${p.beside} means: move them there, and remove the column`
        : (meant(p) ?? 'start its header with "#" to keep a private column'),
  ),
  "short-row": warning<{ cells: number; columns: number }>(
    (p) =>
      `the row has ${p.cells} ${p.cells === 1 ? "cell" : "cells"}, the header has ${p.columns}: the rest is taken as empty`,
    () => "write all cells of the row, also the empty ones",
  ),
  // An error when the agent would refuse to work.
  "unknown-setting": warning<Meant & { setting: string; agent: string; isRefused: boolean }>(
    (p) => `agent ${quote(p.agent)} has no setting ${quote(p.setting)}`,
    (p) =>
      meant(p) ??
      (p.isRefused
        ? "correct the name or remove it: a writer refuses what it does not know"
        : "correct the name or remove it: it has no effect"),
  ),
  "python-literal": warning<{ column: string; what: string }>(
    (p) => `${p.column === "context" ? "the context" : p.column} is not quite JSON: ${p.what}`,
    () => "it is understood all the same",
  ),
  // A name of other tools that is read as the name here.
  "foreign-name": warning<{ what: string; name: string; means: string }>(
    (p) => `${p.what} ${quote(p.name)} is ${bare(p.means, 120)} here`,
    () => "it is understood all the same",
  ),
  "duplicate-key": warning<{ key: string }>(
    (p) => `key ${quote(p.key)} stands in this object twice: the last one counts`,
    () => "remove one of the two",
  ),
  "unreachable-node": warning<{ name: string; entry: string }>(
    (p) => `no way leads to ${quote(p.name)} from the entry ${quote(p.entry)}`,
    () => "name it in another node's next column, or remove the row",
  ),
  "maybe-unset": warning<{
    field: string;
    reader: string;
    writers: readonly string[];
    failing: readonly string[];
    /** In a formula, which never computes with what is unset. */
    formula?: { readonly always: boolean };
  }>(
    (p) =>
      p.formula === undefined
        ? `${quote(p.field)} may have no value yet when ${quote(p.reader)} reads it`
        : `${bare(p.field)} ${p.formula.always ? "is" : "may be"} unset here`,
    (p) => {
      if (p.formula?.always === true) return "this part is computed only where it is unset";
      if (p.formula !== undefined)
        return `write IFBLANK(${bare(p.field)}, …), or ask first with IF(ISBLANK(${bare(p.field)}), …, …)`;
      return p.failing.length === 0
        ? `${list(p.writers)} ${p.writers.length === 1 ? "writes" : "write"} it, but not on every way here; write ${bare(p.field)}? if it may be unset`
        : `${list(p.failing)} may fail without it: send failures elsewhere with next_on_failure, or write ${bare(p.field)}?`;
    },
  ),
  "asked-again": warning<{ field: string; reader: string; asker: string }>(
    (p) =>
      `${quote(p.reader)} uses the ${quote(p.field)} that the caller gives, and ${quote(p.asker)} then takes it once more instead of asking`,
    (p) =>
      `let ${quote(p.asker)} write a field of its own, or begin the graph with a node that asks for ${quote(p.field)}`,
  ),
  "untyped-input": warning<{ field: string; agent: string; type: string }>(
    (p) =>
      `${quote(p.agent)} takes ${quote(p.field)} as ${p.type}, but the sheet does not say so: the command line gives it as text`,
    (p) => `write ${quote(`${bare(p.field)}:${p.type}`)}`,
  ),
  "unknown-input": warning<Meant & { graph: string; field: string }>(
    (p) => `graph ${quote(p.graph)} knows no field ${quote(p.field)}`,
    (p) => meant(p) ?? `write ${quote(`theirs=${bare(p.field)}`)} when the field has another name there`,
  ),
  "misspelt-field": warning<{ field: string; suggestion: string; writer: string }>(
    (p) => `${quote(p.field)} is read here and written by no node`,
    (p) => `did you mean ${quote(p.suggestion)}, which ${quote(p.writer)} writes?`,
  ),
  "unused-input": warning<UnusedInput>((p) => {
    const [what, it] =
      p.inputs.length === 1 ? ["does not name the input", "it"] : ["names none of the inputs", "them"];
    const where = p.hasPrompt ? `the prompt ${what}` : "no prompt names";
    return `${where} ${list(p.inputs)}, so ${quote(p.agent)} never sees ${it}`;
  }, unusedInputHelp),
  "unused-prompt": warning<{ type: string; agent: string }>(
    (p) => `agent ${quote(p.agent)} does not use its prompt`,
    (p) =>
      PROMPTLESS[p.type] ?? 'the setting "collection" names the file: empty this cell, or remove the setting',
  ),
  "secret-in-sheet": warning<{ column: string }>(
    (p) => `the ${p.column} holds what looks like a key or a token`,
    () => "take it out, make a new one, and keep that as a connection of flowsheet.yaml, with env:NAME",
  ),
  "almost-placeholder": warning<{ text: string; suggestion: string }>(
    (p) => `${quote(p.text)} is plain text, but looks like a placeholder`,
    (p) => `did you mean ${bare(p.suggestion)}?`,
  ),
  "unused-edge": warning<{ column: string; why: string; cure: string | null }>(
    (p) => `${p.column} is never taken: ${p.why}`,
    (p) => p.cure ?? "empty this cell: it has no effect",
  ),
  "unhandled-choice": warning<{ field: string; missing: readonly string[] }>(
    (p) =>
      `no node is named for ${enumerated(p.missing, (value) => `'${bare(value)}'`)}, which ${quote(p.field)} may be`,
    () => 'name a node for each value, or set "default"',
  ),
  "case-clash": warning<{ what: string; name: string; other: string; row: number }>(
    (p) =>
      `${p.what} names ${quote(p.name)} and ${quote(p.other)} (row ${p.row}) differ only in upper and lower case`,
    () => "rename one of the two",
  ),
  "confusable-name": warning<{ what: string; name: string; other: string; row: number }>(
    (p) =>
      `${p.what} name ${quote(p.name)} looks like ${quote(p.other)} (row ${p.row}), but is written with other letters`,
    () => "type the name again, or rename one of the two",
  ),
  "duplicate-field": warning<{ name: string; column: string }>(
    (p) => `${p.column} names ${quote(p.name)} twice`,
    () => "remove one of the two",
  ),
  "duplicate-target": warning<{ name: string; column: string }>(
    (p) => `${p.column} names ${quote(p.name)} twice: the second is dropped`,
    () => "remove one of the two",
  ),
  "missing-dependency": warning<{ agent: string; what: string; cure: string }>(
    (p) => `agent ${quote(p.agent)} needs what is not there: ${p.what}`,
    (p) => p.cure,
  ),
};
