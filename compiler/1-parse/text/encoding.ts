/** The text of a file, and the first byte that its encoding does not allow. */
export interface Decoded {
  readonly text: string;
  readonly fault: EncodingFault | null;
}

export interface EncodingFault {
  /** Offset in the file's bytes. */
  readonly offset: number;
  readonly byte: number;
  /** Offset in the decoded text. */
  readonly at: number;
}

export function isEncoding(label: string): boolean {
  return encodingOf(label) !== null;
}

/**
 * Decodes a file: by its byte order mark, else as `encoding` says, else as UTF-8. Bytes that the encoding does not
 * allow never stop it; the rest is read all the same. Linear.
 */
export function decode(bytes: Uint8Array, encoding = "utf-8"): Decoded {
  const mark = findMark(bytes);
  const name = mark === null ? encodingOf(encoding) : mark.name;
  if (name === null) throw new RangeError(`unknown encoding ${JSON.stringify(encoding)}`);
  const body = bytes.subarray(mark?.length ?? 0);
  const decoded = decodeBody(body, name);
  if (mark === null || decoded.fault === null) return decoded;
  return { ...decoded, fault: { ...decoded.fault, offset: decoded.fault.offset + mark.length } };
}

function findMark(bytes: Uint8Array): { readonly name: string; readonly length: number } | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { name: "utf-8", length: 3 };
  if (a === 0xff && b === 0xfe) return { name: "utf-16le", length: 2 };
  if (a === 0xfe && b === 0xff) return { name: "utf-16be", length: 2 };
  return null;
}

function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function decodeBody(bytes: Uint8Array, name: string): Decoded {
  if (name === "windows-1252") return { text: decodeWindows(bytes), fault: null };
  try {
    return { text: new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(bytes), fault: null };
  } catch {
    return name === "utf-8" ? mendUtf8(bytes) : replaceFaults(bytes, name);
  }
}

/** The characters that Windows-1252 has where Latin-1 has controls; five bytes mean nothing. */
const WINDOWS = "€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ";

const windowsOf = (byte: number): number =>
  byte < 0x80 || byte > 0x9f ? byte : WINDOWS.charCodeAt(byte - 0x80);

function decodeWindows(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) units[i] = windowsOf(bytes[i] as number);
  return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(units);
}

/**
 * Decodes UTF-8. Each faulty sequence becomes one character of Windows-1252, by its first byte: faults nearly always
 * come from there. So different names stay different, and every place is the one that U+FFFD would have.
 */
function mendUtf8(bytes: Uint8Array): Decoded {
  const units = new Uint16Array(bytes.length);
  let length = 0;
  let fault: EncodingFault | null = null;
  for (let i = 0; i < bytes.length; ) {
    const byte = bytes[i] as number;
    const { size, point } = readSequence(bytes, i);
    if (point < 0) fault ??= { offset: i, byte, at: length };
    const code = point < 0 ? windowsOf(byte) : point;
    if (code > 0xffff) units[length++] = 0xd7c0 + (code >> 10);
    units[length++] = code > 0xffff ? 0xdc00 + (code & 0x3ff) : code;
    i += size;
  }
  return { text: new TextDecoder("utf-16le", { ignoreBOM: true }).decode(units.subarray(0, length)), fault };
}

interface Sequence {
  readonly size: number;
  /** The code point, or -1 for bytes that are no UTF-8. */
  readonly point: number;
}

/** The sequence at an offset; of a faulty one, the bytes that stand for one U+FFFD. */
function readSequence(bytes: Uint8Array, at: number): Sequence {
  const first = bytes[at] as number;
  if (first < 0x80) return { size: 1, point: first };
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return { size: 1, point: -1 };
  let point = first & (0x7f >> size);
  for (let i = 1; i < size; i++) {
    const byte = bytes[at + i] ?? 0;
    const [low, high] = i === 1 ? secondRange(first) : [0x80, 0xbf];
    if (byte < low || byte > high) return { size: i, point: -1 };
    point = (point << 6) | (byte & 0x3f);
  }
  return { size, point };
}

/** The second byte excludes overlong forms, surrogates, and what is past U+10FFFF. */
function secondRange(first: number): readonly [number, number] {
  if (first === 0xe0) return [0xa0, 0xbf];
  if (first === 0xed) return [0x80, 0x9f];
  if (first === 0xf0) return [0x90, 0xbf];
  if (first === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
}

/** Decodes with U+FFFD for each fault; the half of a unit at the end of a UTF-16 file is left out. */
function replaceFaults(bytes: Uint8Array, name: string): Decoded {
  const wide = name.startsWith("utf-16");
  const whole = wide ? bytes.subarray(0, bytes.length - (bytes.length % 2)) : bytes;
  const text = new TextDecoder(name, { ignoreBOM: true }).decode(whole);
  const offset = wide ? faultyUnit(whole, name, text) : faultyByte(bytes, name);
  const before = new TextDecoder(name, { ignoreBOM: true }).decode(bytes.subarray(0, offset));
  return { text, fault: { offset, byte: bytes[offset] ?? 0, at: Math.min(before.length, text.length) } };
}

/** The offset of the first lone surrogate, which the text has U+FFFD for; the end when there is none. */
function faultyUnit(bytes: Uint8Array, name: string, text: string): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const unitAt = (at: number): number => view.getUint16(2 * at, name === "utf-16le");
  let at = text.indexOf("\ufffd");
  while (at >= 0 && unitAt(at) === 0xfffd) at = text.indexOf("\ufffd", at + 1);
  return at < 0 ? bytes.length : 2 * at;
}

const CHUNK = 65_536;

/** The offset of the byte at which a decoder gives up: by chunks first, then byte by byte. */
function faultyByte(bytes: Uint8Array, name: string): number {
  const start = firstRefused(bytes, new TextDecoder(name, { fatal: true }), { from: 0, step: CHUNK });
  const decoder = new TextDecoder(name, { fatal: true });
  decoder.decode(bytes.subarray(0, start), { stream: true });
  return firstRefused(bytes, decoder, { from: start, step: 1 });
}

function firstRefused(
  bytes: Uint8Array,
  decoder: InstanceType<typeof TextDecoder>,
  { from, step }: { from: number; step: number },
): number {
  for (let at = from; at < bytes.length; at += step) {
    try {
      decoder.decode(bytes.subarray(at, at + step), { stream: true });
    } catch {
      return at;
    }
  }
  return Math.max(from, bytes.length - 1);
}
