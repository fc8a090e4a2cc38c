import type { Json } from "../graph/contract/contract.js";
import type { StorageRead, StorageWrite } from "../graph/contract/services.js";
import { linesOf, textOf } from "./chunks.js";
import { createEdit, type Edit, idFieldOf, isNamed } from "./edit.js";
import { failure } from "./failure.js";
import { createSelection, RESULT_LIMIT } from "./query.js";
import type { Change, Format, Source } from "./source.js";

/** One JSON value a line: a list that is never held in memory as a whole. */
export const jsonLines: Format = { read, change };

interface Line {
  readonly text: string;
  readonly value: Json;
}

async function* valuesOf(source: Source): AsyncGenerator<readonly Line[]> {
  const { shown } = source;
  let number = 0;
  for await (const lines of linesOf(textOf(source), { shown, longest: RESULT_LIMIT })) {
    const values: Line[] = [];
    for (const text of lines) {
      number += 1;
      if (text.trim() !== "") values.push({ text, value: parse(text, number, shown) });
    }
    yield values;
  }
}

function parse(text: string, number: number, shown: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw failure(shown, `line ${number} is no valid JSON`);
  }
}

async function read(source: Source, request: StorageRead): Promise<Json | undefined> {
  const { id, query = {} } = request;
  const field = idFieldOf(request);
  const selection = createSelection(query, source.shown);
  for await (const lines of valuesOf(source)) {
    for (const { value } of lines) {
      if (id === undefined) {
        if (!selection.take(value)) return selection.list();
      } else if (isNamed(value, field, id)) return value;
    }
  }
  return id === undefined ? selection.list() : undefined;
}

async function change(source: Source | null, request: StorageWrite): Promise<Change> {
  const { mode, id, query, value = null } = request;
  const isWhole = id === undefined && query === undefined;
  if (mode === "delete" && isWhole) return { content: null, count: () => 1 };
  if (mode === "write" && isWhole) {
    const values: readonly Json[] = Array.isArray(value) ? value : [value];
    return { content: values.map(format), count: () => values.length };
  }
  const edit = createEdit(request);
  return { content: edited(source, edit), count: edit.count };
}

const format = (value: Json): string => `${JSON.stringify(value)}\n`;

async function* edited(source: Source | null, edit: Edit): AsyncGenerator<string> {
  if (source !== null) {
    for await (const lines of valuesOf(source)) {
      for (const { text, value } of lines) {
        const changed = edit.visit(value);
        if (changed !== undefined) yield changed === value ? `${text}\n` : format(changed);
      }
    }
  }
  for (const value of edit.end()) yield format(value);
}
