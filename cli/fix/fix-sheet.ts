import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { type FixChoice, fixInRounds, SAFE_FIXES } from "../../compiler/service/fix-rounds.js";
import { readFileText } from "./file-text.js";

/** What is known of a sheet of workflows or of a test sheet; `sheet` is null for a file that is none. */
export interface Understood {
  readonly sheet: object | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** A sheet after its fixes. */
export interface FixedSheet<U> {
  readonly understanding: U;
  readonly before: string;
  readonly after: string;
  /** Null when nothing is to be written. */
  readonly bytes: Uint8Array | null;
  readonly applied: readonly Diagnostic[];
  /** The encoding that the file had, when it becomes UTF-8. */
  readonly converted: string | null;
}

interface FixRequest<U extends Understood> {
  readonly bytes: Uint8Array;
  readonly encoding: string | null;
  readonly understand: (bytes: Uint8Array) => U;
  readonly choice?: FixChoice;
  /** Diagnostics that come from elsewhere, such as the type check. */
  readonly found?: readonly Diagnostic[];
}

/** Applies the chosen fixes until there are none left; or says why the file cannot be rewritten. */
export function fixSheet<U extends Understood>(
  request: FixRequest<U>,
): FixedSheet<U> | { readonly refused: string } {
  const file = readFileText(request.bytes, request.encoding);
  if ("refused" in file) return file;
  const understand = (text: string): U => request.understand(file.encode(text));
  const { choice = SAFE_FIXES, found } = request;
  const fixed = fixInRounds(file.text, understand, choice, { ...(found && { found }) });
  const { text, applied } = fixed;
  const understanding = fixed.understanding();
  const unchanged = { before: file.text, after: file.text, bytes: null, applied: [], converted: null };
  // A file that is not a sheet keeps its encoding: it may be something else.
  if (file.converted !== null && understanding.sheet === null)
    return { ...unchanged, understanding: request.understand(request.bytes) };
  if (text === file.text && file.converted === null) return { ...unchanged, understanding };
  const changed = { before: file.text, after: text, bytes: file.encode(text), applied };
  return { ...changed, understanding, converted: file.converted };
}
