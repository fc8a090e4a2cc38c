import type { Json } from "../graph/contract/contract.js";
import type { StorageQuery, StorageRead, StorageWrite } from "../graph/contract/services.js";
import { text } from "../graph/values/values.js";
import { beginningOf, linesOf, wholeLines, wholeText } from "./chunks.js";
import { failure } from "./failure.js";
import { RESULT_LIMIT, readEntries, tooMuch } from "./query.js";
import { type Change, type Format, isWhole, type Source } from "./source.js";

/** The file is one text. With id or query it is a list of lines. */
export const textFile: Format = { read, change };

/** In bytes: UTF-8 has at least one byte a character. */
const FILE_LIMIT = 50 * 1024 * 1024;

async function read(source: Source, { id, query }: StorageRead): Promise<Json | undefined> {
  const { shown } = source;
  if (query !== undefined) {
    const lines = await readEntries(numbered(source), { query: checked(query, shown) }, shown);
    return (lines as readonly Line[]).map(({ line }) => line);
  }
  if (id !== undefined) {
    const found = await readEntries(numbered(source), { id: Number(id), idField: "number" }, shown);
    return (found as Line | undefined)?.line;
  }
  const whole = await wholeText(source, FILE_LIMIT);
  if (whole.length > RESULT_LIMIT) throw tooMuch(shown);
  return whole;
}

type Line = { readonly line: string; readonly number: number };

async function* numbered(source: Source): AsyncGenerator<readonly Line[]> {
  let number = 0;
  for await (const lines of linesOf(source, RESULT_LIMIT))
    yield lines.map((line) => {
      number += 1;
      return { line, number };
    });
}

/** A query sees each line as an entry with `line` and `number`. */
function checked(query: StorageQuery, shown: string): StorageQuery {
  const named = [...Object.keys(query.filter ?? {}), ...[query.sort ?? []].flat()];
  const unknown = named.find((field) => field !== "line" && field !== "number");
  if (unknown === undefined) return query;
  throw failure(shown, `a line has "line" and "number", and no ${JSON.stringify(unknown)}`);
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
