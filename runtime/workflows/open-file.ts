import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { BookPage } from "../../compiler/1-parse/workbook/book-page.js";

export type Opened =
  /** `book`: the bytes are the text of a page of a workbook. */
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly book?: BookPage }
  /** Null when reading stopped at the limit. */
  | { readonly kind: "too-large"; readonly size: number | null }
  | { readonly kind: "failed"; readonly why: string; readonly missing: boolean };

export const MAX_SHEET = 50 * 1024 * 1024;

const failed = (why: string): Opened => ({ kind: "failed", why, missing: false });

/** Only regular files: a pipe would block. Too large ones are refused by their size, without reading. */
export function openFile(path: string, limit: number = MAX_SHEET): Opened {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return failed("it is a folder");
    if (!stats.isFile()) return failed("it is not a regular file; - reads from standard input");
    return readRegular(path, limit);
  } catch (error) {
    return { kind: "failed", ...reasonOf(error) };
  }
}

/** The first bytes of a file; none when it cannot be read. */
export function firstBytes(path: string, count: number): Uint8Array {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(count);
      return bytes.subarray(0, readSync(file, bytes, 0, count, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return new Uint8Array(0);
  }
}

function readRegular(path: string, limit: number): Opened {
  // Opening a pipe would block, and the file may have become one.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return failed("it is not a regular file");
    if (stats.size > limit) return { kind: "too-large", size: stats.size };
    return readAll(file, stats.size, limit);
  } finally {
    closeSync(file);
  }
}

/** The file may grow while it is read, so its size is only a hint. */
function readAll(file: number, size: number, limit: number): Opened {
  let buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const read = readSync(file, buffer, length, buffer.length - length, null);
    length += read;
    if (read === 0) return { kind: "bytes", bytes: buffer.subarray(0, length) };
    if (length > limit) return { kind: "too-large", size: null };
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
  }
}

export async function readPieces(pieces: AsyncIterable<Uint8Array>): Promise<Opened> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    read.push(piece);
    length += piece.length;
    if (length > MAX_SHEET) return { kind: "too-large", size: null };
  }
  return { kind: "bytes", bytes: Buffer.concat(read) };
}

const REASONS: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a folder",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "too many files are open",
  ENXIO: "it is not a regular file",
  ENOSPC: "there is no space left on the disk",
  EDQUOT: "there is no space left for this user",
  EROFS: "the disk can only be read",
  ERR_INVALID_ARG_VALUE: "that is no path",
};

/** Rethrows errors that are not from the system. */
export function reasonOf(error: unknown): { readonly why: string; readonly missing: boolean } {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") throw error;
  return { why: REASONS[error.code] ?? error.message, missing: error.code === "ENOENT" };
}
