import { bare, error, list, type Meant, meant, quote, warning } from "./rule.js";

/** Names of rows, and what names something. */
export const ofNames = {
  "missing-name": error<{ column: string; above: string | null }>(
    (p) => `${p.column} is empty`,
    (p) =>
      p.above === null
        ? `every row needs ${p.column === "case" ? "the name of a case" : "a graph and a node"}; start a row that is only a note with "# "`
        : `merged cells are exported as empty ones: repeat ${quote(p.above)} in every row`,
  ),
  "stray-row": warning<{ graph: string }>(
    (p) => `graph ${quote(p.graph)} is one row with nothing but its names, so it does nothing`,
    () => 'start a row that is only a note with "# ", or write what its node does',
  ),
  "bad-name": error<{ what: string; name: string; why: string }>(
    (p) => `${p.what} name ${quote(p.name)} ${p.why}`,
    () => "choose another name, and write it wherever it is mentioned",
  ),
  "reserved-name": error<{ what: string; name: string }>(
    (p) => `${p.what} name ${quote(p.name)} is reserved`,
    () => "__proto__, prototype and constructor mean something in JavaScript: choose another name",
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
  /** More than one are told by the first of them. */
  "missing-input": error<{ graph: string; field: string; count: number }>(
    (p) =>
      p.count === 1
        ? `graph ${quote(p.graph)} needs the input ${quote(p.field)}, which this node does not give it`
        : `graph ${quote(p.graph)} needs ${p.count} more inputs, which this node does not give it: the first is ${quote(p.field)}`,
    (p) =>
      `add ${quote(p.field)} to input_fields, or ${quote(`${p.field}=field`)} for a field of another name`,
  ),
  "schedule-needs-input": error<{ graph: string; fields: readonly string[] }>(
    (p) => `${quote(p.graph)} is scheduled, and nobody gives its runs ${list(p.fields)}`,
    (p) =>
      `let a node write ${quote(p.fields[0] ?? "")} first, read it as ${quote(`${bare(p.fields[0] ?? "")}?`)}, or schedule the graph in flowsheet.yaml, with input`,
  ),
  "duplicate-webhook": error<{ path: string; graph: string; other: string }>(
    (p) => `requests to ${quote(p.path)} begin ${quote(p.other)} already, so none begins ${quote(p.graph)}`,
    () => "give each graph a path of its own",
  ),
  "unknown-output": error<Meant & { graph: string; field: string }>(
    (p) => `graph ${quote(p.graph)} has no field ${quote(p.field)}`,
    (p) =>
      meant(p) ??
      `write ${quote("theirs=mine")} when the field has another name there, or ${quote(`${bare(p.field)}:object`)} alone for its whole state`,
  ),
  "missing-prompt": error<{ reference: string; why: string }>(
    (p) => `${quote(p.reference)} leads to no prompt: ${p.why}`,
    () => "file:PATH is a file in the prompts folder, prompt:NAME an entry of prompts.yaml there",
  ),
};
