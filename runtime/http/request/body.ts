import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { z } from "zod";
import { suggest } from "../../../compiler/diagnostics/suggest.js";
import { clip, quoted } from "../../../compiler/diagnostics/visible.js";
import { isReserved } from "../../graph/values/values.js";
import type { RequestContext } from "../route.js";
import { type BodyError, escaped, HttpProblem, inputInvalid } from "./problem.js";

const MAX_DEPTH = 64;
const MAX_KEYS = 10_000;

export async function readJson<S extends z.ZodObject>(
  context: RequestContext,
  schema: S,
): Promise<z.infer<S>> {
  mediaType(context.request, ["application/json"]);
  return checkBody(
    schema,
    parseJsonBody(await receiveBody(context, context.service.settings.server.body_limit)),
  );
}

/** False when the client sends none. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** The media type of a body. It must be one of `taken`. */
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

/** False for a charset other than UTF-8, in any spelling. */
const isUtf8 = (parameter: string): boolean =>
  !/charset/i.test(parameter) || /^\s*charset=(?:utf-8|"utf-8")\s*$/i.test(parameter);

/** Reads the bytes of a body, up to a limit. It counts against the caller's limit of open bodies. */
export const receiveBody = ({ service, request, caller }: RequestContext, limit: number): Promise<Buffer> =>
  service.bodies.use(caller, () => readBody(request, limit));

/** For compressed bodies, the unpacked size counts. */
async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (request.readableDidRead)
    throw new HttpProblem("internal", {
      detail: "the body was read before it came here: mount the router before express.json() and its like",
    });
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  return collect(decoded(request), limit);
}

function collect(body: Readable, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    let whole = false;
    const broken = (): void => {
      // Every body emits `close`, so the error is made only for incomplete ones.
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
    // A client that has closed needs no answer.
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

const unreadable = (detail: string): HttpProblem => new HttpProblem("body_invalid", { detail });

/** Parses a JSON body to an object. Nesting is checked first, since later steps use recursion. */
export function parseJsonBody(bytes: Buffer): object {
  if (isTooDeep(bytes)) throw unreadable(`the body lies more than ${MAX_DEPTH} levels deep`);
  const value = parse(bytes);
  if (Array.isArray(value)) throw inputInvalid([{ pointer: "", message: "the body must be an object" }]);
  if (typeof value !== "object" || value === null) throw unreadable("the body must be a JSON object");
  checkMembers(value, []);
  return value;
}

function parse(bytes: Buffer): unknown {
  let text: string | null = null;
  try {
    text = UTF8.decode(bytes);
    return JSON.parse(text);
  } catch {
    if (text === null) throw unreadable("the body is not UTF-8");
    throw unreadable(
      text.trim() === "" ? "the body is empty: a JSON object is needed" : "the body is not JSON",
    );
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts brackets outside of strings. Bytes suffice: no other UTF-8 character contains these values. */
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

/** Refuses names with a meaning in JavaScript, numbers beyond the range, and huge objects. */
function checkMembers(value: unknown, path: string[]): void {
  if (typeof value === "number" && !Number.isFinite(value)) throw wrongAt(path, "the number is too large");
  if (typeof value !== "object" || value === null) return;
  const entries = Object.entries(value);
  if (!Array.isArray(value) && entries.length > MAX_KEYS)
    throw wrongAt(path, `an object may have ${MAX_KEYS} entries here`);
  for (const [name, member] of entries) {
    path.push(name);
    if (isReserved(name)) throw wrongAt(path, "this name is reserved");
    checkMembers(member, path);
    path.pop();
  }
}

/** The pointer is built only for errors. */
const wrongAt = (path: readonly string[], message: string): HttpProblem =>
  inputInvalid([{ pointer: path.map((name) => `/${escaped(clip(name, 64))}`).join(""), message }]);

/** Checks a body against a schema. Throws with the place of each error. */
export function checkBody<S extends z.ZodObject>(schema: S, body: object): z.infer<S> {
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  const known = Object.keys(schema.shape);
  const [first, ...others] = checked.error.issues.flatMap((issue) => errorsOf(issue, known));
  throw inputInvalid([first ?? { pointer: "", message: "the body is not as it must be" }, ...others]);
}

/** `known` are the names at the top level, for suggestions. */
function errorsOf(issue: z.core.$ZodIssue, known: readonly string[]): readonly BodyError[] {
  const pointer = issue.path.map((part) => `/${escaped(String(part))}`).join("");
  if (issue.code !== "unrecognized_keys") return [{ pointer, message: messageOf(issue) }];
  return issue.keys.map((key) => {
    const near = pointer === "" ? suggest(key, known) : null;
    const help = near === null ? "" : `; did you mean "${near}"?`;
    return { pointer, message: `there is no ${quoted(key)} here${help}` };
  });
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type")
    return `must be ${issue.expected === "record" ? "an object" : `of type ${issue.expected}`}`;
  if (issue.code === "too_small") return `must be ${issue.minimum} or more`;
  return "is not of the right type";
}
