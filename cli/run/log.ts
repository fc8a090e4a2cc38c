import type { Logger } from "../../runtime/graph/contract/contract.js";
import { messageOf } from "../../runtime/graph/contract/errors.js";
import type { Context } from "../process/context.js";

/** Where agents write notes: on stderr, the lesser ones for those who ask for more. */
export function createLog({ detail, note, fail }: Context): Logger {
  const to =
    (say: (text: string) => void) =>
    (message: string, details?: unknown): void =>
      say(details === undefined ? String(message) : `${message} ${detailsText(details)}`);
  return { debug: to(detail), info: to(detail), warn: to(note), error: to((text) => fail(text)) };
}

function detailsText(details: unknown): string {
  if (details instanceof Error) return messageOf(details);
  try {
    return JSON.stringify(details) ?? String(details);
  } catch {
    return "(details that cannot be shown)";
  }
}
