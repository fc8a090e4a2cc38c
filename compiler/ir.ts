/**
 * The one model of a sheet: what `1-parse` reads (Sheet) and what `2-analyze` understands (GraphIR).
 * Everything here is plain data that survives JSON.
 */

import type { FieldType, Json } from "./types/field-type.js";
import type { ScheduleOptions } from "./types/schedule-options.js";
import type { Webhook } from "./types/webhook.js";

export type { FieldType, Json };

/** The canonical columns, in the order of the canonical header. */
export const COLUMNS = [
  "graph_name",
  "node_name",
  "next_node",
  "context",
  "agent_type",
  "next_on_success",
  "next_on_failure",
  "input_fields",
  "output_field",
  "prompt",
  "description",
] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** The columns of a test sheet, in the order of the canonical header. */
export const TEST_COLUMNS = [
  "graph_name",
  "case",
  "given",
  "mocks",
  "answers",
  "expect_status",
  "expect_path",
  "expect_state",
  "expect_absent",
  "expect_error",
] as const;
export type TestColumn = (typeof TEST_COLUMNS)[number];

/** Lines and columns count from 1; columns count UTF-16 units. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** The cell as a spreadsheet names it, such as `F5`. */
  readonly cell: string | null;
  /** The worksheet of a workbook; then the line is the row, and the column the number of the cell's column. */
  readonly worksheet?: string;
}

/** A stretch of a text by its offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A stretch of one cell's decoded text, by row and column index: cheap to keep, turned into a Place on demand. */
export interface CellSpan extends Range {
  /** Index into `Sheet.rows`, or -1 for the header. */
  readonly row: number;
  /** Index of the column in the file. */
  readonly column: number;
}

/** A stretch of a cell's decoded text by the record's number, which counts skipped rows too. */
export interface RecordSpan extends Range {
  readonly record: number;
  readonly column: number;
}

export type HeaderMeaning =
  | { readonly kind: "column"; readonly name: ColumnName }
  | { readonly kind: "setting"; readonly name: string }
  | { readonly kind: "private" }
  | { readonly kind: "unknown" };

export interface HeaderCell {
  readonly text: string;
  readonly meaning: HeaderMeaning;
}

export type Delimiter = "," | ";" | "\t";

/** The text of a file and how it is cut into records. */
export interface Page {
  readonly file: string;
  /** The whole decoded text, without a byte order mark. */
  readonly text: string;
  readonly delimiter: Delimiter;
  /** Offset in `text` where records begin: past a leading `sep=` line. */
  readonly start: number;
  /** The worksheet that the text was made of. */
  readonly worksheet?: string;
}

export interface Sheet extends Page {
  /** The header's number among the records, from 0. */
  readonly headerRecord: number;
  readonly header: readonly HeaderCell[];
  readonly rows: readonly Row[];
}

/** A name in a cell, trimmed. */
export interface NameItem {
  readonly name: string;
  readonly at: CellSpan;
}

/** One entry of `input_fields`: `[param=]field[.path][?][:type]`. */
export interface InputItem {
  readonly param: string;
  readonly field: string;
  readonly path: readonly string[];
  readonly optional: boolean;
  readonly type: FieldType | null;
  readonly at: CellSpan;
}

/** One entry of `output_field`: `[key=]field[:type]`. */
export interface OutputItem {
  readonly key: string;
  readonly field: string;
  readonly type: FieldType | null;
  readonly at: CellSpan;
}

/** A JSON value with the stretch of each of its parts in the cell's text, quotes included. */
export interface JsonSpot extends Range {
  readonly value: Json;
  readonly entries?: readonly JsonEntry[];
  readonly items?: readonly JsonSpot[];
}

export interface JsonEntry extends Range {
  readonly key: string;
  readonly spot: JsonSpot;
  /** The cell that `spot` counts in, when the entry has a column of its own. */
  readonly cell?: RecordSpan;
}

/** One setting of a row, from the context cell's JSON or from a `context.<setting>` column. */
export interface SettingItem {
  readonly name: string;
  readonly nameAt: CellSpan;
  readonly spot: JsonSpot;
  /** The cell that `spot`'s offsets count in. */
  readonly cell: CellSpan;
}

/** A prompt cut once into text and placeholders. */
export type PromptPart = Range &
  (
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "field"; readonly path: readonly string[] }
  );

export interface PromptItem {
  readonly text: string;
  readonly parts: readonly PromptPart[];
  /** Set when the cell is wholly `file:PATH` or `prompt:NAME`. */
  readonly reference: { readonly kind: "file" | "prompt"; readonly name: string } | null;
  readonly at: CellSpan;
}

/** One data row: a node of a graph. Empty rows and comment rows are left out. */
export interface Row {
  /** Index in `Sheet.rows`. */
  readonly index: number;
  /** The record's number from 0; a spreadsheet shows it plus one. */
  readonly record: number;
  /** A cell of this row could not be read: problems in its later cells would only confuse. */
  readonly damaged: boolean;
  /** All cells, when there are more than columns in the header: then no cell has a sure column. */
  readonly long: readonly string[] | null;
  readonly graph: NameItem;
  readonly node: NameItem;
  readonly agent: NameItem;
  /** Targets by column; an empty list for an empty cell. */
  readonly next: readonly NameItem[];
  readonly onSuccess: readonly NameItem[];
  readonly onFailure: readonly NameItem[];
  readonly inputs: readonly InputItem[];
  readonly outputs: readonly OutputItem[];
  readonly settings: readonly SettingItem[];
  /** The node in words: the description column, else the setting, else a free-text context. */
  readonly description: string;
  /** The text of a context that holds no settings. */
  readonly context: string;
  readonly prompt: PromptItem | null;
}

/** Index of a node in its graph, or `END`. */
export type Target = number;
export const END = -1;

export interface Retry {
  readonly attempts: number;
  readonly delayMs: number;
  readonly factor: number;
  readonly maxDelayMs: number;
}

export interface ReadIR extends Omit<InputItem, "at"> {
  /** Set on every way from the entry to this node. */
  readonly sure: boolean;
  /** Sure, and neither `?` nor the type of the field allows unset. */
  readonly isSet: boolean;
  /** The value may have another type: a run checks it. */
  readonly held: boolean;
  /** It is held, and the annotation is all that is known of the value. */
  readonly isOpen: boolean;
}

export interface WriteIR {
  readonly key: string;
  readonly field: string;
  /** The annotation, else what the agent is known to produce, else null. */
  readonly type: FieldType | null;
  readonly annotated: boolean;
  /** False for an output that the agent may leave out, such as the comment beside a person's answer. */
  readonly sure: boolean;
}

export type PromptIR = readonly (string | readonly string[])[];

export interface AgentIR {
  /** Canonical type of a built-in agent; the type as normalised for a custom one. */
  readonly type: string;
  /** As the sheet writes it. */
  readonly written: string;
  readonly builtin: boolean;
}

export interface NodeIR {
  readonly name: string;
  /** The row as a spreadsheet counts it. */
  readonly row: number;
  /** Index in `Sheet.rows`. */
  readonly index: number;
  readonly description: string;
  readonly agent: AgentIR;
  /** The agent's own settings. */
  readonly settings: { readonly [name: string]: Json };
  readonly retry: Retry | null;
  readonly timeoutMs: number | null;
  readonly maxVisits: number | null;
  /** The target when a node has reached `maxVisits`. */
  readonly onLimit: Target;
  readonly merge: { readonly [field: string]: MergeKind };
  readonly next: readonly Target[];
  readonly onSuccess: readonly Target[];
  readonly onFailure: readonly Target[];
  /** For an agent that chooses its next node: the values that its settings map to nodes. */
  readonly cases: readonly { readonly value: string; readonly target: Target }[];
  /** The target of an agent that chooses, when nothing matches. */
  readonly otherwise: Target | null;
  /** For an agent that compares nodes: the description of each, in the order of the list. */
  readonly candidates: readonly { readonly target: Target; readonly about: string }[];
  readonly reads: readonly ReadIR[];
  readonly writes: readonly WriteIR[];
  readonly items: Items;
  /** Text and paths in turn: a string is text, a list is a placeholder's path. Null without a prompt. */
  readonly prompt: PromptIR | null;
  /** The formula of the node; absent without one. */
  readonly compute?: ComputeIR;
  /** The prompt uses `{error}` without naming it as an input. */
  readonly errorInPrompt: boolean;
  /** The reference a prompt was taken from, such as `file:greeting.md`. */
  readonly promptFrom: string | null;
  /** It runs a graph that may fail, or its agent declares that it may: it may signal failure. */
  readonly mayFail: boolean;
  /** False when no way leads here from the entry. */
  readonly reachable: boolean;
}

/** A row of a table that is not empty. */
export interface TableRow {
  readonly cells: readonly string[];
  /** The number that a spreadsheet program shows. */
  readonly number: number;
}

/** A table, the header first; or why there is none, and a similar name that has one. */
export type FoundTable =
  | {
      readonly rows: readonly TableRow[];
      /** It is a worksheet beside the sheet: its rows become a part of the graph. A file is read by each run. */
      readonly isWorksheet: boolean;
    }
  | { readonly missing: string; readonly meant?: string | null };

/** What a formula computes, when its types are known: both producers of a graph walk the same tree. */
export type ComputeTree =
  | { readonly is: "value"; readonly value: string | number | boolean }
  /** An input by its name inside the agent, or what lies inside of its value. */
  | { readonly is: "read"; readonly param: string; readonly path: readonly string[] }
  /** Two columns of a table, row by row: what is looked up, and what is given for it. */
  | { readonly is: "rows"; readonly rows: readonly (readonly [string | number, string | number])[] }
  /** A sign of JavaScript, or a function of `runtime/graph/formula`. */
  | { readonly is: "call"; readonly name: string; readonly args: readonly ComputeTree[] };

export interface ComputeIR {
  readonly tree: ComputeTree;
  /** The tables that it was checked with: all of a worksheet, one row that stands for those of a file. */
  readonly checkedWith?: { readonly [name: string]: FoundTable };
  /** The files of the data folder that it looks things up in. */
  readonly tables: readonly string[];
  readonly type: FieldType;
}

/** The fields that are one item to a node and that merges make lists of. Nested lists repeat the name. */
export interface Items {
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

export type MergeKind = "append" | "last" | "sum";

/** One outcome with two or more targets, and where each branch runs alone. */
export interface SplitIR {
  readonly node: number;
  readonly by: "next" | "success" | "failure";
  readonly targets: readonly Target[];
  /** The nearest node that every branch comes to, or `END`: there is none. */
  readonly meet: Target;
  /** In the order of the targets. */
  readonly branches: readonly BranchIR[];
  readonly merge: { readonly [field: string]: MergeKind };
}

/** The nodes that one branch of a split runs alone. All lists are ascending. */
interface BranchIR {
  /**
   * The nodes that are reached through this branch alone, without those that inner branches own.
   * Each node has one owner at most: all lists together are no longer than the graph.
   */
  readonly own: readonly number[];
  /** The nodes that are also reached without this split, but through no other branch of it. */
  readonly others: readonly number[];
  /** The first nodes outside of the branch that it leads to. */
  readonly stops: readonly number[];
}

export interface FieldIR {
  readonly name: string;
  /** `type` is in words that a sheet has; `full` may also refer to the code of agents and to other graphs. */
  readonly type: FieldType;
  readonly full: FieldType;
  /** Every node that writes it may leave it out. */
  readonly mayBeLeftOut: boolean;
  /** `required` and `optional` are given by the caller; null is written by nodes only. */
  readonly input: "required" | "optional" | null;
  /** The types that a given value must fit; an empty list accepts any value. */
  readonly checks: readonly FieldType[];
  readonly writers: readonly number[];
  readonly readers: readonly number[];
  /** Set at every end of a completed run. */
  readonly setAtEnd: boolean;
  /** Set at every end with success; an end right after a failure without an edge is none. */
  readonly setAtSuccess: boolean;
}

export interface GraphIR extends ScheduleOptions {
  readonly name: string;
  readonly file: string;
  /** The entry is node 0: the first row of the graph. */
  readonly nodes: readonly NodeIR[];
  readonly fields: readonly FieldIR[];
  readonly splits: readonly SplitIR[];
  /** The clock of `$today` and of the schedule, by the entry's settings; null for the project's time zone. */
  readonly timezone: string | null;
  /** When runs begin by themselves: a cron expression, by the entry's settings. */
  readonly schedule: string | null;
  /** How requests from outside begin runs, by the entry's settings. */
  readonly webhook: Webhook | null;
  /** Assistants are not offered the graph as a tool, by the entry's settings. */
  readonly mcp?: false;
  /** A run may end right after a failure without an edge: of a `failure` node, an agent that declares so, or a graph. */
  readonly mayFail: boolean;
}
