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

/**
 * An archive with other content for some of its parts; one that is not there yet is added. All others are copied as
 * they stand, but those that are removed, which are given by their keys.
 */
export function writeParts(
  archive: Archive,
  changed: ReadonlyMap<string, Uint8Array>,
  removed: ReadonlySet<string> = new Set(),
): Uint8Array {
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
    const key = partKey(part.name);
    if (removed.has(key)) continue;
    const content = byKey.get(key) ?? null;
    const packed = content === null ? null : deflateRawSync(content);
    written.push({ part, offset: length, packed, content });
    if (packed === null || content === null) put(archive.bytes.subarray(part.offset, next));
    else {
      put(localHeader(archive, part, packed, content));
      put(packed);
    }
  }
  const added: Uint8Array[] = [];
  for (const [name, content] of changed) {
    if (archive.parts.has(partKey(name))) continue;
    const packed = deflateRawSync(content);
    const fields = newFields(name, packed, content);
    added.push(newEntry(fields, name, length));
    put(Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, Buffer.from(name), packed]));
  }
  const start = length;
  const offsets = new Map(written.map((one) => [one.part, one]));
  let count = added.length;
  for (const part of archive.parts.values()) {
    const one = offsets.get(part);
    if (one === undefined) continue;
    put(directoryEntry(archive, one));
    count++;
  }
  for (const entry of added) put(entry);
  put(directoryEnd(archive, start, length - start, count));
  return Buffer.concat(pieces);
}

/** What the header of a new part and its entry share: 1980 is its time. */
function newFields(name: string, packed: Uint8Array, content: Uint8Array): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(0x0800, 2);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}

function newEntry(fields: Buffer, name: string, offset: number): Uint8Array {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, rest, Buffer.from(name)]);
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
function directoryEnd({ bytes, end: at }: Archive, start: number, size: number, count: number): Uint8Array {
  const end = Buffer.from(bytes.subarray(at));
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(start, 16);
  return end;
}
