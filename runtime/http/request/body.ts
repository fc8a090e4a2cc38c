import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Call } from "./call.js";
import { HttpProblem, inputInvalid } from "./problem.js";

/** How deep lists and objects of a body may lie in each other. */
const MAX_DEPTH = 64;
/** Entries that one object of a body may have. */
const MAX_KEYS = 10_000;
const RESERVED: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

/** The media type of a body, which must be one of those that a route takes. */
export function mediaType(request: IncomingMessage, taken: readonly string[]): string {
  const [type = "", ...parameters] = (request.headers["content-type"] ?? "").split(";");
  const name = type.trim().toLowerCase();
  if (taken.includes(name) && parameters.every(isUtf8)) return name;
  throw new HttpProblem("media_type_unsupported", {
    detail: `send it as ${taken.join(" or ")} in UTF-8`,
    headers: { "Accept-Post": taken.join(", ") },
    close: true,
  });
}

/** A parameter that says of the encoding anything but UTF-8, however it is written, is not taken. */
const isUtf8 = (parameter: string): boolean =>
  !/charset/i.test(parameter) || /^\s*charset=(?:utf-8|"utf-8")\s*$/i.test(parameter);

/** Reads the body of a request to run, as a part of what its caller may have on the way. */
export const receive = ({ service, request, caller }: Call): Promise<Buffer> =>
  service.receiving.use(caller, () => readBody(request, service.limits.body));

/** Reads a body's bytes, up to a limit; what was compressed is limited by what it becomes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (request.readableDidRead)
    throw new HttpProblem("internal", {
      detail: "the body was read before it came here: mount the router before express.json() and its like",
    });
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limit) throw tooLarge(limit);
  return collect(decoded(request), limit);
}

function collect(body: Readable, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    let whole = false;
    const broken = (): void => {
      // Every body closes: an error with its stack is made only for one that nobody has got.
      if (!whole)
        reject(new HttpProblem("body_invalid", { detail: "the body did not arrive whole", close: true }));
    };
    body.on("data", (part: Buffer) => {
      size += part.length;
      if (size <= limit) parts.push(part);
      else {
        body.pause();
        reject(tooLarge(limit));
      }
    });
    body.on("end", () => {
      whole = true;
      resolve(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts));
    });
    body.on("error", broken);
    // One whose client has gone ends without a word.
    body.on("close", broken);
  });
}

const tooLarge = (limit: number): HttpProblem =>
  new HttpProblem("body_too_large", { detail: `a body may have ${limit} bytes here`, close: true });

function decoded(request: IncomingMessage): Readable {
  const encoding = (request.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return request;
  const decoder = DECODERS.get(encoding)?.();
  if (decoder === undefined)
    throw new HttpProblem("media_type_unsupported", {
      detail: "compress a body with gzip, deflate or br, or not at all",
      headers: { "Accept-Encoding": "gzip, deflate, br" },
      close: true,
    });
  request.on("error", (error) => decoder.destroy(error));
  request.on("aborted", () => decoder.destroy(new Error("aborted")));
  return request.pipe(decoder);
}

const DECODERS = new Map([
  ["gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** The text of a body, which must be UTF-8. */
function bodyText(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new HttpProblem("body_invalid", { detail: "the body is not UTF-8" });
  }
}

/** A JSON body as an object. Its depth is looked at before it is parsed: what lies too deep breaks others later. */
export function parseJsonBody(bytes: Buffer): object {
  if (isTooDeep(bytes))
    throw new HttpProblem("body_invalid", { detail: `the body lies more than ${MAX_DEPTH} levels deep` });
  const text = bodyText(bytes);
  const value = parse(text);
  if (Array.isArray(value)) throw inputInvalid([{ pointer: "", message: "the body must be an object" }]);
  if (typeof value !== "object" || value === null)
    throw new HttpProblem("body_invalid", { detail: "the body must be a JSON object" });
  checkMembers(value, []);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpProblem("body_invalid", {
      detail: text.trim() === "" ? "the body is empty: a JSON object is needed" : "the body is not JSON",
    });
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts brackets outside of texts: bytes are enough, as no other character of UTF-8 has their values. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
    } else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return false;
}

/** Refuses names that mean something else to JavaScript, numbers that are none, and objects without measure. */
function checkMembers(value: unknown, path: string[]): void {
  if (typeof value === "number" && !Number.isFinite(value)) throw wrongAt(path, "the number is too large");
  if (typeof value !== "object" || value === null) return;
  const entries = Object.entries(value);
  if (!Array.isArray(value) && entries.length > MAX_KEYS)
    throw wrongAt(path, `an object may have ${MAX_KEYS} entries here`);
  for (const [name, member] of entries) {
    path.push(name);
    if (RESERVED.has(name)) throw wrongAt(path, "this name is reserved");
    checkMembers(member, path);
    path.pop();
  }
}

/** Pointers are written only for what is wrong. */
const wrongAt = (path: readonly string[], message: string): HttpProblem =>
  inputInvalid([{ pointer: path.map((name) => `/${shortened(escaped(name))}`).join(""), message }]);

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
const shortened = (name: string): string => (name.length > 64 ? `${name.slice(0, 63)}…` : name);
