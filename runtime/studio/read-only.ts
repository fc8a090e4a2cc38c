import { isUtf8 } from "node:buffer";
import { accessSync, constants, lstatSync } from "node:fs";
import { dirname } from "node:path";
import { wideEncodingOf } from "../../compiler/1-parse/text/file-kind.js";
import { systemCode } from "../../compiler/files/system-code.js";
import { isWorksheetPath, openSheet } from "../workflows/workbooks.js";

/** Larger sheets are not written in the Studio. */
export const MOST_BYTES = 5 * 1024 * 1024;

/** Null for what is gone, and for what is too large for any sheet. */
export function bytesOf(path: string): Buffer | null {
  const opened = openSheet(path);
  return opened.kind === "bytes"
    ? Buffer.from(opened.bytes.buffer, opened.bytes.byteOffset, opened.bytes.length)
    : null;
}

/** Why a sheet is only read here, and what to do about it; null for one that can be written. */
export function readOnlyReason(path: string, bytes: Buffer, hasBadQuotes: boolean): string | null {
  if (isWorksheetPath(path)) return "it is a workbook: change it in a spreadsheet program";
  if (bytes.length > MOST_BYTES) return "it is larger than 5 MB: split it into several sheets";
  if (isLink(path)) return "it is a symbolic link: open the sheet that it leads to";
  if (isWide(bytes)) return "it is UTF-16: save it as CSV in UTF-8";
  if (!isUtf8(bytes)) return "it is not UTF-8: flowsheet validate --fix converts it";
  if (hasBadQuotes) return "its quotes are damaged: flowsheet validate shows where";
  return whyUnwritable(path);
}

/** With a mark or without one. */
const isWide = (bytes: Buffer): boolean =>
  /^(?:fffe|feff)$/.test(bytes.toString("hex", 0, 2)) || wideEncodingOf(bytes) !== null;

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** A file is replaced as a whole, so its folder must be writable, too. */
function whyUnwritable(path: string): string | null {
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const isFixed = systemCode(error) === "EROFS";
    return isFixed ? "the disk can only be read" : "you may not write it: ask whoever owns the file";
  }
}
