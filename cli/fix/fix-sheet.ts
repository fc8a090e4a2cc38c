import { type Understanding, understandSheet } from "../../compiler/compile.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import type { World } from "../../compiler/world.js";
import { applyFixes } from "./apply.js";
import { type FileText, readFileText } from "./file-text.js";

/** A sheet after its fixes; `bytes` are null when nothing is to be written. */
export type FixedSheet = Exclude<ReturnType<typeof fixSheet>, { readonly refused: string }>;

interface FixRequest {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly encoding: string | null;
  readonly world: World;
  /** Diagnostics that come from elsewhere, such as the type check. */
  readonly found?: readonly Diagnostic[];
}

/** A fix may make another one possible. The limit ends fixes that undo each other. */
const MAX_ROUNDS = 20;

/** Applies safe fixes until there are none left; or says why the file cannot be rewritten. */
export function fixSheet(request: FixRequest) {
  const file = readFileText(request.bytes, request.encoding);
  if ("refused" in file) return file;
  const applied: Diagnostic[] = [];
  let text = file.text;
  let understanding = understandText(request, file, text);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const others = round === 0 ? (request.found ?? []) : [];
    const next = applyFixes(text, [...understanding.diagnostics, ...others]);
    if (next.applied.length === 0 || next.text === text) break;
    applied.push(...next.applied);
    text = next.text;
    understanding = understandText(request, file, text);
  }
  const unchanged = { before: file.text, after: file.text, bytes: null, applied: [], converted: null };
  // A file that is not a sheet keeps its encoding: it may be something else.
  if (file.converted !== null && understanding.sheet === null) {
    return {
      ...unchanged,
      understanding: understandSheet({ file: request.file, bytes: request.bytes }, request.world),
    };
  }
  if (text === file.text && file.converted === null) return { ...unchanged, understanding };
  return {
    understanding,
    before: file.text,
    after: text,
    bytes: file.encode(text),
    applied,
    converted: file.converted,
  };
}

function understandText({ file, world }: FixRequest, { encode }: FileText, text: string): Understanding {
  return understandSheet({ file, bytes: encode(text) }, world);
}
