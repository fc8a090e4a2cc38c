import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The tag of a content: its digest, in quotes. */
export const etagOf = (content: string | Uint8Array): string =>
  `"${createHash("sha256").update(content).digest("base64url")}"`;

/** Whether the client has what the tag stands for. */
export function isFresh({ headers }: IncomingMessage, etag: string): boolean {
  const given = headers["if-none-match"];
  return given !== undefined && (given.trim() === "*" || tagsIn(given).includes(etag));
}

/** Proxies that compress an answer make its tag a weak one. */
export const tagsIn = (header: string): readonly string[] =>
  header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
