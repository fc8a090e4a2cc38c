import { editCell } from "../1-parse/text/edit-cell.js";
import { locatedIn, recordOf } from "../1-parse/text/places.js";
import type { Code, Params } from "../diagnostics/catalogue.js";
import type { Problems, Where } from "../diagnostics/collect.js";
import type { Fix } from "../diagnostics/diagnostic.js";
import { createNear, type Near } from "../diagnostics/suggest.js";
import type {
  AgentIR,
  CellSpan,
  ColumnName,
  GraphIR,
  Json,
  MergeKind,
  PromptItem,
  Retry,
  Row,
  SettingItem,
  Sheet,
  Target,
} from "../ir.js";
import type { ScheduleOptions } from "../types/schedule-options.js";
import type { Webhook } from "../types/webhook.js";
import type { AgentFacts, World } from "../world.js";
import { firsts } from "./by-name.js";
import { once } from "./flow/once.js";
import type { NodeFormula } from "./formulas/node-formula.js";
import type { GraphNames } from "./graph-names.js";

/** The common input of all steps of the analysis of one sheet. */
export interface Analysis {
  readonly sheet: Sheet;
  readonly world: World;
  readonly problems: Problems;
  /** Agents by every normalised name they answer to. */
  readonly agents: ReadonlyMap<string, AgentFacts>;
  /** The agent of a type as a sheet writes it; worked out once for each. */
  readonly agentOf: (written: string) => KnownAgent;
  readonly graphNames: ReadonlySet<string>;
  /** The `context.<setting>` columns that have been called unknown. */
  readonly unknownColumns: Set<number>;
  /** The graphs of this sheet and of others. */
  readonly graphsNamed: () => GraphNames;
  /** Whether all rows of the sheet pass; the key names the question, which is put to a row once. */
  readonly everyRow: (key: string, passes: (row: Row) => boolean) => boolean;
  /** A graph that has been understood by now, of this sheet or another; null when it is not known yet, or at all. */
  readonly graphOf: (name: string) => GraphIR | null;
  /** True when a run may end right after a failure that no edge takes. Known before graphs are understood. */
  readonly graphMayFail: (name: string) => boolean;
}

/** An agent that a row names, with what is known of it; null for a custom agent. */
export interface KnownAgent {
  readonly agent: AgentIR;
  readonly facts: AgentFacts | null;
  /** A custom agent whose declared result includes a failure. */
  readonly declaresFailure: boolean;
}

/** A target that names no node: it leads nowhere that analysis could follow. */
export const LOST = -2;

/** A graph while it is being understood. */
export interface Draft {
  readonly analysis: Analysis;
  readonly name: string;
  readonly nodes: readonly DraftNode[];
  readonly byName: ReadonlyMap<string, number>;
  /** The fields that cells of inputs and outputs name. */
  readonly fieldNames: () => ReadonlySet<string>;
  readonly outputNames: () => ReadonlySet<string>;
  readonly suggestNode: (name: string) => string | null;
  /** True when an unknown target can only mean the suggested node. */
  readonly isSurely: (name: string, suggestion: string) => boolean;
  /** A row could not be read whole, so nothing is said of what may only seem to be missing. */
  readonly incomplete: boolean;
}

export interface DraftNode {
  readonly index: number;
  readonly row: Row;
  readonly agent: AgentIR;
  /** Null for a custom agent. */
  readonly facts: AgentFacts | null;
  readonly declaresFailure: boolean;
  readonly settings: { readonly [name: string]: Json };
  readonly retry: Retry | null;
  readonly timeoutMs: number | null;
  readonly maxVisits: number | null;
  readonly merge: { readonly [field: string]: MergeKind };
  readonly timezone: string | null;
  readonly schedule: string | null;
  readonly scheduleOptions: ScheduleOptions;
  readonly webhook: Webhook | null;
  readonly isTool: boolean;
  readonly description: string;
  /** Null without one; then the node has no prompt. */
  readonly formula: NodeFormula | null;
  /** The prompt with references looked up. */
  readonly prompt: PromptItem | null;
  readonly promptFrom: string | null;
}

/** The edges of a graph as the sheet writes them: node numbers, `END` or `LOST`. */
export interface Routes {
  readonly next: readonly Target[];
  readonly success: readonly Target[];
  readonly failure: readonly Target[];
  readonly cases: readonly { readonly value: string; readonly target: Target }[];
  readonly otherwise: Target | null;
  readonly onLimit: Target;
}

/** A `Where` without the parts that the node and the cell already say. */
export interface At extends Omit<Where, "place" | "span" | "graph" | "node" | "column"> {
  readonly span: CellSpan;
  readonly column: ColumnName;
}

/** True when no more problems of a kind are told of a cell: nobody would see their suggestions and cures. */
export const isFull = ({ problems, sheet }: Analysis, code: Code, { row, column }: CellSpan): boolean =>
  problems.isFull(code, { record: recordOf(sheet, row), column });

export function reportRow<C extends Code>(
  analysis: Analysis,
  row: Row,
  code: C,
  params: Params<C>,
  { span, column, ...rest }: At,
): void {
  reporterAt(analysis, row, { span, column })(code, params, rest);
}

/** Reports problems at one place, which is looked up once. */
export function reporterAt(
  analysis: Analysis,
  row: Row,
  { span, column }: Pick<At, "span" | "column">,
): <C extends Code>(code: C, params: Params<C>, rest: Omit<At, "span" | "column">) => void {
  const names = { graph: row.graph.name, node: row.node.name, column };
  const located = once(() => locatedIn(analysis.sheet, span));
  return (code, params, rest) => {
    if (isFull(analysis, code, span)) return;
    // Nobody knows which column the cells of a row with too many belong to. So only the surplus is mended.
    const fix = row.long === null ? (rest.fix ?? null) : null;
    analysis.problems.report(code, params, { ...rest, ...names, ...located(), fix });
  };
}

export function reportAt<C extends Code>(
  draft: Draft,
  node: DraftNode,
  code: C,
  params: Params<C>,
  at: At,
): void {
  reportRow(draft.analysis, node.row, code, params, at);
}

/** The cure that writes a text over a stretch of a cell. */
export function writeFix(
  { analysis: { sheet } }: Pick<Draft, "analysis">,
  span: CellSpan,
  text: string,
  safe: boolean,
): Fix {
  return { title: `write ${JSON.stringify(text)}`, safe, edits: [editCell(sheet, span, text)] };
}

/** The stretch of a setting's value, or of a part of it. */
export function spotSpan(cell: CellSpan, spot: { readonly start: number; readonly end: number }): CellSpan {
  return { row: cell.row, column: cell.column, start: spot.start, end: spot.end };
}

/** From the first entry of a cell to its last. */
export function wholeCell(items: readonly { readonly at: CellSpan }[], otherwise: CellSpan): CellSpan {
  const first = items[0]?.at ?? otherwise;
  return { ...first, end: items[items.length - 1]?.at.end ?? first.end };
}

export const settingAt = (
  { cell, spot }: SettingItem,
  part: { readonly start: number; readonly end: number } = spot,
): At => ({ span: spotSpan(cell, part), column: "context" });

/** The fields that a node writes, each once: what its cell names, and the errors that a loop over items collects. */
export function writtenFields(node: DraftNode): readonly string[] {
  const fields = node.row.outputs.map(({ field }) => field);
  return collectsErrors(node) ? [...fields, "errors"] : fields;
}

/** The inputs of a node by the names that settings may call them. */
export interface InputNames {
  readonly params: readonly string[];
  readonly near: Near;
  /** By its name inside the agent, else by its field. */
  readonly named: (name: string) => string | null;
}

const inputsKnown = new WeakMap<Row["inputs"], InputNames>();

/** Worked out once for a row: settings may name very many of them. */
export function inputNames({ row: { inputs } }: Pick<DraftNode, "row">): InputNames {
  const known = inputsKnown.get(inputs) ?? createInputNames(inputs);
  inputsKnown.set(inputs, known);
  return known;
}

function createInputNames(inputs: Row["inputs"]): InputNames {
  const params = inputs.map(({ param }) => param);
  const byParam = new Set(params);
  const byField = firsts(inputs, ({ field }) => field);
  const named = (name: string): string | null =>
    byParam.has(name) ? name : (byField.get(name)?.param ?? null);
  return { params, near: createNear(params), named };
}

/** The input that a setting names. */
export const inputNamed = (node: DraftNode, name: string): string | null => inputNames(node).named(name);

/** True for a loop over items that collects errors, unless an output says where they go. */
export function collectsErrors({ facts, settings, row }: DraftNode): boolean {
  if (facts?.type !== "graph" || settings["on_error"] !== "collect" || settings["over"] === undefined)
    return false;
  return !row.outputs.some(({ key, field }) => key === "errors" || field === "errors");
}
