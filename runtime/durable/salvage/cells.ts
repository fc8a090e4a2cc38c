import type { Value } from "../read-rows.js";
import type { Pages } from "./pages.js";

/** The content of a page: rows of a table, or entries of an index. */
export interface PageCells {
  readonly kind: "table" | "index";
  readonly count: number;
  /** Null for one that cannot be read. */
  readonly read: (index: number) => readonly Value[] | null;
}

const [INDEX_INSIDE, TABLE_INSIDE, INDEX_LEAF, TABLE_LEAF] = [2, 5, 10, 13];

/** Null for a page that holds no rows; `broken` for one that held something else than it should. */
export function cellsOf(pages: Pages, number: number): PageCells | "broken" | null {
  if (pages.isMap(number)) return null;
  const page = pages.read(number);
  if (page === null) return "broken";
  const start = number === 1 ? 100 : 0;
  const type = page[start] ?? 0;
  // Free pages, and those that values go on in, begin with the number of another page, which is below 2^24.
  if (type === 0 || type === TABLE_INSIDE) return null;
  if (type !== INDEX_INSIDE && type !== INDEX_LEAF && type !== TABLE_LEAF) return "broken";
  const kind = type === TABLE_LEAF ? "table" : "index";
  const from = start + (type === INDEX_INSIDE ? 12 : 8);
  const count = page.readUInt16BE(start + 3);
  if (from + 2 * count > page.length) return "broken";
  const before = type === INDEX_INSIDE ? 4 : 0;
  const read = (index: number): readonly Value[] | null => {
    const at = page.readUInt16BE(from + 2 * index) + before;
    return attempt(() => valuesOf(payloadAt(pages, page, kind, at)));
  };
  return { kind, count, read };
}

/** What is damaged is read past its end, or is no JSON, or says what cannot be. */
export function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

interface Payload {
  /** The number of a table's row. */
  readonly number: Value;
  readonly bytes: Buffer;
}

/** The bytes of a row, also of one that goes on in other pages. */
function payloadAt(pages: Pages, page: Buffer, kind: PageCells["kind"], at: number): Payload {
  const { usable } = pages;
  let [length, next] = varint(page, at);
  let number: Value = null;
  if (kind === "table") [number, next] = varint(page, next);
  const most = kind === "table" ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const rest = least + ((length - least) % (usable - 4));
  const here = length <= most ? length : rest <= most ? rest : least;
  const pieces = [slice(page, next, here)];
  let following = here < length ? page.readUInt32BE(next + here) : 0;
  for (length -= here; length > 0; ) {
    const more = following === 0 || following > pages.count ? null : pages.read(following);
    if (more === null) throw new RangeError("a value goes on nowhere");
    const taken = Math.min(length, usable - 4);
    pieces.push(slice(more, 4, taken));
    following = more.readUInt32BE(0);
    length -= taken;
  }
  if (following !== 0) throw new RangeError("a value goes on after its end");
  return { number, bytes: Buffer.concat(pieces) };
}

function slice(bytes: Buffer, from: number, length: number): Buffer {
  if (from + length > bytes.length) throw new RangeError("a value goes beyond its page");
  return bytes.subarray(from, from + length);
}

/** The columns of a row. A first one that counts the rows is empty, since it is the row's number. */
function valuesOf({ number, bytes: payload }: Payload): readonly Value[] {
  const values: Value[] = [];
  const [size, first] = varint(payload, 0);
  let [at, body] = [first, size];
  while (at < size) {
    const [type, next] = varint(payload, at);
    const length = lengthOf(type);
    values.push(columnOf(type, slice(payload, body, length)));
    [at, body] = [next, body + length];
  }
  if (at !== size || body !== payload.length) throw new RangeError("a row has another length");
  return values[0] === null ? [number, ...values.slice(1)] : values;
}

const LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function lengthOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  const length = LENGTHS[type];
  if (length === undefined) throw new RangeError("a value has no type");
  return length;
}

const text = new TextDecoder("utf-8", { fatal: true });

function columnOf(type: number, bytes: Buffer): Value {
  if (type === 0) return null;
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 8 || type === 9) return type - 8;
  if (type === 6) return Number(bytes.readBigInt64BE(0));
  if (type < 6) return bytes.readIntBE(0, bytes.length);
  // The tables of runs have no bytes, but those of the search do.
  return type % 2 === 0 ? null : text.decode(bytes);
}

/** A number of one to nine bytes, and what follows it. */
function varint(bytes: Buffer, from: number): [value: number, next: number] {
  let value = 0;
  for (let at = from; at < from + 9; at++) {
    const byte = bytes[at];
    if (byte === undefined) throw new RangeError("a number goes beyond its page");
    if (at === from + 8) return [value * 256 + byte, at + 1];
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, at + 1];
  }
  throw new RangeError("a number has no end");
}
