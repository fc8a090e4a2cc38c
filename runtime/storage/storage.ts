import { constants } from "node:fs";
import { access } from "node:fs/promises";
import type { Lock } from "../../compiler/files/lock.js";
import { type Content, removeFile, replaceFile, sweepDrafts } from "../../compiler/files/replace-file.js";
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
import { atSpot, look, openForReading, type Spot, type WantedFile } from "./jail.js";
import { jsonDocument } from "./json-document.js";
import { jsonLines } from "./json-lines.js";
import { withLock } from "./lock.js";
import { type Format, isWhole, type Source } from "./source.js";
import { textFile } from "./text-file.js";

export function createStorage(root: string): Storage {
  return {
    read: async (request) => {
      const wanted = wantedFile(root, request);
      return told(wanted.shown, () => read({ ...request, file: wanted.shown }, wanted));
    },
    write: async (request) => {
      const wanted = wantedFile(root, request);
      return told(wanted.shown, () => write({ ...request, file: wanted.shown }, wanted));
    },
  };
}

const EXTENSIONS = { json: ".json", csv: ".csv", text: null } as const;

/** Adds the format's extension to a name without one. */
function wantedFile(root: string, { file, format }: StorageTarget): WantedFile {
  const parts = parseFileName(file, EXTENSIONS[format]);
  return { root, parts, shown: parts.join("/"), make: false };
}

function formatOf({ format, file }: StorageTarget): Format {
  if (format === "csv") return csvFile;
  if (format === "text") return textFile;
  return /\.(?:jsonl|ndjson)$/i.test(file) ? jsonLines : jsonDocument;
}

async function read(request: StorageRead, wanted: WantedFile): Promise<Json> {
  const { shown, signal } = { ...wanted, ...request };
  const found = await atSpot(wanted, (spot) =>
    withSource(spot, signal, async (source) =>
      source === null ? null : { value: await formatOf(request).read(source, request) },
    ),
  );
  if (found?.value !== undefined) return found.value;
  if (request.otherwise !== undefined) return request.otherwise;
  if (found === null) throw failure(shown, NO_FILE);
  const { id, idField, format } = request;
  if (format === "text") throw failure(shown, `there is no line ${id}`);
  const where = idField === undefined ? "" : ` in ${idField}`;
  throw failure(shown, `there is no entry ${JSON.stringify(id)}${where}`);
}

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

async function write(request: StorageWrite, wanted: WantedFile): Promise<StorageReceipt> {
  const { mode, file } = request;
  const make = mode !== "delete" && (mode !== "update" || request.upsert === true);
  const count = await atSpot({ ...wanted, make }, (spot) =>
    withLock(spot, request.signal, (lock) => perform(spot, request, lock)),
  );
  if (count === null && mode !== "delete") throw failure(file, NO_FILE);
  return { file, mode, count: count ?? 0 };
}

async function perform(spot: Spot, request: StorageWrite, lock: Lock): Promise<number> {
  const { mode, upsert, signal, file } = request;
  return withSource(spot, signal, async (source) => {
    if (source === null && mode === "delete") return 0;
    if (source === null && mode === "update" && upsert !== true) throw failure(file, NO_FILE);
    const isRemoved = mode === "delete" && isWhole(request);
    const { content, count } = isRemoved ? REMOVED : await formatOf(request).change(source, request);
    await put(spot, content, signal, lock);
    return count();
  });
}

const REMOVED = { content: null, count: (): number => 1 };

async function put(
  spot: Spot,
  content: Content | null,
  signal: AbortSignal | undefined,
  lock: Lock,
): Promise<void> {
  const path = spot.room.at(spot.name);
  const rights = await look(spot);
  // Renaming ignores write permission, so it is checked.
  if (rights !== null) await access(path, constants.W_OK);
  if (content === null) return rights === null ? undefined : removeFile(path);
  await sweepDrafts(path);
  const ready = async (): Promise<void> => {
    await look(spot);
    await spot.room.check();
    if (!(await lock.isMine()))
      throw failure(spot.shown, "another process began to write it; nothing was written");
  };
  await replaceFile(path, content, { rights, signal, ready });
}
