import { wideEncodingOf } from "../../../../compiler/1-parse/text/file-kind.js";
import type { WorldData } from "../../world-data.js";
import { pathOf } from "../address.js";

export interface Session {
  readonly mode: "local" | "served";
  readonly who: string;
  readonly can: readonly string[];
  /** Whether each edit is saved by itself, or all together when somebody has looked at them. */
  readonly save: "each" | "review";
  /** Which assignees the caller is one of; null: every one. */
  readonly asked_as: readonly string[] | null;
  readonly features: { readonly [F in "history" | "tests" | "debug" | "module"]: boolean };
}

export interface SheetSummary {
  readonly name: string;
  readonly etag: string;
  readonly graphs: readonly { readonly name: string; readonly nodes: number }[];
  readonly errors: number;
  readonly warnings: number;
  readonly writable: boolean;
  /** Why it cannot be written. */
  readonly reason: string | null;
}

/** A problem that the server answered with, in its words. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly string[];
  /** What is wrong with the request, each with its place in the body. */
  readonly errors: readonly Fault[];
  /** By which whoever runs the server finds it in the log. */
  readonly requestId: string;

  constructor({ status, code, title, details, errors, requestId }: Told) {
    super(title);
    this.status = status;
    this.code = code;
    this.details = details;
    this.errors = errors;
    this.requestId = requestId;
  }
}

export interface Fault {
  readonly pointer: string;
  readonly message: string;
}

interface Told {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly details: readonly string[];
  readonly errors: readonly Fault[];
  readonly requestId: string;
}

/** What went wrong, in sentences. */
export const wordsOf = (error: unknown): readonly string[] => {
  if (error instanceof Refusal) return error.details.length > 0 ? error.details : [error.message];
  return ["The server did not answer."];
};

interface Known {
  readonly path: string;
  readonly etag: string;
  readonly content: unknown;
}

type Headers = { readonly [name: string]: string };

/** The server was too busy to take the request, which nobody has read: it may be sent again. */
const NOT_TAKEN = 408;
const MOST_AGAIN = 5;
const AGAIN_MS = 1_000;

/** The server's routes, as the page asks them. Addresses are relative: there may be a base path. */
export class Requests {
  readonly #headers: Headers;
  /** The last answer of each kind: one sheet is open at a time. */
  readonly #known = new Map<"world" | "sheet", Known>();

  constructor(headers: Headers) {
    this.#headers = headers;
  }

  async ask(path: string, init: RequestInit & { readonly headers?: Headers } = {}): Promise<Response> {
    const send = (): Promise<Response> =>
      fetch(path, { ...init, headers: { ...this.#headers, ...init.headers } });
    let response = await send();
    for (let more = MOST_AGAIN; response.status === NOT_TAKEN && more > 0; more--) {
      await new Promise((again) => setTimeout(again, AGAIN_MS));
      response = await send();
    }
    if (!response.ok && response.status !== 304) throw await refusalOf(response);
    return response;
  }

  session = (): Promise<Session> => this.#json("api/session");
  sheets = (): Promise<readonly SheetSummary[]> => this.#json("api/sheets");
  world = async (): Promise<WorldData> =>
    (await this.#ifChanged("api/world", "world", (response) => response.json())).content as WorldData;

  async sheet(name: string): Promise<{ readonly text: string; readonly etag: string }> {
    const path = `api/sheets/${pathOf(name)}`;
    const { content, etag } = await this.#ifChanged(path, "sheet", async (response) =>
      decoded(new Uint8Array(await response.arrayBuffer())),
    );
    return { text: content as string, etag };
  }

  /** What was answered last is used again when the server says that it still holds. */
  async #ifChanged(
    path: string,
    kind: "world" | "sheet",
    read: (response: Response) => Promise<unknown>,
  ): Promise<Known> {
    const last = this.#known.get(kind);
    const known = last?.path === path ? last : null;
    const headers: Headers = known === null ? {} : { "If-None-Match": known.etag };
    const response = await this.ask(path, { headers });
    if (response.status === 304 && known !== null) return known;
    const next = { path, etag: response.headers.get("ETag") ?? "", content: await read(response) };
    this.#known.set(kind, next);
    return next;
  }

  async #json<T>(path: string): Promise<T> {
    const response = await this.ask(path);
    return (await response.json()) as T;
  }
}

/** Gives the token for a code that works once; null when it does no longer. */
export async function postCode(code: string): Promise<string | null> {
  const response = await fetch("api/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (!response.ok) return null;
  const { token } = (await response.json()) as { readonly token: string };
  return token;
}

/** The text of a sheet with its mark; Excel also writes UTF-16. */
function decoded(bytes: Uint8Array): string {
  const [a, b] = bytes;
  const wide = a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : null;
  return new TextDecoder(wide ?? wideEncodingOf(bytes) ?? "utf-8", { ignoreBOM: true }).decode(bytes);
}

interface Problem {
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly Fault[];
  readonly request_id?: string;
}

async function refusalOf(response: Response): Promise<Refusal> {
  const problem = (await response.json().catch(() => ({}))) as Problem;
  const {
    code = "",
    title = `The server answered ${response.status}`,
    detail,
    errors = [],
    request_id: requestId = "",
  } = problem;
  const said = detail === undefined ? [] : [detail];
  const details = errors.length > 0 ? errors.map(({ message }) => message) : said;
  return new Refusal({ status: response.status, code, title, details, errors, requestId });
}
