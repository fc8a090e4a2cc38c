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
  /** Somebody writes it himself, and is done when the promise is. */
  | { readonly kind: "stream"; readonly write: (response: ServerResponse) => Promise<void> };

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
export function send(response: ServerResponse, { status, type, body, headers = {} }: Sending): void {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  response.writeHead(status, { ...headers, "Content-Type": type, "Content-Length": bytes.length });
  response.end(response.req.method === "HEAD" ? undefined : bytes);
}

interface Sending {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Headers;
}
