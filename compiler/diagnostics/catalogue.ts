import type { Severity } from "./diagnostic.js";
import { clip, visible } from "./visible.js";

/** The texts of a rule. The parameters are the data that a report must give. */
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

/** Text of the sheet for a message: short, without control characters and hidden ones. */
const bare = (text: string, limit = 80): string => visible(clip(text, limit));
const quote = (text: string): string => visible(JSON.stringify(clip(text, 80)));
const enumerated = (names: readonly string[], show: (name: string) => string): string => {
  const shown = names.slice(0, 8).map(show);
  if (names.length > 8) return `${shown.join(", ")} and ${names.length - 8} more`;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
};
const list = (names: readonly string[]): string => enumerated(names, quote);
interface Meant {
  readonly suggestion: string | null;
}
const meant = ({ suggestion }: Meant): string | null =>
  suggestion === null ? null : `did you mean ${quote(suggestion)}?`;

/** The names that a placeholder may have. */
function placeholderHelp({ placeholder, inputs }: PlaceholderFault): string {
  const [head = ""] = placeholder.split(".");
  if (head === "error")
    return "{error} is there only in nodes that a failure leads to; elsewhere add error? to input_fields";
  if (inputs.length === 0) return `add ${quote(head)} to input_fields`;
  return `its ${inputs.length === 1 ? "input is" : "inputs are"} ${list(inputs)}`;
}
interface PlaceholderFault {
  readonly placeholder: string;
  readonly inputs: readonly string[];
  /** Set for a name of a formula. */
  readonly formula?: {
    /** An input whose name goes on with `-`. */
    readonly dashed: string | null;
    readonly isText: boolean;
    readonly isCell: boolean;
  };
}

/** The cure of a name in a formula that no input has. */
function nameHelp(p: PlaceholderFault & Meant, formula: NonNullable<PlaceholderFault["formula"]>): string {
  const { dashed, isText, isCell } = formula;
  if (dashed !== null)
    return `write '${bare(dashed)}' in quotes: a formula takes - for a subtraction; or name it in input_fields, as in ${bare(dashed).replaceAll("-", "_")}=${bare(dashed)}`;
  const close = meant(p);
  if (close !== null) return close;
  if (isText) return 'text stands in double quotes: "text"';
  if (isCell) return "a formula knows fields, no cells of the spreadsheet: write the name of an input";
  return placeholderHelp(p).replace("{error}", "error");
}

/** A problem that the check of formulas puts in words. */
interface FormulaFault {
  readonly message: string;
  readonly help: string | null;
}

interface MissingAgent extends Meant {
  readonly type: string;
  /** A file that may be meant to hold the agent. */
  readonly seen: { readonly file: string; readonly what: string; readonly cure: string } | null;
  readonly cure: { readonly scaffold: string } | { readonly refused: string } | { readonly instead: string };
}
function missingAgentHelp({ suggestion, seen, cure }: MissingAgent): string | null {
  if (seen !== null) return visible(`${seen.file} was seen and gives no agent: ${seen.what}; ${seen.cure}`);
  const other = meant({ suggestion });
  if ("instead" in cure) return cure.instead;
  const [doing, how] =
    "scaffold" in cure
      ? ["write it", `flowsheet scaffold --agent ${cure.scaffold}`]
      : ["rename it", cure.refused];
  return other === null ? `${doing}: ${how}` : `${other} Else ${doing}: ${how}`;
}

/** A missing precondition of an agent, which would throw at every visit. `nodes`: targets that no route reaches. */
interface Lacking {
  readonly type: string;
  readonly agent: string;
  readonly need: "targets" | "inputs" | "message" | "file" | "value" | "address" | "text" | "statement";
  readonly nodes: readonly string[];
}

const NEEDS: { readonly [need in Lacking["need"]]: { readonly why: string; readonly cure: string } } = {
  targets: {
    why: "it lists no node to choose from",
    cure: "name its nodes in next_node, as in Refund|Answer",
  },
  inputs: { why: "it has no input to go by", cure: "name the field that it goes by in input_fields" },
  message: {
    why: "it has neither a prompt nor an input to send",
    cure: "write a prompt, or name in input_fields what it should send",
  },
  file: {
    why: "no file is named",
    cure: 'name the file in the prompt, or in the settings: {"collection": "orders.json"}',
  },
  value: { why: "it has nothing to write", cure: "name the field that it should write in input_fields" },
  text: { why: "it has nothing to say", cure: "write the message as its prompt" },
  statement: { why: "it has no statement", cure: "write the statement as its prompt" },
  address: { why: "it has no address to call", cure: 'write it into the setting "url"' },
};

function lackingHelp({ type, need, nodes }: Lacking): string {
  const { cure } = NEEDS[need];
  if (need === "targets" && nodes.length > 0) {
    const names = nodes.slice(0, 8).map((name) => bare(name));
    return `name the nodes that it chooses from in next_node, such as ${names.join("|")}`;
  }
  if (need === "targets" && type === "switch") return `${cure}, or set "cases"`;
  if (need === "value" && type === "file_writer")
    return `${cure}; where "collection" names the file, it writes its prompt`;
  if (need !== "inputs" || type === "branching" || type === "list") return cure;
  return `${cure}, or set ${type === "switch" ? '"default"' : '"default_target"'}`;
}

/** Inputs that the agent never gets. */
interface UnusedInput {
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

/** Two types that disagree: of a writer and a reader, an annotation and an agent, or two readers of an input. */
type TypeClash =
  | ({ readonly field: string } & (
      | { readonly written: string; readonly writer: string; readonly read: string; readonly reader: string }
      | {
          readonly declared: string;
          readonly agent: string;
          readonly node: string;
          readonly produces: string;
        }
      | { readonly summed: string; readonly node: string }
      | {
          readonly first: string;
          readonly firstReader: string;
          readonly second: string;
          readonly secondReader: string;
        }
      | AgentClash
    ))
  /** A file that TypeScript may not read, and the file where it would look for its types. */
  | { readonly untyped: string; readonly declarations: string }
  /** A message of TypeScript on a cell or a project file, when there is no simpler one. */
  | { readonly says: string; readonly inFile?: true }
  /** A problem with the project's modules, and its cure. */
  | { readonly says: string; readonly cure: string };

/** A row that does not fit the types of its agent. */
type AgentClash = { readonly agent: string; readonly node: string } & (
  | { readonly given: string; readonly takes: string }
  | { readonly maybeUnset: true; readonly takes: string }
  /** The input is optional, but the agent's type does not accept undefined. */
  | { readonly exact: string; readonly takes: string }
  | { readonly notGiven: true; readonly takes: string }
  | { readonly gives: string }
);

function agentClashText(p: { readonly field: string } & AgentClash): string {
  const agent = `agent ${quote(p.agent)} of ${quote(p.node)}`;
  if ("gives" in p) return `${agent} gives no ${quote(p.field)}: its result is ${bare(p.gives)}`;
  if ("given" in p) return `${quote(p.field)} is ${bare(p.given)}, but ${agent} takes ${bare(p.takes)}`;
  if ("exact" in p)
    return `${quote(p.field)} comes as undefined where it is unset, but ${agent} takes only ${bare(p.takes)} for ${quote(p.exact)}`;
  if ("maybeUnset" in p) return `${quote(p.field)} may be unset, but ${agent} needs ${bare(p.takes)}`;
  return `${agent} needs the input ${quote(p.field)} (${bare(p.takes)}), which the row does not give it`;
}

const IN_FILE = "mend this file: the error is in the code of your agents, not in the sheet";

function clashHelp(p: TypeClash): string | null {
  if ("cure" in p) return p.cure;
  if ("says" in p) return p.inFile === true ? IN_FILE : null;
  if ("untyped" in p)
    return `set "allowJs": true in tsconfig.json, or declare its types in ${bare(p.declarations)}`;
  if ("declared" in p && p.declared === "object" && p.produces === "object")
    return `${bare(p.produces)} of TypeScript may be a list or a function: let the agent declare a mapping, such as Record<string, unknown>`;
  if ("declared" in p) return "correct the type behind the colon, or use an agent that writes it";
  if ("gives" in p) return "name the entry that it gives, as in entry=field, or add the entry to its result";
  if ("maybeUnset" in p) return "write the field on every way to the node, or let the agent do without it";
  if ("exact" in p)
    return `let the agent declare undefined as well, as in ${bare(p.exact)}?: ${bare(p.takes)} | undefined: exactOptionalPropertyTypes asks for it`;
  if ("notGiven" in p) return "add it to input_fields, as in input=field, or make it optional in the agent";
  return "change one of the two types, or convert the value in a node between them";
}

const SAVE = 'in the spreadsheet program, save the sheet with the workflows as "CSV UTF-8"';

/** File formats that people use instead of CSV, with advice. */
const OTHER_FILES = {
  xlsx: { is: "an Excel workbook", cure: SAVE },
  xls: { is: "a workbook of an older Excel", cure: SAVE },
  ods: { is: "a workbook of LibreOffice or another office program (.ods)", cure: SAVE },
  zip: { is: "a ZIP archive", cure: "take the sheet out of it" },
  "quoted-lines": {
    is: "a table whose lines stand in quotes as a whole, so that each row is one cell",
    cure: "export it again without quotes around whole lines",
  },
  markdown: { is: "a table in Markdown", cure: "write it as CSV, with commas between the cells" },
} as const;

/** Every problem that Flowsheet reports. Codes are stable and never reused. */
export const catalogue = {
  // The file.
  "not-utf8": error<{ offset: number; byte: number } | { wide: string }>(
    (p) =>
      "wide" in p
        ? "the file seems to be UTF-16, but no byte order mark says so"
        : `the file is neither UTF-8 nor UTF-16: byte 0x${p.byte.toString(16).padStart(2, "0")} at offset ${p.offset}`,
    (p) =>
      "wide" in p
        ? `save it as "CSV UTF-8"; or convert it with --fix; or pass --encoding ${p.wide}`
        : 'in Excel, save it as "CSV UTF-8 (Comma delimited)"; or convert it with --fix; or pass --encoding windows-1252',
  ),
  "not-csv": error<{ what: keyof typeof OTHER_FILES }>(
    (p) => `the file is no CSV: it is ${OTHER_FILES[p.what].is}`,
    (p) => OTHER_FILES[p.what].cure,
  ),
  "bad-workbook": error<{ why: string }>(
    (p) => `the workbook cannot be read: ${p.why}`,
    () => "open it in a spreadsheet program, and save it as an Excel workbook (.xlsx)",
  ),
  "formula-without-value": error<Record<never, never>>(
    () => "the cell holds a formula that has no value yet",
    () => "open the workbook in a spreadsheet program and save it: that works the value out",
  ),
  "merged-cells": warning<{ cells: string }>(
    (p) => `the cells ${p.cells} are merged: only the first of them holds the value`,
    () => "undo the merge, and write the value into every row; only graph_name may be merged downwards",
  ),
  "empty-sheet": error<{ rows: string }>(
    () => "the sheet has no data row",
    (p) => `write a header row and ${p.rows}`,
  ),
  "sheet-too-large": error<{ what: string; limit: string }>(
    (p) => `the sheet is too large: ${p.what}`,
    (p) => `the limit is ${p.limit}`,
  ),
  "missing-column": error<{
    columns: readonly string[];
    headerRow: number | null;
    required: string;
    /** The worksheets of a workbook none of which is a sheet. */
    looked?: readonly string[];
  }>(
    (p) =>
      p.looked === undefined
        ? `the header has no column ${p.columns.map(quote).join(" and no column ")}`
        : `no worksheet has a header with the columns ${p.columns.map(quote).join(" and ")}`,
    (p) =>
      p.looked !== undefined
        ? `looked at: ${p.looked.slice(0, 20).map(quote).join(", ") || "no worksheet that is to be seen"}`
        : p.headerRow === null
          ? `the first row must name the columns; ${p.required} required`
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
        : 'put the whole cell in quotes and write each quote inside it twice: "say ""hello"""',
  ),
  "long-row": error<{ cells: number; columns: number; cure: "comma" | "quotes" | null }>(
    (p) => `the row has ${p.cells} cells, the header has ${p.columns}`,
    (p) =>
      p.cure === "comma"
        ? "an empty cell before this one is too many: remove a comma"
        : 'a cell that holds the sign between the cells, such as a comma, must stand in quotes: "Hello, Ada"',
  ),
  "spreadsheet-error": error<{ value: string; isPrompt?: boolean }>(
    (p) => `the cell holds the spreadsheet's error ${p.value}`,
    (p) =>
      p.isPrompt === true && p.value === "#NAME?"
        ? "a spreadsheet has computed the formula of this node: write it without =, and export the sheet again"
        : "mend the formula in the spreadsheet and export the sheet again",
  ),

  // Names.
  "missing-name": error<{ column: string; above: string | null }>(
    (p) => `${p.column} is empty`,
    (p) =>
      p.above === null
        ? `every row needs ${p.column === "case" ? "the name of a case" : "a graph and a node"}; start a row that is only a note with "# "`
        : `merged cells are exported as empty ones: repeat ${quote(p.above)} in every row`,
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
  "missing-input": error<{ graph: string; field: string }>(
    (p) => `graph ${quote(p.graph)} needs the input ${quote(p.field)}, which this node does not give it`,
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

  // Cells.
  "bad-field": error<{ text: string; why: string }>(
    (p) => `${quote(p.text)} is not a field: ${p.why}`,
    () => "a field's name is a letter or _, then letters, digits, _ or -; a | separates fields",
  ),
  "bad-type": error<Meant & { type: string }>(
    (p) => (p.type === "" ? "no type follows the colon" : `${quote(p.type)} is not a type`),
    (p) =>
      meant(p) ??
      "types are string, number, boolean, object, list, any; string[] and so on; and choices in quotes: 'yes'/'no'",
  ),
  "bad-context": error<{ why: string }>(
    (p) => `the settings are not JSON: ${p.why}`,
    () =>
      'settings are written {"retry": 3, "description": "Sorts the mail"}, or each in a column of its own: context.retry',
  ),
  "bad-setting": error<{ setting: string; expected: string; found: string }>((p) =>
    p.found === "missing"
      ? `setting ${quote(p.setting)} is missing: it must be ${p.expected}`
      : `setting ${quote(p.setting)} must be ${p.expected}, not ${bare(p.found)}`,
  ),
  "unknown-placeholder": error<PlaceholderFault & Meant>(
    (p) =>
      p.formula === undefined
        ? `{${bare(p.placeholder)}} names no input of this node`
        : `${bare(p.placeholder)} names no input of this node`,
    (p) =>
      p.formula === undefined
        ? (meant(p) ?? `${placeholderHelp(p)}; write {{${bare(p.placeholder)}}} for the text itself`)
        : nameHelp(p, p.formula),
  ),

  // Formulas.
  "bad-formula": error<FormulaFault>(
    (p) => bare(p.message, 200),
    (p) => p.help,
  ),
  "unknown-function": error<FormulaFault>(
    (p) => bare(p.message, 200),
    (p) => p.help,
  ),
  "formula-type": error<FormulaFault>(
    (p) => bare(p.message, 200),
    (p) => p.help,
  ),
  "bad-table": error<FormulaFault>(
    (p) => bare(p.message, 200),
    (p) => p.help,
  ),
  "constant-condition": warning<{ text: string; value: boolean | null; why: string }>(
    (p) =>
      p.value === null
        ? `${bare(p.text)} never takes its second value: ${bare(p.why, 200)}`
        : `${bare(p.text)} is always ${p.value ? "TRUE" : "FALSE"}: ${bare(p.why, 200)}`,
    () => "remove what is never used, or correct the condition",
  ),

  // The graph.
  "type-mismatch": error<TypeClash>((p) => {
    if ("says" in p) return bare(p.says, 400);
    if ("untyped" in p)
      return `TypeScript finds no types for ${bare(p.untyped)}: this project does not let it read JavaScript`;
    if ("gives" in p || "takes" in p) return agentClashText(p);
    if ("writer" in p)
      return `${quote(p.field)} is written as ${bare(p.written)} by ${quote(p.writer)}, read as ${bare(p.read)} by ${quote(p.reader)}`;
    if ("declared" in p)
      return `${quote(p.field)} is declared as ${bare(p.declared)}, but agent ${quote(p.agent)} of ${quote(p.node)} writes ${bare(p.produces)}`;
    if ("summed" in p)
      return `${quote(p.field)} is summed up where the branches meet, but ${quote(p.node)} writes ${bare(p.summed)}`;
    return `${quote(p.field)} is read as ${bare(p.first)} by ${quote(p.firstReader)}, and as ${bare(p.second)} by ${quote(p.secondReader)}`;
  }, clashHelp),
  "write-conflict": error<{ field: string; first: string; second: string; split: string }>(
    (p) =>
      `${quote(p.first)} and ${quote(p.second)} both write ${quote(p.field)}, in branches that run at the same time`,
    (p) =>
      `write two fields, or put {"merge": {${quote(p.field)}: "append"}} (or "last", "sum") into the context of ${quote(p.split)}`,
  ),
  "ambiguous-meeting": error<{ node: string; first: string; second: string }>(
    (p) =>
      `the branches of ${quote(p.node)} may meet at ${quote(p.first)} or at ${quote(p.second)}, which lead to each other`,
    () => "lead all branches to one node, and start the loop there",
  ),
  "endless-cycle": error<{ nodes: readonly string[]; split: string | null }>(
    (p) => {
      if (p.split !== null)
        return `${quote(p.split)} goes several ways at once, and one of them always comes back: the run could never end`;
      return p.nodes.length === 1
        ? `${quote(p.nodes[0] ?? "")} leads only to itself: the run could never end`
        : `${list(p.nodes)} lead only to each other: the run could never end`;
    },
    (p) =>
      p.split !== null
        ? "END ends only its own branch: let a branching or switch node choose between the ways"
        : 'give the loop a way out: a branching node, an END, or the settings {"max_visits": 5, "on_limit": "END"}',
  ),
  "cannot-succeed": error<Lacking>(
    (p) => `agent ${quote(p.agent)} cannot succeed: ${NEEDS[p.need].why}`,
    lackingHelp,
  ),
  "unknown-agent": error<MissingAgent>((p) => `there is no agent ${quote(p.type)}`, missingAgentHelp),

  // Test sheets.
  "bad-case": error<{ why: string; cure: string }>(
    (p) => visible(clip(p.why, 300)),
    (p) => p.cure,
  ),
  "duplicate-case": error<{ name: string; graph: string; row: number }>(
    (p) => `graph ${quote(p.graph)} already has a case ${quote(p.name)} in row ${p.row}`,
    () => "give one of the two another name",
  ),
  // A warning when a case gives it, because a run would accept it, too.
  "unknown-field": error<Meant & { field: string; graph: string }>(
    (p) => `graph ${quote(p.graph)} has no field ${quote(p.field)}`,
    (p) => meant(p) ?? "correct the name, or let a node write the field",
  ),

  // Warnings.
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
  "unused-edge": warning<{ column: string; why: string }>(
    (p) => `${p.column} is never taken: ${p.why}`,
    () => "empty this cell: it has no effect",
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

export type Catalogue = typeof catalogue;
export type Code = keyof Catalogue;
export type Params<C extends Code> = Parameters<Catalogue[C]["message"]>[0];
