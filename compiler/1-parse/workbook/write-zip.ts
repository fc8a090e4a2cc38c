import { crc32, deflateRawSync } from "node:zlib";
import { bad } from "./refusal.js";
import { type Archive, type Part, packedRange, partKey } from "./zip.js";

const LOCAL_SIZE = 30;
const HAS_DESCRIPTOR = 8;

interface Written {
  readonly part: Part;
  readonly offset: number;
  /** Null for a part that stays as it is. */
  readonly packed: Uint8Array | null;
  readonly content: Uint8Array | null;
}

/** An archive with other content for some of its parts. All others are copied as they stand. */
export function writeParts(archive: Archive, changed: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const byKey = new Map([...changed].map(([name, content]) => [partKey(name), content]));
  const pieces: Uint8Array[] = [];
  const written: Written[] = [];
  let length = 0;
  const put = (bytes: Uint8Array): void => {
    pieces.push(bytes);
    length += bytes.length;
  };
  const parts = [...archive.parts.values()].sort((a, b) => a.offset - b.offset);
  put(archive.bytes.subarray(0, parts[0]?.offset ?? archive.directory.start));
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1]?.offset ?? archive.directory.start;
    if (packedRange(archive, part).end > next) throw bad("two of its parts overlap");
    const content = byKey.get(partKey(part.name)) ?? null;
    const packed = content === null ? null : deflateRawSync(content);
    written.push({ part, offset: length, packed, content });
    if (packed === null || content === null) put(archive.bytes.subarray(part.offset, next));
    else {
      put(localHeader(archive, part, packed, content));
      put(packed);
    }
  }
  const start = length;
  const offsets = new Map(written.map((one) => [one.part, one]));
  for (const part of archive.parts.values()) put(directoryEntry(archive, offsets.get(part) as Written));
  put(directoryEnd(archive, start, length - start));
  return Buffer.concat(pieces);
}

/** The header in front of a part, with its time and name as they were. */
function localHeader(
  { bytes }: Archive,
  { offset }: Part,
  packed: Uint8Array,
  content: Uint8Array,
): Uint8Array {
  const old = new DataView(bytes.buffer, bytes.byteOffset + offset);
  const header = Buffer.from(bytes.subarray(offset, offset + LOCAL_SIZE + old.getUint16(26, true)));
  header.writeUInt16LE(old.getUint16(6, true) & ~HAS_DESCRIPTOR, 6);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(crc32(content), 14);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(0, 28);
  return header;
}

function directoryEntry({ bytes }: Archive, { part, offset, packed, content }: Written): Uint8Array {
  const entry = Buffer.from(bytes.subarray(part.entry, part.entryEnd));
  entry.writeUInt32LE(offset, 42);
  if (packed === null || content === null) return entry;
  entry.writeUInt16LE(entry.readUInt16LE(8) & ~HAS_DESCRIPTOR, 8);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(crc32(content), 16);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(content.length, 24);
  return entry;
}

/** The last record, with its comment. */
function directoryEnd({ bytes, end: at }: Archive, start: number, size: number): Uint8Array {
  const end = Buffer.from(bytes.subarray(at));
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(start, 16);
  return end;
}
