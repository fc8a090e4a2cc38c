import type { Json } from "../graph/contract/contract.js";
import type { StorageWrite } from "../graph/contract/services.js";
import { linesOf } from "./chunks.js";
import { createEdit, type Edit } from "./edit.js";
import { failure } from "./failure.js";
import { RESULT_LIMIT, readEntries } from "./query.js";
import { type Change, type Format, isWhole, type Source } from "./source.js";

/** One JSON value a line; the list is never in memory as a whole. */
export const jsonLines: Format = {
  read: (source, request) => readEntries(valuesOf(source), request, source.shown),
  change,
};

type Line = { readonly text: string; readonly value: Json };

async function* linesIn(source: Source): AsyncGenerator<readonly Line[]> {
  let number = 0;
  for await (const lines of linesOf(source, RESULT_LIMIT)) {
    const values: Line[] = [];
    for (const text of lines) {
      number += 1;
      if (text.trim() !== "") values.push({ text, value: parse(text, number, source.shown) });
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

async function* valuesOf(source: Source): AsyncGenerator<readonly Json[]> {
  for await (const lines of linesIn(source)) yield lines.map(({ value }) => value);
}

async function change(source: Source | null, request: StorageWrite): Promise<Change> {
  const { mode, value = null } = request;
  if (mode === "write" && isWhole(request)) {
    const values: readonly Json[] = Array.isArray(value) ? value : [value];
    return { content: values.map(format), count: () => values.length };
  }
  const edit = createEdit(request);
  return { content: edited(source, edit), count: edit.count };
}

const format = (value: Json): string => `${JSON.stringify(value)}\n`;

async function* edited(source: Source | null, edit: Edit): AsyncGenerator<string> {
  if (source !== null) {
    for await (const lines of linesIn(source)) {
      for (const { text, value } of lines) {
        const changed = edit.visit(value);
        if (changed !== undefined) yield changed === value ? `${text}\n` : format(changed);
      }
    }
  }
  for (const value of edit.end()) yield format(value);
}
