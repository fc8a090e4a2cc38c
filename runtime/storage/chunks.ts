import { failure } from "./failure.js";
import type { Source } from "./source.js";

const CHUNK = 256 * 1024;

export async function* bytesOf({ handle, signal }: Source): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    signal?.throwIfAborted();
    const buffer = Buffer.allocUnsafe(CHUNK);
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** UTF-8, or the encoding of its byte order mark, which is removed. */
export async function* textOf(source: Source): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  try {
    for await (const bytes of bytesOf(source)) {
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      yield decoder.decode(bytes, { stream: true });
    }
    const rest = decoder?.decode() ?? "";
    if (rest !== "") yield rest;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw failure(source.shown, 'it is not UTF-8 text; in a spreadsheet program, save it as "CSV UTF-8"');
  }
}

export function encodingOf([a, b]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (a === 0xff && b === 0xfe) return "utf-16le";
  return a === 0xfe && b === 0xff ? "utf-16be" : "utf-8";
}

/** Spreadsheet programs write a byte order mark before UTF-8. */
export const MARK = "\ufeff";

export async function beginningOf({ handle }: Source) {
  const { buffer } = await handle.read(Buffer.alloc(3), 0, 3, 0);
  return { encoding: encodingOf(buffer), isMarked: buffer.equals(Buffer.from(MARK)) };
}

/** Adds a line end when the last line has none. */
export async function* wholeLines(
  source: Source,
  lineEnd: string,
  ends: readonly number[],
): AsyncGenerator<string | Uint8Array> {
  let last = ends[0];
  for await (const bytes of bytesOf(source)) {
    last = bytes[bytes.length - 1] ?? last;
    yield bytes;
  }
  if (last !== undefined && !ends.includes(last)) yield lineEnd;
}

export async function wholeText(source: Source, limit: number): Promise<string> {
  const { stats, shown } = source;
  const tooLarge = (): Error => failure(shown, `it is larger than ${limit / MEGABYTE} MB`);
  if (stats.size > limit) throw tooLarge();
  const pieces: string[] = [];
  let length = 0;
  for await (const piece of textOf(source)) {
    pieces.push(piece);
    length += piece.length;
    if (length > limit) throw tooLarge();
  }
  return pieces.join("");
}

const MEGABYTE = 1024 * 1024;

export async function* linesOf(source: Source, longest: number): AsyncGenerator<readonly string[]> {
  let rest = "";
  for await (const piece of textOf(source)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() as string;
    if (rest.length > longest) throw failure(source.shown, `a line is longer than ${longest} characters`);
    yield lines.map(withoutReturn);
  }
  if (rest !== "") yield [withoutReturn(rest)];
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
