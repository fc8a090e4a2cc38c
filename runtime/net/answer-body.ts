import type { IncomingMessage } from "node:http";
import { type Duplex, pipeline, Writable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { NetworkError } from "./network-error.js";

const decoders: ReadonlyMap<string, () => Duplex> = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** What requests say that they take. */
export const ENCODINGS = "gzip, deflate, br";

interface Reading {
  /** Of the request. */
  readonly method: string;
  readonly host: string;
  readonly most: number;
}

/** The body of an answer, decompressed. It is given up as soon as it is larger than `most` bytes. */
export function readBody(answer: IncomingMessage, { method, host, most }: Reading): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const end = (error: NetworkError): void => {
      answer.destroy();
      reject(error);
    };
    const declared = Number(answer.headers["content-length"]);
    if (declared > most && hasBody(answer, method)) return end(tooLarge(host, most));
    const decoder = decoderOf(answer, method);
    if (decoder === null)
      return end(new NetworkError("bad-answer", `${host} answers in an unknown encoding`));
    const chunks: Buffer[] = [];
    const into = sink(chunks, () => tooLarge(host, most), most);
    const done = (error: unknown): void => {
      if (error === null || error === undefined) resolve(Buffer.concat(chunks));
      else end(error instanceof NetworkError ? error : brokenOff(host));
    };
    if (decoder === "none") pipeline(answer, into, done);
    else pipeline(answer, decoder, into, done);
  });
}

const brokenOff = (host: string): NetworkError =>
  new NetworkError("bad-answer", `the answer of ${host} broke off, or cannot be decompressed`);

/** Takes chunks until they are too many bytes. */
function sink(chunks: Buffer[], tooMany: () => Error, most: number): Writable {
  let size = 0;
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > most) return done(tooMany());
      chunks.push(chunk);
      done();
    },
  });
}

const tooLarge = (host: string, most: number): NetworkError =>
  new NetworkError("too-large", `the answer of ${host} is larger than ${most} bytes`);

/** An answer to HEAD, and one of these, says how its body would be, and has none. */
const hasBody = ({ statusCode }: IncomingMessage, method: string): boolean =>
  method !== "HEAD" && statusCode !== 204 && statusCode !== 304;

/** Null for an encoding that nobody asked for; several of them multiply what a small answer becomes. */
function decoderOf(answer: IncomingMessage, method: string): Duplex | "none" | null {
  const encoding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "" || !hasBody(answer, method)) return "none";
  return decoders.get(encoding)?.() ?? null;
}
