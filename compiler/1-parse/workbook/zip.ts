import { crc32, inflateRawSync } from "node:zlib";
import { BOOK_LIMITS } from "./limits.js";
import { bad, tooLarge } from "./refusal.js";

/** A part of an archive, as its directory describes it. */
export interface Part {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  /** Bytes as they stand in the file, and when they are unpacked. */
  readonly packed: number;
  readonly size: number;
  /** Where its local header begins. */
  readonly offset: number;
  /** Where its entry in the directory begins, and ends. */
  readonly entry: number;
  readonly entryEnd: number;
}

export interface Archive {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** By the part's name in lower case, without a leading slash. */
  readonly parts: ReadonlyMap<string, Part>;
  readonly directory: { readonly start: number; readonly end: number };
  /** Where the record at the end of the archive begins. */
  readonly end: number;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LOCAL_SIZE = 30;
const CENTRAL_SIZE = 46;
const END_SIZE = 22;
const LONGEST_COMMENT = 0xffff;
const WIDE = 0xffffffff;

/** Where a part is looked up: names differ in case and in slashes between programs. */
export const partKey = (name: string): string => name.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();

/** Reads the directory of an archive. No part is unpacked. */
export function openArchive(bytes: Uint8Array): Archive {
  if (bytes.length > BOOK_LIMITS.fileBytes)
    throw tooLarge(`the file has ${bytes.length.toLocaleString("en-US")} bytes`, "50 MB a file");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const start = view.getUint32(end + 16, true);
  if (count === 0xffff || size === WIDE || start === WIDE) throw bad("it is a ZIP64 archive");
  if (count > BOOK_LIMITS.parts)
    throw tooLarge(`it has ${count.toLocaleString("en-US")} parts`, "5,000 parts");
  if (start + size > end) throw bad("its directory is damaged");
  const parts = new Map<string, Part>();
  let at = start;
  for (let index = 0; index < count; index++) {
    const part = readEntry(bytes, view, at, start + size);
    const key = partKey(part.name);
    if (parts.has(key)) throw bad(`two of its parts have the name ${JSON.stringify(part.name)}`);
    parts.set(key, part);
    at = part.entryEnd;
  }
  return { bytes, view, parts, directory: { start, end: start + size }, end };
}

function findEnd(view: DataView): number {
  const last = view.byteLength - END_SIZE;
  for (let at = last; at >= 0 && at >= last - LONGEST_COMMENT; at--) {
    if (view.getUint32(at, true) !== END) continue;
    if (at + END_SIZE + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  throw bad("it is cut off or damaged: its directory is missing");
}

function readEntry(bytes: Uint8Array, view: DataView, at: number, limit: number): Part {
  if (at + CENTRAL_SIZE > limit || view.getUint32(at, true) !== CENTRAL)
    throw bad("its directory is damaged");
  const nameEnd = at + CENTRAL_SIZE + view.getUint16(at + 28, true);
  const entryEnd = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  if (entryEnd > limit) throw bad("its directory is damaged");
  const name = new TextDecoder().decode(bytes.subarray(at + CENTRAL_SIZE, nameEnd));
  const part: Part = {
    name,
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packed: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
    entry: at,
    entryEnd,
  };
  checkPart(part, view.getUint16(at + 8, true));
  return part;
}

function checkPart({ name, method, packed, size, offset }: Part, flags: number): void {
  const named = JSON.stringify(name);
  if ((flags & 1) === 1) throw bad(`its part ${named} is encrypted: save it without a password`);
  if (packed === WIDE || size === WIDE || offset === WIDE) throw bad("it is a ZIP64 archive");
  if (method !== 0 && method !== 8) throw bad(`its part ${named} is packed in a way that is not known here`);
}

/** Unpacks parts, and counts what was unpacked. */
export class Unpacker {
  readonly archive: Archive;
  #opened = 0;

  constructor(archive: Archive) {
    this.archive = archive;
  }

  /** Refuses parts that are too large together, before one of them is unpacked. */
  checkSizes(names: readonly string[]): void {
    const parts = names.flatMap((name) => this.archive.parts.get(partKey(name)) ?? []);
    for (const part of parts) checkSize(part);
    this.#checkOpened(this.#opened + parts.reduce((sum, { size }) => sum + size, 0));
  }

  #checkOpened(size: number): void {
    if (size > BOOK_LIMITS.openedBytes)
      throw tooLarge("its parts have more than 100 MB together", "100 MB of parts");
  }

  /** Null when there is no such part. */
  open(name: string): Uint8Array | null {
    const part = this.archive.parts.get(partKey(name));
    if (part === undefined) return null;
    checkSize(part);
    this.#opened += part.size;
    this.#checkOpened(this.#opened);
    return unpack(this.archive, part);
  }
}

function checkSize({ name, size, packed }: Part): void {
  const { partBytes, plainBytes, packing } = BOOK_LIMITS;
  const what = `its part ${JSON.stringify(name)} has ${megabytes(size)}`;
  if (size > partBytes) throw tooLarge(what, "50 MB a part");
  // What is read of it would take even more memory.
  if (size > plainBytes && size > packing * packed)
    throw tooLarge(
      `${what}, packed into ${kilobytes(packed)}`,
      `${packing} times what a part takes in the file`,
    );
}

const megabytes = (size: number): string => `${Math.ceil(size / (1024 * 1024)).toLocaleString("en-US")} MB`;

const kilobytes = (size: number): string => `${Math.ceil(size / 1024).toLocaleString("en-US")} kB`;

/** Where the packed bytes of a part stand. */
export function packedRange({ view }: Archive, part: Part): { readonly start: number; readonly end: number } {
  const { offset, name, packed } = part;
  const damaged = bad(`its part ${JSON.stringify(name)} is cut off or damaged`);
  if (offset + LOCAL_SIZE > view.byteLength || view.getUint32(offset, true) !== LOCAL) throw damaged;
  const start = offset + LOCAL_SIZE + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + packed > view.byteLength) throw damaged;
  return { start, end: start + packed };
}

function unpack(archive: Archive, part: Part): Uint8Array {
  const { start, end } = packedRange(archive, part);
  const packed = archive.bytes.subarray(start, end);
  const content = part.method === 0 ? packed : inflated(packed, part);
  if (content.length !== part.size || crc32(content) !== part.crc)
    throw bad(`its part ${JSON.stringify(part.name)} is damaged: it is not what the directory says`);
  return content;
}

/** A part that is larger than it says is refused before it takes more memory. */
function inflated(packed: Uint8Array, { name, size }: Part): Uint8Array {
  try {
    // One piece of the whole size: pieces would be copied together.
    return inflateRawSync(packed, { maxOutputLength: size + 1, chunkSize: size + 64 });
  } catch {
    throw bad(`its part ${JSON.stringify(name)} is cut off or damaged`);
  }
}
