import type { Range } from "../../ir.js";
import { trimRange } from "../text/white-space.js";

/** Offsets count in the cell's text. */
export interface TargetEntry extends Range {
  readonly name: string;
}

export interface TargetList {
  readonly entries: readonly TargetEntry[];
  readonly repeated: readonly TargetEntry[];
}

const NOTHING: TargetList = { entries: [], repeated: [] };

/** Reads one of the `next` columns: `|` and line ends part the names, empty ones are left out. Linear. */
export function parseTargets(text: string): TargetList {
  if (text === "") return NOTHING;
  if (!/[|\r\n]/.test(text)) return oneTarget(text);
  const entries: TargetEntry[] = [];
  const repeated: TargetEntry[] = [];
  const seen = new Set<string>();
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const character = text[i] ?? "|";
    if (character !== "|" && character !== "\n" && character !== "\r") continue;
    const range = trimRange(text, start, i);
    start = i + 1;
    if (range.start === range.end) continue;
    const entry = { ...range, name: text.slice(range.start, range.end) };
    (seen.has(entry.name) ? repeated : entries).push(entry);
    seen.add(entry.name);
  }
  return { entries, repeated };
}

function oneTarget(text: string): TargetList {
  const { start, end } = trimRange(text);
  return start === end
    ? NOTHING
    : { entries: [{ start, end, name: text.slice(start, end) }], repeated: NOTHING.entries };
}
