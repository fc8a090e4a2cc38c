/** A line of a text by offsets, without its line break. */
export interface Line {
  readonly start: number;
  readonly end: number;
}

/** The lines with these numbers (from 1). LF, CRLF and CR end a line. Cost: one pass up to the last line. */
export function findLines(text: string, wanted: Iterable<number>): ReadonlyMap<number, Line> {
  const numbers = ascending(wanted);
  const found = new Map<number, Line>();
  let next = 0;
  walkLines(text, (line, number) => {
    if (number === numbers[next]) {
      found.set(number, line);
      next++;
    }
    return next < numbers.length;
  });
  return found;
}

/** A place in a text. Both count from 1, the column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Line and column of each offset; past the end counts as the end. Cost: one pass up to the last offset. */
export function findPositions(text: string, offsets: Iterable<number>): ReadonlyMap<number, Position> {
  const sorted = ascending(offsets);
  const found = new Map<number, Position>();
  let next = 0;
  let last = { start: 0, number: 1 };
  walkLines(text, ({ start }, number, nextStart) => {
    last = { start, number };
    for (; next < sorted.length; next++) {
      const offset = sorted[next] ?? 0;
      if (offset >= nextStart) break;
      found.set(offset, { line: number, column: Math.max(0, offset - start) + 1 });
    }
    return next < sorted.length;
  });
  for (const offset of sorted.slice(next)) {
    found.set(offset, { line: last.number, column: text.length - last.start + 1 });
  }
  return found;
}

const ascending = (numbers: Iterable<number>): readonly number[] =>
  [...new Set(numbers)].sort((a, b) => a - b);

/** Calls `visit` for each line until it returns false. */
function walkLines(text: string, visit: (line: Line, number: number, nextStart: number) => boolean): void {
  let lf = -1;
  let cr = -1;
  let start = 0;
  for (let number = 1; ; number++) {
    // Remembers the next line break of each kind, so that the text is searched only once for each.
    if (lf < start) lf = indexOrEnd(text, "\n", start);
    if (cr < start) cr = indexOrEnd(text, "\r", start);
    const end = Math.min(lf, cr);
    const nextStart = end + (cr + 1 === lf && lf < text.length ? 2 : 1);
    if (!visit({ start, end }, number, nextStart) || end === text.length) return;
    start = nextStart;
  }
}

function indexOrEnd(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from);
  return index === -1 ? text.length : index;
}
