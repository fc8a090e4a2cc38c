import type { ColumnName, Delimiter } from "../ir.js";
import { columnNamed, REQUIRED } from "./column-names.js";
import { cellText, scanRecord, skipLineEnd } from "./scan.js";
import { isSkipped } from "./skipped-rows.js";

/** How a file is cut into records, and which of them is the header. */
export interface Format {
  readonly delimiter: Delimiter;
  readonly start: number;
  /** The first record that is not skipped; null when there is none. */
  readonly first: HeaderCandidate | null;
  /** The first record that names all required columns: it, or one of the next ten. */
  readonly header: HeaderCandidate | null;
}

export interface HeaderCandidate {
  readonly record: number;
  readonly offset: number;
  readonly cells: readonly string[];
  /** How many of the cells name a column. */
  readonly known: number;
}

const DELIMITERS: readonly Delimiter[] = [",", ";", "\t"];
const LOOK_BELOW = 10;

/** Finds delimiter and header. Reads the records up to the header for each delimiter. */
export function findFormat(text: string): Format {
  const given = /^sep=([,;\t])(?=[\r\n]|$)/i.exec(text);
  if (given === null) return DELIMITERS.map((delimiter) => tryDelimiter(text, 0, delimiter)).reduce(better);
  return tryDelimiter(text, skipLineEnd(text, given[0].length), given[1] as Delimiter);
}

/** The format that finds a header earlier; else whose first row names more columns, or has more cells. */
function better(a: Format, b: Format): Format {
  const earlier = (b.header?.offset ?? Infinity) - (a.header?.offset ?? Infinity);
  if (earlier !== 0 && !Number.isNaN(earlier)) return earlier < 0 ? b : a;
  const known = (b.header ?? b.first)?.known ?? 0;
  const most = (a.header ?? a.first)?.known ?? 0;
  if (known !== most) return known > most ? b : a;
  return (b.first?.cells.length ?? 0) > (a.first?.cells.length ?? 0) ? b : a;
}

function tryDelimiter(text: string, start: number, delimiter: Delimiter): Format {
  let first: HeaderCandidate | null = null;
  let record = 0;
  for (let at = start; at < text.length && record <= (first?.record ?? record) + LOOK_BELOW; record++) {
    const { cells: scanned, next } = scanRecord(text, at, delimiter);
    const cells = scanned.map((cell) => cellText(text, cell));
    if (!isSkipped(cells)) {
      const columns = columnsOf(cells);
      const candidate: HeaderCandidate = { record, offset: at, cells, known: columns.size };
      first ??= candidate;
      if (REQUIRED.every((column) => columns.has(column)))
        return { delimiter, start, first, header: candidate };
    }
    at = next;
  }
  return { delimiter, start, first, header: null };
}

function columnsOf(cells: readonly string[]): ReadonlySet<ColumnName> {
  const columns = new Set<ColumnName>();
  for (const cell of cells) {
    const column = cell.length > 100 ? null : columnNamed(cell);
    if (column !== null) columns.add(column);
  }
  return columns;
}
