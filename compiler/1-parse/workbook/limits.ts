const MB = 1024 * 1024;

/** What a workbook may hold. `LIMITS` of a page count for each worksheet, too. */
export const BOOK_LIMITS = {
  fileBytes: 50 * MB,
  parts: 5000,
  partBytes: 50 * MB,
  /** A part that is larger than this may be so many times what it takes in the file: worksheets are 5 to 100 times. */
  plainBytes: 4 * MB,
  packing: 200,
  /** Elements within elements: workbooks have about 20. */
  depth: 200,
  /** Attributes of one element: workbooks have about 40. */
  attributes: 1000,
  /** Formats of cells: Excel knows 65,490. */
  styles: 100_000,
  /** Of all parts that are opened. */
  openedBytes: 100 * MB,
  worksheets: 100,
  merges: 10_000,
  /** The text of all pages together, in UTF-16 units. */
  pageText: 50 * MB,
  /** Cells with a value, of all worksheets. */
  cells: 4_000_000,
} as const;
