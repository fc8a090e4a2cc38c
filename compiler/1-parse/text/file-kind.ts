export type Workbook = "xlsx" | "xls" | "ods" | "zip";

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, at) => bytes[at] === byte);

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
/** The names in an archive stand in front of their contents, and once more at its end. */
const LOOKED_AT = 65_536;

/** Told by the first bytes; null for any file that is no workbook. */
export function workbookOf(bytes: Uint8Array): Workbook | null {
  if (startsWith(bytes, OLE)) return "xls";
  if (!startsWith(bytes, ZIP)) return null;
  const latin = new TextDecoder("latin1");
  const names = latin.decode(bytes.subarray(0, LOOKED_AT)) + latin.decode(bytes.subarray(-LOOKED_AT));
  if (names.includes("application/vnd.oasis.opendocument.spreadsheet")) return "ods";
  return names.includes("xl/") ? "xlsx" : "zip";
}

export type WideEncoding = "utf-16le" | "utf-16be";

/** A sample of so many bytes shows the encoding of the rest. */
const SAMPLE = 2000;

/** UTF-16 without a byte order mark: of most characters one byte is zero, always the same of the two. */
export function wideEncodingOf(bytes: Uint8Array): WideEncoding | null {
  const length = Math.min(bytes.length, SAMPLE) & ~1;
  const [a, b] = bytes;
  if (length < 4 || (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return null;
  const zeros = [0, 0];
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  const [first = 0, second = 0] = zeros.map((count) => count / (length / 2));
  if (second > 0.6 && first < 0.05) return "utf-16le";
  return first > 0.6 && second < 0.05 ? "utf-16be" : null;
}
