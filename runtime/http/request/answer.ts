import type { ServerResponse } from "node:http";

/** What a route answers. */
export type Answer =
  | { readonly kind: "json"; readonly status: number; readonly body: object }
  | {
      readonly kind: "text";
      readonly status: number;
      readonly type: string;
      readonly text: string | Buffer;
      readonly headers?: Headers;
    }
  /** Somebody writes it himself, with the headers that every answer has, and is done when the promise is. */
  | {
      readonly kind: "stream";
      /** The end of the run that it tells of, which needs its place no longer; null when there is none. */
      readonly until: Promise<unknown> | null;
      readonly write: (response: ServerResponse, headers: Headers) => Promise<void>;
    };

export interface Headers {
  readonly [name: string]: string;
}

export const json = (body: object, status = 200): Answer => ({ kind: "json", status, body });

export const text = (type: string, content: string | Buffer, headers: Headers = {}): Answer => ({
  kind: "text",
  status: 200,
  type,
  text: content,
  headers,
});

/** Writes a whole body; a request for the head alone gets the head alone. */
export function send(response: ServerResponse, { status, type, body, headers }: Sending): void {
  // One `writeHead` with all headers takes half the time of a `setHeader` for each.
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
