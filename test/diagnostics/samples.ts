import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import type { Place } from "../../compiler/ir.js";

export const FILE = "support.csv";

/** The sheet of the product's own example, with the mistake in row 5. */
export const SUPPORT = [
  "graph_name,node_name,next_node,context,agent_type,next_on_success,next_on_failure,input_fields,prompt",
  "triage,Start,Read,,input,,,,What can we do for you?",
  "triage,Read,Classify,,echo,,,question,{question}",
  "# the model decides",
  "triage,Classify,,Sort the ticket,llm,Anwser,Oops,question,Is this urgent? {question}",
  "triage,Answer,,,echo,,,question,We will answer: {question}",
  "triage,Oops,,,echo,,,,Sorry!",
].join("\n");

/** Line and column of an offset, counted in the plainest way. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text
    .slice(0, offset)
    .replace(/\r\n/g, "\n\n")
    .split(/\r\n|\n|\r/);
  const breaks = text.slice(0, offset).match(/\r\n|\n|\r/g) ?? [];
  return { line: breaks.length + 1, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The place of the `nth` occurrence of a text. */
export function placeOf(text: string, needle: string, nth = 0): Place {
  let start = text.indexOf(needle);
  for (let n = 0; n < nth; n++) start = text.indexOf(needle, start + 1);
  if (start === -1) throw new Error(`the sample does not hold ${JSON.stringify(needle)}`);
  const from = positionOf(text, start);
  const to = positionOf(text, start + needle.length);
  return { file: FILE, ...from, endLine: to.line, endColumn: to.column, cell: null };
}

/** A diagnostic with everything absent that a test does not name. */
export function diagnostic(given: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: "unknown-node",
    severity: "error",
    message: "something is wrong",
    file: FILE,
    place: null,
    graph: null,
    node: null,
    column: null,
    label: null,
    help: null,
    fix: null,
    span: null,
    ...given,
  };
}

/** What Flowsheet says of the mistake in `SUPPORT`. */
export function misspeltTarget(): Diagnostic {
  const start = SUPPORT.indexOf("Anwser");
  return diagnostic({
    message: 'next_on_success names a node that graph "triage" does not have',
    place: { ...placeOf(SUPPORT, "Anwser"), cell: "F5" },
    graph: "triage",
    node: "Classify",
    column: "next_on_success",
    help: 'did you mean "Answer" (row 6)?',
    fix: { title: 'write "Answer"', safe: true, edits: [{ start, end: start + 6, text: "Answer" }] },
  });
}
