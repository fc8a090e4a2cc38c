import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The id that the client gave, when it is a plain one; else a new one. A key in the wrong header is no id. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^(?!.*(?:fsk_|eyJ))[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}
