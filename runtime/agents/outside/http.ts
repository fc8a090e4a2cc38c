import { isObject } from "../../../compiler/types/field-type.js";
import type { AgentContext, Json, Settings } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import type { Web, WebAnswer, WebCall } from "../../graph/contract/services.js";
import { at, isMapping, text } from "../../graph/values/values.js";
import type { Inputs } from "../agent.js";
import { effectKey, timeFor } from "./effect-key.js";
import { serviceOf } from "./services.js";
import { fillAddress, fillIn } from "./template.js";

/** Calls a host outside over HTTP. Its result is the body of the answer, read as data. */
export async function http<R = unknown>(inputs: object, context: AgentContext): Promise<R> {
  const { next } = context.settings;
  if (typeof next === "string" && !onlyReads(context.settings))
    throw failure('the setting "next" is for calls that read: pages are asked for with GET or HEAD');
  const request = requestOf(inputs as Inputs, context);
  const web = await serviceOf(context, "web");
  const began = performance.now();
  const answer = await web.call(request);
  const value =
    typeof next === "string"
      ? await withFurtherPages({ web, first: request, began, next }, answer)
      : answer.value;
  return resultOf({ ...answer, value }, context.outputs) as R;
}

const failure = (message: string): AgentError => new AgentError("agent_failed", message);

/** In bytes, of all pages together. */
const LARGEST = 10_000_000;

type Request = WebCall & { readonly maxBytes: number; readonly timeoutMs: number };

function requestOf(inputs: Inputs, context: AgentContext): Request {
  const { settings, signal } = context;
  const { url, connection, expect, parse, max_bytes: maxBytes } = settings;
  if (typeof url !== "string") throw failure('there is no address: the setting "url" names it');
  const method = String(settings["method"] ?? "GET").toUpperCase();
  const { body, type } = bodyOf(method, inputs, context);
  const changes = method !== "GET" && method !== "HEAD";
  return {
    url: withQuery(fillAddress(url, inputs), settings["query"], inputs),
    method,
    headers: {
      ...(type === null ? {} : { "content-type": type }),
      ...headersOf(settings["headers"], inputs),
      ...(changes ? { "idempotency-key": effectKey(context) } : {}),
    },
    body: body ?? undefined,
    connection: typeof connection === "string" ? connection : undefined,
    expect: Array.isArray(expect) ? expect.map(Number) : undefined,
    parse: (parse ?? "auto") as WebCall["parse"],
    maxBytes: typeof maxBytes === "number" ? maxBytes : LARGEST,
    timeoutMs: timeFor(context),
    signal,
  };
}

function withQuery(url: string, query: Json | undefined, inputs: Inputs): string {
  if (!isMapping(query)) return url;
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one): [string, string][] => {
      const filled = filledIn(one as Json, inputs);
      return filled === "" ? [] : [[name, filled]];
    }),
  );
  const written = new URLSearchParams(pairs).toString();
  const [address = "", part] = url.split("#", 2);
  const joined = written === "" ? address : `${address}${address.includes("?") ? "&" : "?"}${written}`;
  return part === undefined ? joined : `${joined}#${part}`;
}

function headersOf(headers: Json | undefined, inputs: Inputs): { readonly [name: string]: string } {
  if (!isMapping(headers)) return {};
  const filled = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    filledIn(value as Json, inputs).trim(),
  ]);
  return Object.fromEntries(filled.filter(([, value]) => value !== ""));
}

const filledIn = (value: Json, inputs: Inputs): string =>
  typeof value === "string" ? fillIn(value, inputs) : text(value);

interface Body {
  readonly body: string | null;
  readonly type: string | null;
}

function bodyOf(method: string, inputs: Inputs, { settings, prompt }: AgentContext): Body {
  const hasNone = method === "GET" || method === "HEAD" || method === "DELETE";
  const kind = settings["body"] ?? (hasNone ? "none" : "json");
  if (kind === "none") return { body: null, type: null };
  if (kind === "text") return { body: prompt ?? "", type: "text/plain; charset=utf-8" };
  if (kind === "form") {
    const pairs = Object.entries(inputs).flatMap(([name, value]): [string, string][] =>
      value === undefined || value === null ? [] : [[name, text(value)]],
    );
    return { body: new URLSearchParams(pairs).toString(), type: "application/x-www-form-urlencoded" };
  }
  return { body: jsonOf(prompt, inputs), type: "application/json" };
}

function jsonOf(prompt: string | undefined, inputs: Inputs): string {
  if (prompt === undefined || prompt.trim() === "") return JSON.stringify(inputs);
  try {
    return JSON.stringify(JSON.parse(prompt));
  } catch {
    throw failure("the rendered prompt is to be the body, and is no JSON");
  }
}

/** The most pages that one visit reads. */
const MOST_PAGES = 100;

interface Paging {
  readonly web: Web;
  readonly first: Request;
  /** When the first page was asked for. */
  readonly began: number;
  readonly next: string;
}

/**
 * Joins the lists of all pages. Pages that are no lists become a list of themselves. The limits of one call hold for
 * all of them together.
 */
async function withFurtherPages({ web, first, began, next }: Paging, answer: WebAnswer): Promise<Json> {
  const pages = [answer.value];
  // A redirect may have led elsewhere: what is meant for the first host is sent to no other one.
  const { origin } = new URL(first.url, answer.url);
  const seen = new Set([answer.url]);
  let left = first.maxBytes - answer.bytes;
  for (let last = answer; ; left -= last.bytes) {
    const url = nextAddress(last, next);
    if (url === null) break;
    if (new URL(url).origin !== origin) throw failure(`the next page is not at ${new URL(origin).host}`);
    if (seen.has(url)) throw failure("the next page is one that was read before");
    if (pages.length >= MOST_PAGES) throw failure(`there are more than ${MOST_PAGES} pages`);
    seen.add(url);
    const timeoutMs = Math.ceil(first.timeoutMs - (performance.now() - began));
    if (left <= 0) throw failure(`the pages are larger than ${first.maxBytes} bytes together`);
    if (timeoutMs <= 0) throw failure(`the pages did not come within ${first.timeoutMs} ms`);
    last = await web.call({ ...first, url, maxBytes: left, timeoutMs });
    pages.push(last.value);
  }
  return pages.every(Array.isArray) ? pages.flat() : pages;
}

/** `link` is the header `Link`; everything else is a path in the body. Null at the last page. */
function nextAddress({ headers, value, url }: WebAnswer, next: string): string | null {
  const found = next === "link" ? linkIn(headers["link"] ?? "") : at(value, ...next.split("."));
  if (found === undefined || found === null || found === "") return null;
  if (typeof found === "string" && URL.canParse(found, url)) return new URL(found, url).href;
  throw failure("what should be the address of the next page is none");
}

function linkIn(header: string): string | null {
  const link = /<([^<>]*)>((?:\s*;\s*[\w-]+="?[^",;]*"?)*)/g;
  for (const [, address = "", rest = ""] of header.matchAll(link))
    if (/;\s*rel="?(?:[^",;]*\s)?next(?:\s[^",;]*)?"?/i.test(rest)) return address;
  return null;
}

/** Outputs named `$status` and `$headers.name` take these; all others take the body, or entries of it. */
function resultOf({ status, headers, value }: WebAnswer, outputs: AgentContext["outputs"]): unknown {
  const others = outputs.filter(({ key }) => !key.startsWith("$"));
  if (outputs.length === others.length && others.length < 2) return value;
  const entries = isMapping(value) ? value : {};
  const entryOf = ({ key, type }: (typeof outputs)[number]): unknown => {
    if (key === "$status") return status;
    if (key.startsWith("$headers.")) return headers[key.slice("$headers.".length).toLowerCase()];
    return Object.hasOwn(entries, key) && !isObject(type) ? entries[key] : value;
  };
  // Of several outputs for the body, one that it lacks is refused by the driver.
  const given = outputs.filter(
    (one) => one.key.startsWith("$") || others.length === 1 || Object.hasOwn(entries, one.key),
  );
  return Object.fromEntries(given.map((one) => [one.key, entryOf(one)]));
}

/** A call that only reads. */
export const onlyReads = ({ method }: Settings): boolean =>
  method === undefined || /^(?:get|head)$/i.test(String(method));
