import type { InputItem, NameItem, OutputItem } from "../../ir.js";
import { type FieldFault, type FieldList, type ListColumn, parseFieldList } from "../cells/field-list.js";
import { parseTargets } from "../cells/targets.js";
import { removal } from "../text/edit-cell.js";
import { columnOf, type RowCells, spanOf, textOf } from "./row-cells.js";
import { reportCell } from "./row-report.js";

/** Reads cells; a text that many rows hold is read once. */
export interface ListReader {
  readonly inputs: (row: RowCells) => readonly InputItem[];
  readonly outputs: (row: RowCells) => readonly OutputItem[];
}

const NO_INPUTS: readonly InputItem[] = [];
const NO_OUTPUTS: readonly OutputItem[] = [];
const NO_TARGETS: readonly NameItem[] = [];

export function createListReader(): ListReader {
  const inputsOf = remember((text) => parseFieldList(text, "input_fields"));
  const outputsOf = remember((text) => parseFieldList(text, "output_field"));
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
  reportFaults(row, "input_fields", faults);
  if (entries.length === 0) return NO_INPUTS;
  return entries.map((entry) => {
    const { left: param, field, path, optional, type } = entry;
    return { param, field, path, optional, type, at: spanOf(row, column, entry) };
  });
}

function readOutputs(row: RowCells, { entries, faults }: FieldList): readonly OutputItem[] {
  const column = columnOf(row, "output_field");
  reportFaults(row, "output_field", faults);
  if (entries.length === 0) return NO_OUTPUTS;
  return entries.map((entry) => {
    const { left: key, field, type } = entry;
    return { key, field, type, at: spanOf(row, column, entry) };
  });
}

function reportFaults(row: RowCells, name: ListColumn, faults: readonly FieldFault[]): void {
  const column = columnOf(row, name);
  for (const { start, end, code, params, cure } of faults)
    reportCell(row.reporter, { column, name, start, end }, code, params, cure);
}

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
