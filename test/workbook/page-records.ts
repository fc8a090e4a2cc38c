import { parse } from "csv-parse/sync";

/** The records of a page, empty ones included. */
export const readRecordsOf = (page: string): readonly (readonly string[])[] =>
  parse(page, { relax_column_count: true, record_delimiter: "\n", skip_empty_lines: false });
