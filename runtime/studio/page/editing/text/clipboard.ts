/** A block of cells as text that spreadsheets take and give: tabs, and quotes where a cell needs them. */
export const writeBlock = (block: readonly (readonly string[])[]): string =>
  block.map((row) => row.map(written).join("\t")).join("\r\n");

const written = (cell: string): string => (/["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The cells of a text from a spreadsheet. A quote counts only where a cell begins with it. */
export function readBlock(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (let at = 0; at <= text.length; ) {
    const { cell, end } = text[at] === '"' ? quoted(text, at) : plain(text, at);
    rows.at(-1)?.push(cell);
    const isRowEnd = text[end] === "\n" || text[end] === "\r";
    at = text.startsWith("\r\n", end) ? end + 2 : end + 1;
    // The end of the last line begins no row.
    if (isRowEnd && at < text.length) rows.push([]);
    else if (isRowEnd) break;
  }
  return rows;
}

function plain(text: string, start: number): { readonly cell: string; readonly end: number } {
  let end = start;
  while (end < text.length && !/[\t\r\n]/.test(text[end] as string)) end++;
  return { cell: text.slice(start, end), end };
}

/** A quote that closes nowhere, or not at a cell's end, is text. */
function quoted(text: string, start: number): { readonly cell: string; readonly end: number } {
  let cell = "";
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== '"') cell += text[at];
    else if (text[at + 1] === '"') cell += text[at++];
    else if (at + 1 === text.length || /[\t\r\n]/.test(text[at + 1] as string)) return { cell, end: at + 1 };
    else break;
  }
  return plain(text, start);
}
