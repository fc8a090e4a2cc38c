import { columnNamed, REQUIRED, SHEET_WORDS } from "../../compiler/1-parse/header/column-names.js";
import { findFormat } from "../../compiler/1-parse/header/find-header.js";
import { decode } from "../../compiler/1-parse/text/encoding.js";

/**
 * Whether a .csv file is a table of something else: neither required column heads it, and no row below looks
 * like a header.
 */
export function isOtherTable(bytes: Uint8Array, encoding: string | null): boolean {
  const { text } = decode(bytes, encoding ?? undefined);
  const { first, header } = findFormat(text, SHEET_WORDS);
  if (header !== null) return false;
  const columns = (first?.cells ?? []).map(columnNamed);
  return !REQUIRED.some((required) => columns.includes(required));
}
