/** A place in a text: line and column count from 1, the column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

const BLOCK = 1024;
const LF = 10;
const CR = 13;

/**
 * Maps an offset to its line and column. LF, CRLF and CR each end a line. One pass notes the line at each block of
 * the text. A question then reads one block at most, even in very long lines.
 */
export function createLineIndex(text: string): (offset: number) => Position {
  const blocks = Math.floor(text.length / BLOCK) + 1;
  const numbers = new Uint32Array(blocks);
  const starts = new Uint32Array(blocks);
  let walked: Walked = { number: 1, start: 0 };
  for (let block = 0; block < blocks; block++) {
    numbers[block] = walked.number;
    starts[block] = walked.start;
    walked = walkLines(text, walked, { from: block * BLOCK, to: (block + 1) * BLOCK });
  }
  return (offset) => {
    const at = Math.min(offset, text.length);
    const block = Math.floor(at / BLOCK);
    const known = { number: numbers[block] ?? 1, start: starts[block] ?? 0 };
    const { number, start } = walkLines(text, known, { from: block * BLOCK, to: at });
    return { line: number, column: at - start + 1 };
  };
}

interface Walked {
  readonly number: number;
  readonly start: number;
}

/** The line that `to` stands on, when `known` is the one at `from`. The two characters of a CRLF stand on one line. */
function walkLines(text: string, known: Walked, { from, to }: { from: number; to: number }): Walked {
  let { number, start } = known;
  const end = Math.min(to, text.length);
  for (let i = from; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === LF || (code === CR && text.charCodeAt(i + 1) !== LF)) {
      number++;
      start = i + 1;
    }
  }
  return { number, start };
}
