import { isAscii, isUtf8 } from "node:buffer";
import { decode } from "../../compiler/1-parse/text/encoding.js";
import { wideEncodingOf, workbookOf } from "../../compiler/1-parse/text/file-kind.js";

export interface FileText {
  readonly text: string;
  readonly encode: (text: string) => Uint8Array;
  /** The encoding that the file had, when it is rewritten as UTF-8; otherwise null. */
  readonly converted: string | null;
}

interface NotRewritable {
  readonly refused: string;
}

const OLDER_EXCEL = "windows-1252";

interface Mark {
  readonly bytes: readonly number[];
  readonly encode: (text: string) => Uint8Array;
}

const utf8 = (text: string): Uint8Array => Buffer.from(text, "utf8");
const MARKS: readonly Mark[] = [
  { bytes: [0xef, 0xbb, 0xbf], encode: utf8 },
  { bytes: [0xff, 0xfe], encode: (text) => Buffer.from(text, "utf16le") },
  { bytes: [0xfe, 0xff], encode: (text) => Buffer.from(text, "utf16le").swap16() },
];

/**
 * The text of a file such that writing it back changes no other byte: encoding and byte order mark are kept.
 * What is not UTF-8 becomes UTF-8, from the encoding that is named or the one that older versions of Excel write.
 */
export function readFileText(bytes: Uint8Array, encoding: string | null): FileText | NotRewritable {
  const mark = MARKS.find((candidate) => candidate.bytes.every((byte, at) => bytes[at] === byte));
  if (mark !== undefined) return markedText(bytes, mark);
  if (workbookOf(bytes) !== null) return { refused: "it is a workbook or an archive, and no text" };
  const wide = wideEncodingOf(bytes);
  if (wide !== null && (encoding === null || isSame(encoding, wide))) return wideText(bytes, wide);
  if (encoding !== null && !isAscii(bytes) && !isSame(encoding, "utf-8"))
    return convertedText(bytes, encoding);
  if (isUtf8(bytes)) return { text: decode(bytes).text, encode: utf8, converted: null };
  if (bytes.includes(0) || isMixed(bytes)) {
    return { refused: "it is neither UTF-8 nor plain windows-1252; name its encoding with --encoding" };
  }
  return convertedText(bytes, OLDER_EXCEL);
}

const isSame = (one: string, other: string): boolean => new TextDecoder(one).encoding === other;

function markedText(bytes: Uint8Array, { bytes: mark, encode }: Mark): FileText | NotRewritable {
  const { text, fault } = decode(bytes);
  if (fault !== null) return { refused: `byte ${fault.offset} does not fit its byte order mark` };
  return {
    text,
    encode: (changed) => Buffer.concat([Uint8Array.from(mark), encode(changed)]),
    converted: null,
  };
}

/** UTF-16 without a mark. */
function wideText(bytes: Uint8Array, encoding: string): FileText | NotRewritable {
  const { text, fault } = decode(bytes, encoding);
  return fault === null
    ? { text, encode: utf8, converted: encoding }
    : { refused: `it holds bytes that mean nothing in ${encoding}` };
}

function convertedText(bytes: Uint8Array, encoding: string): FileText | NotRewritable {
  if (isUtf8(bytes)) return { refused: "it is UTF-8 already; leave --encoding out" };
  const { text, fault } = decode(bytes, encoding);
  if (fault !== null || text.includes("\ufffd"))
    return { refused: `it holds bytes that mean nothing in ${encoding}` };
  return { text, encode: utf8, converted: encoding };
}

/**
 * True for a file that mixes UTF-8 with another encoding.
 * Reading all of it as windows-1252 would destroy its UTF-8 characters.
 */
function isMixed(bytes: Uint8Array): boolean {
  return /[^\x00-\x7f\ufffd]/.test(new TextDecoder().decode(bytes));
}
