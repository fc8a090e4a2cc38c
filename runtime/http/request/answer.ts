import type { ServerResponse } from "node:http";
import { describeProblem, type HttpProblem } from "./problem.js";

export type Answer =
  | {
      readonly kind: "text";
      readonly status: number;
      readonly type: string;
      readonly text: string | Buffer;
      readonly headers?: Headers;
    }
  /** The route writes the answer itself, with the common headers. The promise resolves at its end. */
  | {
      readonly kind: "stream";
      /** Resolves at the end of the run, which then frees its slot; null when there is no run. */
      readonly until: Promise<unknown> | null;
      readonly write: (response: ServerResponse, headers: Headers) => Promise<void>;
    };

export interface Headers {
  readonly [name: string]: string;
}

export const json = (body: object, status = 200, headers: Headers = {}): Answer => ({
  kind: "text",
  status,
  type: "application/json",
  text: JSON.stringify(body),
  headers,
});

export const text = (type: string, content: string | Buffer, headers: Headers = {}): Answer => ({
  kind: "text",
  status: 200,
  type,
  text: content,
  headers,
});

/** The client has it already. Such an answer tells no length. */
export const notModified = (more: Headers): Answer => ({
  kind: "stream",
  until: null,
  write: async (response, headers) => {
    response.writeHead(304, { ...headers, ...more });
    response.end();
  },
});

/** Writes an answer with a whole body. HEAD gets no body. */
export function send(response: ServerResponse, { status, type, body, headers }: Sending): void {
  // One `writeHead` with all headers takes half the time of single `setHeader` calls.
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, "Content-Type": type, "Content-Length": length });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

interface Sending {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers: Headers;
}

export function sendProblem(
  response: ServerResponse,
  problem: HttpProblem,
  { path, id, headers }: { readonly path: string; readonly id: string; readonly headers: Headers },
): void {
  const body = JSON.stringify(describeProblem(problem, { path, id }));
  const all = { ...problem.options.headers, ...headers };
  send(response, { status: problem.status, type: "application/problem+json", body, headers: all });
}
