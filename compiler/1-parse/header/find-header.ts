import type { ColumnName, Delimiter } from "../../ir.js";
import { cellText, scanRecord, skipLineEnd } from "../text/scan.js";
import { isSkipped } from "../text/skipped-rows.js";

export interface Vocabulary<C extends string> {
  readonly named: (header: string) => C | null;
  readonly required: readonly C[];
  /** These columns in words, with a verb. */
  readonly wanted: string;
}

/** The delimiter that cuts a file into records, and the header among them. */
export interface Format<C extends string = ColumnName> {
  readonly delimiter: Delimiter;
  readonly start: number;
  /** The first record that is not skipped; null when there is none. */
  readonly first: HeaderCandidate | null;
  /** The first record that names all required columns: it, or one of the next ten. */
  readonly header: HeaderCandidate | null;
  readonly vocabulary: Vocabulary<C>;
}

export interface HeaderCandidate {
  readonly record: number;
  readonly offset: number;
  readonly cells: readonly string[];
  /** The number of cells that name a column. */
  readonly known: number;
}

const DELIMITERS: readonly Delimiter[] = [",", ";", "\t"];
const LOOK_BELOW = 10;
/** The byte order mark, which the text of an editor may still hold. */
const MARK = "\ufeff";

/** Finds delimiter and header. Reads the records up to the header for each delimiter, or for the one that is known. */
export function findFormat<C extends string>(
  text: string,
  vocabulary: Vocabulary<C>,
  delimiter: Delimiter | null = null,
): Format<C> {
  if (delimiter !== null) return tryDelimiter(text, { start: 0, delimiter, vocabulary });
  const begin = text.startsWith(MARK) ? MARK.length : 0;
  const given = /^\ufeff?sep=([,;\t])(?=[\r\n]|$)/i.exec(text);
  const attempt = (start: number, delimiter: Delimiter): Format<C> =>
    tryDelimiter(text, { start, delimiter, vocabulary });
  if (given === null) return DELIMITERS.map((delimiter) => attempt(begin, delimiter)).reduce(better);
  return attempt(skipLineEnd(text, given[0].length), given[1] as Delimiter);
}

/** The format that finds a header earlier wins; else the one whose first row names more columns or has more cells. */
function better<C extends string>(a: Format<C>, b: Format<C>): Format<C> {
  const earlier = (b.header?.offset ?? Infinity) - (a.header?.offset ?? Infinity);
  if (earlier !== 0 && !Number.isNaN(earlier)) return earlier < 0 ? b : a;
  const known = (b.header ?? b.first)?.known ?? 0;
  const most = (a.header ?? a.first)?.known ?? 0;
  if (known !== most) return known > most ? b : a;
  return (b.first?.cells.length ?? 0) > (a.first?.cells.length ?? 0) ? b : a;
}

function tryDelimiter<C extends string>(
  text: string,
  attempt: Pick<Format<C>, "start" | "delimiter" | "vocabulary">,
): Format<C> {
  const { start, delimiter, vocabulary } = attempt;
  let first: HeaderCandidate | null = null;
  let record = 0;
  for (let at = start; at < text.length && record <= (first?.record ?? record) + LOOK_BELOW; record++) {
    const { cells: scanned, next } = scanRecord(text, at, delimiter);
    const cells = scanned.map((cell) => cellText(text, cell));
    if (!isSkipped(cells)) {
      const columns = columnsOf(cells, vocabulary);
      const candidate: HeaderCandidate = { record, offset: at, cells, known: columns.size };
      first ??= candidate;
      if (vocabulary.required.every((column) => columns.has(column)))
        return { ...attempt, first, header: candidate };
    }
    at = next;
  }
  return { ...attempt, first, header: null };
}

function columnsOf<C extends string>(cells: readonly string[], { named }: Vocabulary<C>): ReadonlySet<C> {
  const columns = new Set<C>();
  for (const cell of cells) {
    const column = cell.length > 100 ? null : named(cell);
    if (column !== null) columns.add(column);
  }
  return columns;
}
