import { AgentError } from "../graph/contract/errors.js";
import { failure } from "./failure.js";

const LONGEST = 1024;
const LONGEST_PART = 240;
/** Windows treats these names as devices, with any extension. */
const DEVICE =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)(?:\..*)?$/i;
/** Characters that some systems forbid, and invisible ones that disguise names. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"|?*\\]/u;

/** Throws for any path that could leave the folder. */
export function parseFileName(given: string, extension: string | null): readonly string[] {
  const name = given.trim();
  if (name === "") throw new AgentError("agent_failed", "no file is named");
  // Not truncated: redaction would miss a part of a secret.
  const shown = JSON.stringify(name);
  const parts = name.split("/");
  const problem = name.length > LONGEST ? "it is too long" : (problemOf(name) ?? firstProblem(parts));
  if (problem !== null) throw failure(shown, `that is no file of the data folder: ${problem}`);
  const last = parts[parts.length - 1] as string;
  if (extension === null || last.includes(".")) return parts;
  return [...parts.slice(0, -1), last + extension];
}

/** Applies to the target of symbolic links. */
export const isAllowed = (parts: readonly string[]): boolean => firstProblem(parts) === null;

function problemOf(name: string): string | null {
  if (name.startsWith("/")) return "the path must begin in the data folder, without a /";
  if (FORBIDDEN.test(name)) return 'it has a character that file names cannot have, such as \\ : * ? " < > |';
  return null;
}

function firstProblem(parts: readonly string[]): string | null {
  for (const part of parts) {
    if (part === "") return "a folder or a file has no name";
    if (part === "." || part === "..") return "the path must not have . or .. in it";
    if (part.startsWith(".")) return "hidden files are not for agents";
    if (part.startsWith("-")) return "a name must not begin with -";
    if (/[. ]$/.test(part)) return "a name must not end with a dot or a space";
    if (DEVICE.test(part)) return `${part} is the name of a device`;
    if (Buffer.byteLength(part) > LONGEST_PART) return "a name is too long";
  }
  return null;
}
