import { relative } from "node:path";
import { StartRefusedError } from "../../runtime/auth/live.js";
import { UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";

/** The error for a person whom the configuration keeps from starting a server; other errors stay as they are. */
export function startRefused(error: unknown, what: string, cwd: string): unknown {
  if (!(error instanceof StartRefusedError)) return error;
  const [first] = error.findings;
  const shown = (file: string): string => relative(cwd, file) || file;
  const at = first?.place == null ? "" : `${shown(first.file)}:${first.place.line}: `;
  return new UsageError(
    `${what} does not start: ${at}${error.message}`,
    first?.place == null ? null : `flowsheet validate --config ${shown(first.file)} shows all of it`,
  );
}

export function portOf(given: Given): number | undefined {
  const text = given.text("port");
  if (text === null) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port takes a whole number from 0 to 65535, not ${JSON.stringify(text)}`);
}

export function toldToStop({ events }: Context): Promise<"interrupted" | "terminated"> {
  return new Promise((resolve) => {
    events.onInterrupt(() => resolve("interrupted"));
    events.onTerminate(() => resolve("terminated"));
  });
}
