import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SHEET_WORDS } from "../../compiler/1-parse/header/column-names.js";
import { findFormat } from "../../compiler/1-parse/header/find-header.js";
import { decode } from "../../compiler/1-parse/text/encoding.js";
import { preparedText } from "../../compiler/1-parse/workbook/book-page.js";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import type { Worksheet } from "../../compiler/1-parse/workbook/worksheet.js";
import { worksheetNamed } from "../../compiler/diagnostics/worksheet.js";
import { replaceFile } from "../../compiler/files/replace-file.js";
import { openFile, reasonOf } from "../../runtime/workflows/open-file.js";
import { sortedOut } from "../../runtime/workflows/workbooks.js";
import { newBook, rowsOf, worksheetName } from "../convert/new-book.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";

/** `flowsheet convert`: a sheet of text as a workbook, or a worksheet of a workbook as text. */
export async function convert(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const [from, to] = operands;
  if (from === undefined || to === undefined)
    throw new UsageError("convert needs two files", "such as flowsheet convert support.csv support.xlsx");
  const target = resolve(context.cwd, to);
  if (existsSync(target) && !given.flag("force"))
    throw new UsageError(`${to} is there already`, "choose another name, or replace it with --force");
  const made = await converted(context, from, to, given.text("sheet"));
  await writeNew(target, to, made);
  context.tell("wrote:", to);
  return EXIT.done;
}

export async function writeNew(path: string, shown: string, content: Uint8Array): Promise<void> {
  if (!existsSync(dirname(path))) throw new UsageError(`cannot write ${shown}: there is no such folder`);
  try {
    await replaceFile(path, content);
  } catch (error) {
    throw new UsageError(`cannot write ${shown}: ${reasonOf(error).why}`);
  }
}

const isBook = (name: string): boolean => /\.xlsx$/i.test(name);

async function converted(
  { cwd, encoding }: Context,
  from: string,
  to: string,
  sheet: string | null,
): Promise<Uint8Array> {
  const named = worksheetNamed(from);
  const file = named?.book ?? from;
  const opened = openFile(resolve(cwd, file));
  if (opened.kind === "failed") throw new UsageError(`cannot open ${file}: ${opened.why}`);
  if (opened.kind === "too-large") throw new UsageError(`${file} is larger than 50 MB`);
  const { bytes } = opened;
  if (isWorkbook(bytes)) {
    if (!/\.csv$/i.test(to)) throw new UsageError(`${from} becomes CSV`, "name a file such as support.csv");
    const worksheet = chosen(file, bytes, sheet ?? named?.worksheet ?? null);
    const text = preparedText(worksheet, SHEET_WORDS);
    if (text === null) throw new UsageError(`${from} is too large: its rows are more than 50 MB of text`);
    return Buffer.from(text);
  }
  if (!isBook(to)) throw new UsageError(`${from} becomes a workbook`, "name a file such as support.xlsx");
  if (sheet !== null) throw new UsageError(`${from} has no worksheets`, "leave out --sheet");
  const { text, fault } = decode(bytes, encoding ?? undefined);
  if (fault !== null)
    throw new UsageError(`${from} is not UTF-8`, "name its encoding, such as --encoding windows-1252");
  const { delimiter, start } = findFormat(text, SHEET_WORDS);
  return newBook([{ name: worksheetName(from), rows: rowsOf({ file: from, text, delimiter, start }) }]);
}

const isWorkbook = (bytes: Uint8Array): boolean =>
  [0x504b0304, 0xd0cf11e0].includes(
    bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0),
  );

/** The worksheet that is asked for, or the only one that holds graphs, or the only one. */
function chosen(file: string, bytes: Uint8Array, sheet: string | null): Worksheet {
  const book = readWorkbook(bytes);
  if (book.kind === "bad") throw new UsageError(`cannot read ${file}: ${book.why}`);
  const shown = book.worksheets.filter(({ hidden }) => !hidden);
  const { flows } = sortedOut(book);
  const names = (flows.length > 0 ? flows : shown.map(({ name }) => name)) as readonly string[];
  const list = shown.map(({ name }) => JSON.stringify(name)).join(", ");
  const wanted = sheet ?? (names.length === 1 ? names[0] : undefined);
  if (wanted === undefined)
    throw new UsageError(`${file} has several worksheets: ${list}`, "name one with --sheet");
  const found = shown.find(({ name }) => name === wanted) ?? shown.find(isNamed(wanted));
  if (found === undefined)
    throw new UsageError(`${file} has no worksheet ${JSON.stringify(wanted)}`, `it has ${list}`);
  if (found.excess !== null) throw new UsageError(`${file} is too large: ${found.excess.what}`);
  return found;
}

const isNamed =
  (wanted: string) =>
  ({ name }: Worksheet): boolean =>
    name.toLowerCase() === wanted.toLowerCase();
