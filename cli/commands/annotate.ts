import { dirname, join, parse, resolve } from "node:path";
import { SHEET_WORDS } from "../../compiler/1-parse/header/column-names.js";
import { findFormat } from "../../compiler/1-parse/header/find-header.js";
import { decode } from "../../compiler/1-parse/text/encoding.js";
import { workbookOf } from "../../compiler/1-parse/text/file-kind.js";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import { countOf, totalsText } from "../../compiler/diagnostics/listing.js";
import { openFile } from "../../runtime/workflows/open-file.js";
import { annotatedBook } from "../annotate/annotated-book.js";
import { findingsIn } from "../annotate/findings.js";
import { newBook, rowsOf, worksheetName } from "../convert/new-book.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import { makeFolderOf } from "../output-file.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { writeNew } from "./convert.js";

interface Request {
  readonly out: string | null;
  readonly inPlace: boolean;
  readonly clear: boolean;
}

/** `flowsheet annotate`: a workbook with what is found in it as notes and colours, and with drop-downs. */
export async function annotate(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const request = { out: given.text("out"), inPlace: given.flag("inPlace"), clear: given.flag("clear") };
  if (operands.length === 0)
    throw new UsageError("annotate needs a file", "such as flowsheet annotate support.xlsx");
  if (request.out !== null && request.inPlace)
    throw new UsageError("--out and --in-place cannot be used together");
  for (const operand of operands) await annotateFile(context, operand, request);
  return EXIT.done;
}

async function annotateFile(context: Context, operand: string, request: Request): Promise<void> {
  const path = resolve(context.cwd, operand);
  const opened = openFile(path);
  if (opened.kind !== "bytes")
    throw new UsageError(
      `cannot open ${operand}: ${opened.kind === "failed" ? opened.why : "it is larger than 50 MB"}`,
    );
  const isText = workbookOf(opened.bytes) === null;
  if (isText && request.clear) throw new UsageError(`${operand} is no workbook`, "only a workbook has notes");
  const bytes = isText ? await bookOfText(context, operand, opened.bytes) : checked(operand, opened.bytes);
  const found = request.clear ? null : await findingsIn(context, openProject(context), operand);
  const annotated = annotatedBook(bytes, found?.annotations ?? []);
  const said = found === null ? "cleared" : (totalsText(countOf(found.diagnostics)) ?? "no problems");
  const target = targetOf(context, operand, path, request, isText);
  if (request.out !== null) makeFolderOf(target.shown, context);
  await writeNew(target.path, target.shown, annotated);
  context.tell("wrote:", `${target.shown}: ${said}`);
}

/** A workbook that can be read, and that notes can be written into. */
function checked(operand: string, bytes: Uint8Array): Uint8Array {
  const book = readWorkbook(bytes);
  if (book.kind === "bad") throw new UsageError(`cannot read ${operand}: ${book.why}`);
  if (book.format === "ods")
    throw new UsageError(
      `${operand} is an .ods file: notes, colours and lists are written into .xlsx and .xlsm alone`,
      "in LibreOffice, save it as an Excel workbook (.xlsx), and annotate that",
    );
  return bytes;
}

async function bookOfText({ encoding }: Context, operand: string, bytes: Uint8Array): Promise<Uint8Array> {
  const { text, fault } = decode(bytes, encoding ?? undefined);
  if (fault !== null)
    throw new UsageError(`${operand} is not UTF-8`, "name its encoding, such as --encoding windows-1252");
  const { delimiter, start } = findFormat(text, SHEET_WORDS);
  return newBook([{ name: worksheetName(operand), rows: rowsOf({ file: operand, text, delimiter, start }) }]);
}

/** `support.checked.xlsx` beside the file or in a folder, or the file itself. */
function targetOf(
  { cwd }: Context,
  operand: string,
  path: string,
  { out, inPlace }: Request,
  isText: boolean,
): { readonly path: string; readonly shown: string } {
  const { name, ext, dir } = parse(operand);
  const ending = isText ? ".xlsx" : ext;
  if (inPlace) {
    if (isText) throw new UsageError(`${operand} is no workbook`, "leave out --in-place");
    return { path, shown: operand };
  }
  const own = `${name.replace(/\.checked$/, "")}.checked${ending}`;
  if (out === null) return { path: join(dirname(path), own), shown: join(dir, own) };
  return { path: join(resolve(cwd, out), own), shown: join(out, own) };
}
