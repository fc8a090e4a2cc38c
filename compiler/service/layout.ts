import { columnNamed, SHEET_WORDS, settingNamed } from "../1-parse/header/column-names.js";
import { findFormat } from "../1-parse/header/find-header.js";
import { entryNamed, type PartedColumn, TEST_WORDS } from "../1-parse/test-sheet.js";
import { indexOf } from "../1-parse/text/page.js";
import { cellText } from "../1-parse/text/scan.js";
import { trimText } from "../1-parse/text/white-space.js";
import type { HeaderMeaning, Page, TestColumn } from "../ir.js";
import type { View } from "./document.js";

/** What the cells of a column hold. */
export type Meaning =
  | HeaderMeaning
  | { readonly kind: "test"; readonly name: TestColumn }
  /** One entry of a column, such as `given.amount`. */
  | { readonly kind: "entry"; readonly of: PartedColumn; readonly key: string };

/** How a text is cut into cells, and what its columns mean; also while it is no sheet yet. */
export interface Layout {
  readonly page: Page;
  readonly headerRecord: number;
  readonly meanings: readonly Meaning[];
}

/** Null for files that are no sheets. */
export function layoutOf(view: View): Layout | null {
  const { sheet, tests } = view;
  if (sheet !== null)
    return {
      page: sheet,
      headerRecord: sheet.headerRecord,
      meanings: sheet.header.map((cell) => cell.meaning),
    };
  if (view.kind === "other") return null;
  const page = tests ?? pageOf(view);
  const format = findFormat<string>(page.text, view.kind === "tests" ? TEST_WORDS : SHEET_WORDS);
  const headerRecord = (format.header ?? format.first)?.record ?? 0;
  const cells = indexOf(page).recordAt(headerRecord)?.cells ?? [];
  const named = view.kind === "tests" ? testMeaning : meaning;
  return { page, headerRecord, meanings: cells.map((cell) => named(trimText(cellText(page.text, cell)))) };
}

function pageOf({ file, text, kind }: View): Page {
  const { delimiter, start } = findFormat<string>(text, kind === "tests" ? TEST_WORDS : SHEET_WORDS);
  return { file, text, delimiter, start };
}

function meaning(text: string): Meaning {
  const name = columnNamed(text);
  if (name !== null) return { kind: "column", name };
  const setting = settingNamed(text);
  if (setting !== null) return { kind: "setting", name: setting.name };
  return { kind: text === "" || text.startsWith("#") ? "private" : "unknown" };
}

function testMeaning(text: string): Meaning {
  const name = TEST_WORDS.named(text);
  if (name !== null) return { kind: "test", name };
  const entry = entryNamed(text);
  if (entry !== null) return { kind: "entry", of: entry.name, key: entry.key };
  return { kind: text === "" || text.startsWith("#") ? "private" : "unknown" };
}

export const columnOf = ({ meanings }: Layout, name: string): number =>
  meanings.findIndex((one) => (one.kind === "column" || one.kind === "test") && one.name === name);
