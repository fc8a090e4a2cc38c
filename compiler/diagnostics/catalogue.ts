import type { Severity } from "./diagnostic.js";
import { clip, visible } from "./visible.js";

/** A rule's texts; the parameters are what a report of it must give. */
export interface Rule<P> {
  readonly severity: Severity;
  readonly message: (params: P) => string;
  readonly help: (params: P) => string | null;
}

const rule =
  (severity: Severity) =>
  <P>(message: (params: P) => string, help: (params: P) => string | null = () => null): Rule<P> => ({
    severity,
    message,
    help,
  });
const error = rule("error");
const warning = rule("warning");

/** The sheet's text in a message: never long, never with characters that are obeyed or hidden. */
const bare = (text: string): string => visible(clip(text, 80));
const quote = (text: string): string => visible(JSON.stringify(clip(text, 80)));
const enumerated = (names: readonly string[], show: (name: string) => string): string => {
  const shown = names.slice(0, 8).map(show);
  if (names.length > 8) return `${shown.join(", ")} and ${names.length - 8} more`;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
};
const list = (names: readonly string[]): string => enumerated(names, quote);
/** A name's other spelling that the author may have meant. */
interface Meant {
  readonly suggestion: string | null;
}
const meant = ({ suggestion }: Meant): string | null =>
  suggestion === null ? null : `did you mean ${quote(suggestion)}?`;

/** Two ends that disagree: a writer and a reader, an annotation and its agent, or two readers of what the caller gives. */
type TypeClash = { readonly field: string } & (
  | { readonly written: string; readonly writer: string; readonly read: string; readonly reader: string }
  | { readonly declared: string; readonly agent: string; readonly node: string; readonly produces: string }
  | {
      readonly first: string;
      readonly firstReader: string;
      readonly second: string;
      readonly secondReader: string;
    }
);

/** Every problem Flowsheet reports: stable codes, never reused. */
export const catalogue = {
  // The file.
  "not-utf8": error<{ offset: number; byte: number }>(
    (p) => `the file is not UTF-8: byte 0x${p.byte.toString(16).padStart(2, "0")} at offset ${p.offset}`,
    () =>
      'save it as "CSV UTF-8 (Comma delimited)", or pass --encoding windows-1252 when it comes from an older Excel',
  ),
  "empty-sheet": error<Record<never, never>>(
    () => "the sheet has no data row",
    () => "write a header row and one row for each node",
  ),
  "sheet-too-large": error<{ what: string; limit: string }>(
    (p) => `the sheet is too large: ${p.what}`,
    (p) => `the limit is ${p.limit}`,
  ),
  "missing-column": error<{ columns: readonly string[]; headerRow: number | null }>(
    (p) => `the header has no column ${p.columns.map(quote).join(" and no column ")}`,
    (p) =>
      p.headerRow === null
        ? "graph_name and node_name are required; a header that is named otherwise must be renamed"
        : `the header seems to be in row ${p.headerRow}: delete the rows above it, or start each of them with "# "`,
  ),
  "duplicate-column": error<{ text: string; column: string; first: string }>(
    (p) => `two columns mean ${p.column}: ${quote(p.first)} and ${quote(p.text)}`,
    () => 'remove one of them, or start its header with "#" to keep it private',
  ),
  "bad-quote": error<{ what: "unclosed" | "inside" | "after" }>(
    (p) =>
      ({
        unclosed: "a quoted cell is opened here and never closed",
        inside: "a quote stands inside a cell that does not begin with one",
        after: "text follows the closing quote of a cell",
      })[p.what],
    (p) =>
      p.what === "unclosed"
        ? 'close the cell with a quote (")'
        : 'put the whole cell in quotes and write each quote inside it twice ("")',
  ),
  "long-row": error<{ cells: number; columns: number }>(
    (p) => `the row has ${p.cells} cells, the header has ${p.columns}`,
    () => "a cell that holds the delimiter must be quoted",
  ),
  "spreadsheet-error": error<{ value: string }>(
    (p) => `the cell holds the spreadsheet's error ${p.value}`,
    () => "mend the formula in the spreadsheet and export the sheet again",
  ),

  // Names.
  "missing-name": error<{ column: string; above: string | null }>(
    (p) => `${p.column} is empty`,
    (p) =>
      p.above === null
        ? "every row names its graph and its node"
        : `merged cells are exported as empty ones: repeat ${quote(p.above)} in every row`,
  ),
  "bad-name": error<{ what: string; name: string; why: string }>(
    (p) => `${p.what} name ${quote(p.name)} ${p.why}`,
    () => "rename it",
  ),
  "reserved-name": error<{ what: string; name: string }>(
    (p) => `${p.what} name ${quote(p.name)} is reserved`,
    () => "__proto__, prototype and constructor have a meaning of their own in JavaScript: rename it",
  ),
  "duplicate-node": error<{ name: string; row: number }>(
    (p) => `node ${quote(p.name)} is already in row ${p.row}`,
    () => "give one of the two another name",
  ),
  "unknown-node": error<Meant & { where: string; name: string; graph: string; row: number | null }>(
    (p) => `${p.where} names a node that graph ${quote(p.graph)} does not have`,
    (p) =>
      p.suggestion === null
        ? `add a row for ${quote(p.name)}, or name a node of this graph`
        : `did you mean ${quote(p.suggestion)}${p.row === null ? "" : ` (row ${p.row})`}?`,
  ),
  "unknown-graph": error<Meant & { name: string; known: readonly string[] }>(
    (p) => `there is no graph ${quote(p.name)}`,
    (p) => meant(p) ?? (p.known.length === 0 ? null : `known here: ${list(p.known)}`),
  ),
  "missing-prompt": error<{ reference: string; why: string }>(
    (p) => `${quote(p.reference)} leads to no prompt: ${p.why}`,
    () => "file:PATH is a file in the prompts folder, prompt:NAME an entry of prompts.yaml there",
  ),

  // Cells.
  "bad-field": error<{ text: string; why: string }>(
    (p) => `${quote(p.text)} is not a field: ${p.why}`,
    () => "a field name is a letter or _, then letters, digits, _ or -",
  ),
  "bad-type": error<Meant & { type: string }>(
    (p) => `${quote(p.type)} is not a type`,
    (p) => meant(p) ?? "types are string number boolean object list any, string[] and so on, and 'a'/'b'",
  ),
  "bad-context": error<{ why: string }>(
    (p) => `the context is not JSON: ${p.why}`,
    () => "a context that starts with { is a JSON object of settings; free text may start with anything else",
  ),
  "bad-setting": error<{ setting: string; expected: string; found: string }>(
    (p) => `setting ${quote(p.setting)} must be ${p.expected}, not ${bare(p.found)}`,
  ),
  "unknown-placeholder": error<Meant & { placeholder: string; inputs: readonly string[] }>(
    (p) => `{${bare(p.placeholder)}} names no input of this node`,
    (p) =>
      meant(p) ??
      (p.inputs.length === 0
        ? `add ${quote(p.placeholder)} to input_fields, or write {{${bare(p.placeholder)}}} for the text itself`
        : `its ${p.inputs.length === 1 ? "input is" : "inputs are"} ${list(p.inputs)}; write {{${bare(p.placeholder)}}} for the text itself`),
  ),

  // The graph.
  "type-mismatch": error<TypeClash>(
    (p) => {
      if ("writer" in p)
        return `${quote(p.field)} is written as ${bare(p.written)} by ${quote(p.writer)}, read as ${bare(p.read)} by ${quote(p.reader)}`;
      if ("declared" in p)
        return `${quote(p.field)} is declared as ${bare(p.declared)}, but agent ${quote(p.agent)} of ${quote(p.node)} writes ${bare(p.produces)}`;
      return `${quote(p.field)} is read as ${bare(p.first)} by ${quote(p.firstReader)}, and as ${bare(p.second)} by ${quote(p.secondReader)}`;
    },
    (p) =>
      "declared" in p
        ? "correct the annotation, or use an agent that produces this type"
        : "change one of the two types, or convert the value in a node between them",
  ),
  "write-conflict": error<{ field: string; first: string; second: string; split: string }>(
    (p) =>
      `${quote(p.first)} and ${quote(p.second)} both write ${quote(p.field)}, in branches that run at the same time`,
    (p) =>
      `write two fields, or set {"merge": {${quote(p.field)}: "append"}} (or "last", "sum") on ${quote(p.split)}`,
  ),
  "ambiguous-meeting": error<{ node: string; first: string; second: string }>(
    (p) =>
      `the branches of ${quote(p.node)} may stop at ${quote(p.first)} and at ${quote(p.second)}, which lead to each other`,
    () => "let the branches meet in one node before the loop",
  ),
  "endless-cycle": error<{ nodes: readonly string[] }>(
    (p) =>
      p.nodes.length === 1
        ? `${quote(p.nodes[0] ?? "")} leads only to itself: the run could never end`
        : `${list(p.nodes)} lead only to each other: the run could never end`,
    () => 'give one of them a way out: a branching node, an END, or {"max_visits": 5, "on_limit": "END"}',
  ),
  "unknown-agent": error<Meant & { type: string; scaffold: string }>(
    (p) => `there is no agent ${quote(p.type)}`,
    (p) => meant(p) ?? `write it: flowsheet scaffold --agent ${p.scaffold}`,
  ),

  // Warnings.
  "unknown-column": warning<Meant & { text: string }>(
    (p) => `column ${quote(p.text)} is unknown and ignored`,
    (p) => meant(p) ?? 'start its header with "#" to keep a private column',
  ),
  "short-row": warning<{ cells: number; columns: number }>(
    (p) =>
      `the row has ${p.cells} ${p.cells === 1 ? "cell" : "cells"}, the header has ${p.columns}: the rest is taken as empty`,
    () => "write all cells of the row",
  ),
  "unknown-setting": warning<Meant & { setting: string; agent: string }>(
    (p) => `agent ${quote(p.agent)} has no setting ${quote(p.setting)}`,
    (p) => meant(p) ?? "correct the name or remove it: it has no effect",
  ),
  "python-literal": warning<{ what: string }>(
    (p) => `the context is not quite JSON: ${p.what}`,
    () => "it is understood all the same",
  ),
  "unreachable-node": warning<{ name: string; entry: string }>(
    (p) => `no way leads to ${quote(p.name)} from the entry ${quote(p.entry)}`,
    () => "name it in another node's next column, or remove the row",
  ),
  "maybe-unset": warning<{ field: string; reader: string; writers: readonly string[] }>(
    (p) => `${quote(p.field)} may be unset when ${quote(p.reader)} reads it`,
    (p) =>
      `it is written by ${list(p.writers)}, but not on every way here; write ${bare(p.field)}? when it may be unset`,
  ),
  "misspelt-field": warning<{ field: string; suggestion: string; writer: string }>(
    (p) => `${quote(p.field)} is read here and written by no node`,
    (p) => `did you mean ${quote(p.suggestion)}, which ${quote(p.writer)} writes?`,
  ),
  "almost-placeholder": warning<{ text: string; suggestion: string }>(
    (p) => `${quote(p.text)} is plain text, but looks like a placeholder`,
    (p) => `did you mean ${bare(p.suggestion)}?`,
  ),
  "unused-edge": warning<{ column: string; why: string }>(
    (p) => `${p.column} is never taken: ${p.why}`,
    () => "empty this cell: it has no effect",
  ),
  "unhandled-choice": warning<{ field: string; missing: readonly string[] }>(
    (p) => `no case for ${enumerated(p.missing, (value) => `'${bare(value)}'`)} of ${quote(p.field)}`,
    () => 'name a node for each value, or set "default"',
  ),
  "case-clash": warning<{ what: string; name: string; other: string; row: number }>(
    (p) => `${p.what} names ${quote(p.name)} and ${quote(p.other)} (row ${p.row}) differ only in case`,
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
    (p) => `agent ${quote(p.agent)} needs ${p.what}, which is not there`,
    (p) => p.cure,
  ),
};

export type Catalogue = typeof catalogue;
export type Code = keyof Catalogue;
export type Params<C extends Code> = Parameters<Catalogue[C]["message"]>[0];
