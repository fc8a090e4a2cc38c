import { type Workbook as Kind, workbookOf } from "../text/file-kind.js";
import { readOds } from "./ods/read-ods.js";
import { Refusal } from "./refusal.js";
import type { Workbook, Worksheet } from "./worksheet.js";
import { readXlsx } from "./xlsx.js";
import { openArchive, Unpacker } from "./zip.js";

/** Reads a workbook. Never throws, whatever the bytes are. */
export function readWorkbook(bytes: Uint8Array): Workbook {
  if (workbookOf(bytes) === "xls")
    return { kind: "bad", code: "bad-workbook", why: whatOldIs(bytes), limit: "", at: null };
  try {
    const unpacker = new Unpacker(openArchive(bytes));
    const format = formatOf(unpacker, workbookOf(bytes));
    const worksheets = format === "ods" ? readOds(unpacker) : readXlsx(unpacker);
    checkNames(worksheets);
    return { kind: "workbook", format, worksheets };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: "bad", code: error.code, why: error.message, limit: error.limit, at: error.at };
  }
}

/** A new workbook with a password stands in the same container as an old one: the names of its parts tell them apart. */
function whatOldIs(bytes: Uint8Array): string {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const holds = (name: string): boolean => whole.includes(name, 0, "utf16le");
  if (holds("EncryptedPackage")) return "it has a password: save it as .xlsx without a password";
  if (holds("Workbook") || holds("Book"))
    return "it is a workbook of an older Excel (.xls): save it as .xlsx";
  if (holds("WordDocument")) return "it is a document of Word, and no workbook";
  return "it is a workbook of an older Excel, or has a password: save it as .xlsx without a password";
}

function formatOf({ archive }: Unpacker, kind: Kind | null): "xlsx" | "ods" {
  return kind === "ods" || (archive.parts.has("content.xml") && !archive.parts.has("_rels/.rels"))
    ? "ods"
    : "xlsx";
}

function checkNames(worksheets: readonly Worksheet[]): void {
  const names = new Set(worksheets.map(({ name }) => name.toLowerCase()));
  if (names.size < worksheets.length)
    throw new Refusal("bad-workbook", "two of its worksheets have the same name");
}
