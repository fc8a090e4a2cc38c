import type { Json } from "../graph/contract/contract.js";
import type { StorageRead, StorageWrite } from "../graph/contract/services.js";
import { text } from "../graph/values/values.js";
import { beginningOf, linesOf, wholeLines, wholeText } from "./chunks.js";
import { failure } from "./failure.js";
import { createSelection, RESULT_LIMIT, tooMuch } from "./query.js";
import { type Change, type Format, isWhole, type Source } from "./source.js";

/** The file is one text. With id or query it is a list of lines. */
export const textFile: Format = { read, change };

/** In bytes: UTF-8 has at least one byte a character. */
const FILE_LIMIT = 50 * 1024 * 1024;

async function read(source: Source, { id, query }: StorageRead): Promise<Json | undefined> {
  if (id !== undefined) return lineAt(source, Number(id));
  if (query !== undefined) return linesLike(source, query);
  const whole = await wholeText(source, FILE_LIMIT);
  if (whole.length > RESULT_LIMIT) throw tooMuch(source.shown);
  return whole;
}

async function lineAt(source: Source, wanted: number): Promise<Json | undefined> {
  let before = 0;
  for await (const lines of linesOf(source, RESULT_LIMIT)) {
    const line = lines[wanted - 1 - before];
    if (line !== undefined) return line;
    before += lines.length;
  }
  return undefined;
}

/** A query sees each line as an entry with `line` and `number`. */
async function linesLike(source: Source, query: NonNullable<StorageRead["query"]>): Promise<Json> {
  const unknown = [...Object.keys(query.filter ?? {}), ...[query.sort ?? []].flat()].find(
    (field) => field !== "line" && field !== "number",
  );
  if (unknown !== undefined)
    throw failure(source.shown, `a line has "line" and "number", and no ${JSON.stringify(unknown)}`);
  const selection = createSelection(query, source.shown);
  let number = 0;
  const all = linesOf(source, RESULT_LIMIT);
  search: for await (const lines of all) {
    for (const line of lines) {
      number += 1;
      if (!selection.take({ line, number })) break search;
    }
  }
  return selection.list().map((entry) => (entry as { readonly line: string }).line);
}

async function change(source: Source | null, request: StorageWrite): Promise<Change> {
  if (!isWhole(request))
    throw failure(request.file, "a text has no entries: it is written without id and query");
  const count = (): number => 1;
  const added = written(request.value);
  if (request.mode !== "append") return { content: [added], count };
  const lines = added === "" || added.endsWith("\n") ? added : `${added}\n`;
  return { content: source === null ? [lines] : appended(source, lines), count };
}

/** Text as it is, list items one a line, other values as JSON. */
const written = (value: Json | undefined): string =>
  Array.isArray(value) ? value.map((item: Json) => `${text(item)}\n`).join("") : text(value);

/** Appended text starts on a new line. */
async function* appended(source: Source, added: string): AsyncGenerator<string | Uint8Array> {
  if ((await beginningOf(source)).encoding !== "utf-8")
    throw failure(source.shown, "it is UTF-16 text; only UTF-8 text can be appended to");
  yield* wholeLines(source, added === "" ? "" : "\n", [10]);
  yield added;
}
