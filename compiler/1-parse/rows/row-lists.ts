import type { InputItem, NameItem, OutputItem, Range } from "../../ir.js";
import { type FieldFault, type FieldList, parseFieldList } from "../cells/field-list.js";
import { parseTargets } from "../cells/targets.js";
import { columnOf, type RowCells, spanOf, textOf } from "./row-cells.js";
import { type CellFix, type CellStretch, reportCell } from "./row-report.js";

/** Reads cells; a text that many rows hold is read once. */
export interface ListReader {
  readonly inputs: (row: RowCells) => readonly InputItem[];
  readonly outputs: (row: RowCells) => readonly OutputItem[];
}

const NO_INPUTS: readonly InputItem[] = [];
const NO_OUTPUTS: readonly OutputItem[] = [];
const NO_TARGETS: readonly NameItem[] = [];

/** A reader for the rows of one sheet. */
export function createListReader(): ListReader {
  const inputsOf = remember((text) => parseFieldList(text, "inputs"));
  const outputsOf = remember((text) => parseFieldList(text, "outputs"));
  return {
    inputs: (row) => readInputs(row, inputsOf(textOf(row, "input_fields"))),
    outputs: (row) => readOutputs(row, outputsOf(textOf(row, "output_field"))),
  };
}

/** A text that repeats does so soon, so remembering more texts would only cost memory. */
const MOST_REMEMBERED = 1000;
/** Shorter ones are read as fast as they are looked up. */
const SHORTEST_REMEMBERED = 12;

/** A function of a text that is worked out once for each text that comes again soon. */
export function remember<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length < SHORTEST_REMEMBERED) return read(text);
    let value = known.get(text);
    if (value === undefined) {
      value = read(text);
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.set(text, value);
    }
    return value;
  };
}

function readInputs(row: RowCells, { entries, faults }: FieldList): readonly InputItem[] {
  const column = columnOf(row, "input_fields");
  reportFaults(row, { column, name: "input_fields" }, faults);
  if (entries.length === 0) return NO_INPUTS;
  return entries.map((entry) => {
    const { left: param, field, path, optional, type } = entry;
    return { param, field, path, optional, type, at: spanOf(row, column, entry) };
  });
}

function readOutputs(row: RowCells, { entries, faults }: FieldList): readonly OutputItem[] {
  const column = columnOf(row, "output_field");
  reportFaults(row, { column, name: "output_field" }, faults);
  if (entries.length === 0) return NO_OUTPUTS;
  return entries.map((entry) => {
    const { left: key, field, type } = entry;
    return { key, field, type, at: spanOf(row, column, entry) };
  });
}

type Cell = Pick<CellStretch, "column" | "name">;

function reportFaults(row: RowCells, cell: Cell, faults: readonly FieldFault[]): void {
  for (const fault of faults) reportFault(row, { ...cell, start: fault.start, end: fault.end }, fault);
}

/** The cure that takes an item out of a list, with the separator before it. */
function removal(text: string, { start, end }: Range): CellFix {
  let from = start;
  while (from > 0 && /[\s|,;]/.test(text[from - 1] as string)) from--;
  return { title: "remove it", safe: true, parts: [{ start: from, end, text: "" }] };
}

function reportFault(row: RowCells, at: CellStretch, fault: FieldFault): void {
  const { reporter } = row;
  if (fault.code === "bad-field") {
    reportCell(reporter, at, "bad-field", { text: fault.text, why: fault.why });
  } else if (fault.code === "reserved-name") {
    reportCell(reporter, at, "reserved-name", { what: fault.what, name: fault.name });
  } else if (fault.code === "duplicate-field") {
    const text = row.cells[at.column] ?? "";
    // An item that says more than the name may be the one that was meant.
    const cure = { ...removal(text, fault), safe: text.slice(fault.start, fault.end) === fault.name };
    reportCell(reporter, at, "duplicate-field", { name: fault.name, column: at.name }, cure);
  } else {
    const { type, suggestion, cure } = fault;
    const fix: CellFix | null = cure === null ? null : { title: cure.title, safe: cure.safe, parts: [cure] };
    reportCell(reporter, at, "bad-type", { type, suggestion }, fix);
  }
}

/** Reads one of the `next` columns. */
export function readTargets(
  row: RowCells,
  name: "next_node" | "next_on_success" | "next_on_failure",
): readonly NameItem[] {
  const text = textOf(row, name);
  if (text === "") return NO_TARGETS;
  const column = columnOf(row, name);
  const { entries, repeated } = parseTargets(text);
  for (const { name: target, start, end } of repeated) {
    const params = { name: target, column: name };
    const cure = removal(text, { start, end });
    reportCell(row.reporter, { column, name, start, end }, "duplicate-target", params, cure);
  }
  return entries.map((entry) => ({ name: entry.name, at: spanOf(row, column, entry) }));
}
