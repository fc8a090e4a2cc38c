import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The pages of a file of SQLite as they were last committed (https://www.sqlite.org/fileformat2.html). */
export interface Pages {
  /** The bytes of a page that hold its content. */
  readonly usable: number;
  readonly count: number;
  /** False when the first page, which says what the others are, cannot be read. */
  readonly hasHeader: boolean;
  /** Numbers count from 1. Null for a page that is not there. */
  readonly read: (number: number) => Buffer | null;
  /** True for a page that only says where others belong. */
  readonly isMap: (number: number) => boolean;
  readonly close: () => void;
}

interface Header {
  readonly size: number;
  readonly reserved: number;
  readonly count: number;
  readonly hasMaps: boolean;
}

const MAGIC = "SQLite format 3\0";
/** What the store has made since its first version. */
const USUAL: Header = { size: 4_096, reserved: 0, count: 0, hasMaps: true };
/** The page of this byte is used for locks alone. */
const LOCK_BYTE = 1_073_741_824;
const MAP_ENTRY = 5;

export function openPages(path: string): Pages {
  const file = openSync(path, "r");
  const log = openLog(`${path}-wal`);
  const found = headerOf(bytesAt(file, 0, 100));
  const { size, reserved, count, hasMaps } = found ?? { ...USUAL, size: log?.size ?? USUAL.size };
  const usable = size - reserved;
  const lockPage = Math.floor(LOCK_BYTE / size) + 1;
  const perMap = Math.floor(usable / MAP_ENTRY) + 1;
  const mapFor = (number: number): number => {
    const map = Math.floor((number - 2) / perMap) * perMap + 2;
    return map === lockPage ? map + 1 : map;
  };
  return {
    usable,
    count: log?.count ?? Math.max(count, Math.ceil(fstatSync(file).size / size)),
    hasHeader: found !== null,
    read: (number) => log?.read(number) ?? bytesAt(file, (number - 1) * size, size),
    isMap: (number) => number === lockPage || (hasMaps && number >= 2 && mapFor(number) === number),
    close: () => {
      closeSync(file);
      log?.close();
    },
  };
}

/** Null when so much is not there. */
function bytesAt(file: number, position: number, length: number): Buffer | null {
  const bytes = Buffer.alloc(length);
  return readSync(file, bytes, 0, length, position) === length ? bytes : null;
}

function headerOf(bytes: Buffer | null): Header | null {
  if (bytes === null || bytes.toString("latin1", 0, 16) !== MAGIC) return null;
  const size = bytes.readUInt16BE(16) === 1 ? 65_536 : bytes.readUInt16BE(16);
  if (size < 512 || (size & (size - 1)) !== 0) return null;
  return {
    size,
    reserved: bytes[20] ?? 0,
    count: bytes.readUInt32BE(28),
    hasMaps: bytes.readUInt32BE(52) > 0,
  };
}

interface Log {
  readonly size: number;
  /** The pages of the whole file. */
  readonly count: number;
  readonly read: (number: number) => Buffer | null;
  readonly close: () => void;
}

const FRAME = 24;

/** The write-ahead log beside the file. Null without a commit in it. */
function openLog(path: string): Log | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return null;
  }
  const head = bytesAt(file, 0, 32);
  const committed = head === null ? null : framesOf(file, head);
  if (committed === null || committed.count === 0) {
    closeSync(file);
    return null;
  }
  const { size, places, count } = committed;
  const read = (number: number): Buffer | null => {
    const place = places.get(number);
    return place === undefined ? null : bytesAt(file, place, size);
  };
  return { size, count, read, close: () => closeSync(file) };
}

/** Where the last committed content of each page is. What follows the last commit was never acknowledged. */
function framesOf(
  file: number,
  head: Buffer,
): { size: number; places: Map<number, number>; count: number } | null {
  const magic = head.readUInt32BE(0);
  if (magic >>> 1 !== 0x377f0682 >>> 1) return null;
  const size = head.readUInt32BE(8);
  const isBig = (magic & 1) === 1;
  const places = new Map<number, number>();
  let open: [number: number, place: number][] = [];
  let [count, sum] = [0, sumOf(head.subarray(0, 24), isBig, [0, 0])];
  for (let at = 32; ; at += FRAME + size) {
    const frame = bytesAt(file, at, FRAME + size);
    if (frame === null || frame.compare(head, 16, 24, 8, 16) !== 0) break;
    sum = sumOf(frame.subarray(FRAME), isBig, sumOf(frame.subarray(0, 8), isBig, sum));
    if (frame.readUInt32BE(16) !== sum[0] || frame.readUInt32BE(20) !== sum[1]) break;
    open.push([frame.readUInt32BE(0), at + FRAME]);
    if (frame.readUInt32BE(4) === 0) continue;
    for (const [number, place] of open) places.set(number, place);
    open = [];
    count = frame.readUInt32BE(4);
  }
  return { size, places, count };
}

type Sum = readonly [number, number];

function sumOf(bytes: Buffer, isBig: boolean, [first, second]: Sum): Sum {
  let [a, b] = [first, second];
  const word = (at: number): number => (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + word(at) + b) >>> 0;
    b = (b + word(at + 4) + a) >>> 0;
  }
  return [a, b];
}
