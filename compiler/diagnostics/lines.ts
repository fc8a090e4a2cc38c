import type { Range } from "../ir.js";
import type { Sources } from "./listing.js";

/** A place in a text: line and column count from 1, the column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface LineIndex {
  /** An offset past the end counts as the end. */
  readonly positionOf: (offset: number) => Position;
  /** The line of a number, without its line break; null past the last line. */
  readonly lineAt: (number: number) => Range | null;
}

const BLOCK = 1024;
const LF = 10;
const CR = 13;

/**
 * Maps offsets to lines and back. LF, CRLF and CR each end a line. One pass notes the line at each block of the text.
 * A question then reads one block at most to find where a line begins, even in very long lines.
 */
export function createLineIndex(text: string): LineIndex {
  const blocks = Math.floor(text.length / BLOCK) + 1;
  const numbers = new Uint32Array(blocks);
  const starts = new Uint32Array(blocks);
  let walked: Walked = { number: 1, start: 0 };
  for (let block = 0; block < blocks; block++) {
    numbers[block] = walked.number;
    starts[block] = walked.start;
    walked = walkLines(text, walked, { from: block * BLOCK, to: (block + 1) * BLOCK });
  }
  const from = (block: number, to: number, last?: number): Walked => {
    const known = { number: numbers[block] as number, start: starts[block] as number };
    return walkLines(text, known, { from: block * BLOCK, to }, last);
  };
  let last = { at: 0, number: 1, start: 0 };
  /** Questions mostly come in the order of the text: the walk goes on where the last one has ended. */
  const lineOf = (at: number): Walked => {
    const block = Math.floor(at / BLOCK);
    const isAhead = last.at <= at && last.at >= block * BLOCK;
    const walked = isAhead ? walkLines(text, last, { from: last.at, to: at }) : from(block, at);
    last = { ...walked, at };
    return walked;
  };
  return {
    positionOf: (offset) => {
      const at = Math.min(offset, text.length);
      const { number, start } = lineOf(at);
      return { line: number, column: at - start + 1 };
    },
    lineAt: (wanted) => {
      let block = 0;
      for (let high = blocks - 1; block < high; ) {
        const middle = (block + high + 1) >> 1;
        if ((numbers[middle] as number) < wanted) block = middle;
        else high = middle - 1;
      }
      const { number, start } = from(block, text.length, wanted);
      return number === wanted ? { start, end: lineEnd(text, start) } : null;
    },
  };
}

interface Walked {
  readonly number: number;
  readonly start: number;
}

/** The line breaks between two offsets. */
export const breaksIn = (text: string, range: { from: number; to: number }): number =>
  walkLines(text, { number: 0, start: 0 }, range).number;

/** Goes from the line `known` to the one at `to`, or to the line `last`. A CRLF stands on one line. */
function walkLines(
  text: string,
  known: Walked,
  { from, to }: { from: number; to: number },
  last = Infinity,
): Walked {
  let { number, start } = known;
  const end = Math.min(to, text.length);
  for (let i = from; i < end && number < last; i++) {
    const code = text.charCodeAt(i);
    if (code === LF || (code === CR && text.charCodeAt(i + 1) !== LF)) {
      number++;
      start = i + 1;
    }
  }
  return { number, start };
}

function lineEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && text.charCodeAt(end) !== LF && text.charCodeAt(end) !== CR) end++;
  return end;
}

/** The lines of each file, found when they are first asked for. */
export function indexLines(sources: Sources): (file: string) => LineIndex {
  const known = new Map<string, LineIndex>();
  return (file) => {
    const index = known.get(file) ?? createLineIndex(sources.get(file) ?? "");
    known.set(file, index);
    return index;
  };
}
