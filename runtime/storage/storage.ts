import { realpath } from "node:fs/promises";
import type { Json } from "../graph/contract/contract.js";
import type {
  Storage,
  StorageRead,
  StorageReceipt,
  StorageTarget,
  StorageWrite,
} from "../graph/contract/services.js";
import { csvFile } from "./csv-file.js";
import { failure, NO_FILE, told } from "./failure.js";
import { parseFileName } from "./file-name.js";
import { atSpot, type Errand, openForReading, type Spot } from "./jail.js";
import { jsonDocument } from "./json-document.js";
import { jsonLines } from "./json-lines.js";
import { type Held, withLock } from "./lock.js";
import { removeFile, replaceFile } from "./replace.js";
import type { Format, Source } from "./source.js";
import { textFile } from "./text-file.js";

/** Makes the storage over a data folder. */
export function createStorage(root: string): Storage {
  return {
    read: async (request) => {
      const errand = errandOf(root, request);
      return told(errand.shown, () => read({ ...request, file: errand.shown }, errand));
    },
    write: async (request) => {
      const errand = errandOf(root, request);
      return told(errand.shown, () => write({ ...request, file: errand.shown }, errand));
    },
  };
}

const EXTENSIONS = { json: ".json", csv: ".csv", text: null } as const;

/** A name without an extension gets the one of its format. */
function errandOf(root: string, { file, format }: StorageTarget): Errand {
  const parts = parseFileName(file, EXTENSIONS[format]);
  return { root, parts, shown: parts.join("/"), make: false };
}

function formatOf({ format, file }: StorageTarget): Format {
  if (format === "csv") return csvFile;
  if (format === "text") return textFile;
  return /\.(?:jsonl|ndjson)$/i.test(file) ? jsonLines : jsonDocument;
}

async function read(request: StorageRead, errand: Errand): Promise<Json> {
  const { shown, signal } = { ...errand, ...request };
  const found = await atSpot(errand, (spot) =>
    withSource(spot, signal, async (source) =>
      source === null ? null : { value: await formatOf(request).read(source, request) },
    ),
  );
  if (found?.value !== undefined) return found.value;
  if (request.otherwise !== undefined) return request.otherwise;
  if (found === null) throw failure(shown, NO_FILE);
  const { id, idField, format } = request;
  if (format === "text") throw failure(shown, `there is no line ${id}`);
  throw failure(
    shown,
    `there is no entry ${JSON.stringify(id)}${idField === undefined ? "" : ` in ${idField}`}`,
  );
}

/** Does something with the open file at a place; with null when there is none. */
async function withSource<T>(
  spot: Spot,
  signal: AbortSignal | undefined,
  work: (source: Source | null) => Promise<T>,
): Promise<T> {
  const opened = await openForReading(spot);
  if (opened === null) return work(null);
  try {
    return await work({ ...opened, shown: spot.shown, signal });
  } finally {
    await opened.handle.close();
  }
}

async function write(request: StorageWrite, errand: Errand): Promise<StorageReceipt> {
  const { mode, file } = request;
  const make = mode !== "delete" && (mode !== "update" || request.upsert === true);
  const count = await atSpot({ ...errand, make }, async (spot) => {
    const { key, shown } = spot;
    const { signal } = request;
    const wish = { root: await realpath(errand.root), key, shown, signal };
    return withLock(wish, (held) => perform(spot, request, held));
  });
  if (count === null && mode !== "delete") throw failure(file, NO_FILE);
  return { file, mode, count: count ?? 0 };
}

/** Writes a file while its lock is held; answers the number of entries. */
async function perform(spot: Spot, request: StorageWrite, held: Held): Promise<number> {
  const { mode, upsert, signal, file } = request;
  return withSource(spot, signal, async (source) => {
    if (source === null && mode === "delete") return 0;
    if (source === null && mode === "update" && upsert !== true) throw failure(file, NO_FILE);
    const { content, count } = await formatOf(request).change(source, request);
    if (content === null) return (await removeFile(spot)) ? 1 : 0;
    await replaceFile(spot, { content, signal, ready: held.check });
    return count();
  });
}
