import type { FileHandle } from "node:fs/promises";
import { failure } from "./failure.js";

const CHUNK = 256 * 1024;

export interface Reading {
  readonly handle: FileHandle;
  readonly shown: string;
  readonly signal: AbortSignal | undefined;
}

/** The bytes of an open file, from its beginning, piece by piece. */
export async function* bytesOf({ handle, signal }: Omit<Reading, "shown">): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    signal?.throwIfAborted();
    const buffer = Buffer.allocUnsafe(CHUNK);
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The text of an open file piece by piece: UTF-8, or what its byte order mark says. The mark is no text. */
export async function* textOf(reading: Reading): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  try {
    for await (const bytes of bytesOf(reading)) {
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      yield decoder.decode(bytes, { stream: true });
    }
    const rest = decoder?.decode() ?? "";
    if (rest !== "") yield rest;
  } catch (error) {
    if (error instanceof TypeError) throw notText(reading.shown);
    throw error;
  }
}

const notText = (shown: string): Error =>
  failure(shown, 'it is not UTF-8 text; in a spreadsheet program, save it as "CSV UTF-8"');

/** What a byte order mark says; UTF-8 without one. */
export function encodingOf([a, b]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (a === 0xff && b === 0xfe) return "utf-16le";
  return a === 0xfe && b === 0xff ? "utf-16be" : "utf-8";
}

/** True when bytes begin with the mark that spreadsheet programs put before UTF-8. */
export const hasMark = ([a, b, c]: Uint8Array): boolean => a === 0xef && b === 0xbb && c === 0xbf;

/** The whole text of an open file; refuses what is larger than a limit. */
export async function wholeText(reading: Reading, limit: number): Promise<string> {
  const { handle, shown } = reading;
  const { size } = await handle.stat();
  if (size > limit) throw failure(shown, `it is larger than ${limit / MEGABYTE} MB`);
  const pieces: string[] = [];
  let length = 0;
  for await (const piece of textOf(reading)) {
    pieces.push(piece);
    length += piece.length;
    if (length > limit) throw failure(shown, `it is larger than ${limit / MEGABYTE} MB`);
  }
  return pieces.join("");
}

const MEGABYTE = 1024 * 1024;

/** Lines of text that comes in pieces, in batches; the end of a line is no part of it. */
export async function* linesOf(
  pieces: AsyncIterable<string>,
  { shown, longest }: { readonly shown: string; readonly longest: number },
): AsyncGenerator<readonly string[]> {
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() as string;
    if (rest.length > longest) throw failure(shown, `a line is longer than ${longest} characters`);
    yield lines.map(withoutReturn);
  }
  if (rest !== "") yield [withoutReturn(rest)];
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
