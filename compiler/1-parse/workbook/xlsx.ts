import { BOOK_LIMITS } from "./limits.js";
import { Budget } from "./page-cells.js";
import { bad, tooLarge } from "./refusal.js";
import { readSharedTexts } from "./shared-texts.js";
import { readStyles } from "./styles.js";
import type { Worksheet } from "./worksheet.js";
import { type CellWorld, readCells } from "./xlsx-cells.js";
import { readXml } from "./xml.js";
import type { Unpacker } from "./zip.js";

interface Relationship {
  readonly id: string;
  /** The last word of its type, such as `worksheet`. */
  readonly kind: string;
  readonly target: string;
}

interface Listed {
  readonly name: string;
  readonly relationship: string;
  readonly hidden: boolean;
}

/** Reads the worksheets that are to be seen. Parts that no relationship names are not opened. */
export function readXlsx(unpacker: Unpacker): readonly Worksheet[] {
  const main = mainPart(unpacker);
  if (main === null) throw bad("it is a ZIP archive, and no workbook");
  if (main.endsWith(".bin")) throw bad("it is a binary workbook (.xlsb): save it as .xlsx");
  const { listed, is1904 } = readBook(main, open(unpacker, main));
  const related = relationshipsOf(unpacker, main);
  const partOf = (kind: string): string | null => related.find((one) => one.kind === kind)?.target ?? null;
  const texts = partOf("sharedStrings");
  const styles = partOf("styles");
  const targets = new Map(related.map((one) => [one.id, one]));
  const shown = listed.filter(({ hidden }) => !hidden).map(({ relationship }) => targets.get(relationship));
  unpacker.checkSizes([texts ?? "", styles ?? "", ...shown.map((one) => one?.target ?? "")]);
  const world: CellWorld = {
    texts: texts === null ? [] : readSharedTexts(texts, open(unpacker, texts)),
    kinds: styles === null ? [] : readStyles(styles, open(unpacker, styles)),
    is1904,
    budget: new Budget(),
  };
  return listed.flatMap(({ name, relationship, hidden }) => {
    const found = targets.get(relationship);
    if (found === undefined) throw bad(`its worksheet ${JSON.stringify(name)} is missing`);
    if (found.kind !== "worksheet") return [];
    const part = found.target;
    return [
      { name, part, hidden, ...(hidden ? UNREAD : readCells({ name, part }, open(unpacker, part), world)) },
    ];
  });
}

const UNREAD = { page: "", formulas: new Map(), valueless: [], merges: [], excess: null };

function open(unpacker: Unpacker, part: string): Uint8Array {
  const bytes = unpacker.open(part);
  if (bytes === null) throw bad(`its part ${JSON.stringify(part)} is missing`);
  return bytes;
}

/** The part that lists the worksheets. */
export const mainPart = (unpacker: Unpacker): string | null =>
  relationshipsOf(unpacker, "").find(({ kind }) => kind === "officeDocument")?.target ?? null;

/** What a part is related to, within the archive. */
export function relationshipsOf(unpacker: Pick<Unpacker, "open">, part: string): readonly Relationship[] {
  const slash = part.lastIndexOf("/") + 1;
  const folder = part.slice(0, slash);
  const path = `${folder}_rels/${part.slice(slash)}.rels`;
  const bytes = unpacker.open(path);
  const found: Relationship[] = [];
  if (bytes === null) return found;
  readXml(path, bytes, {
    open: ({ name, attribute }) => {
      if (name !== "Relationship" || attribute("TargetMode") === "External") return;
      const kind = (attribute("Type") ?? "").replace(/^.*\//, "");
      found.push({ id: attribute("Id") ?? "", kind, target: resolved(folder, attribute("Target") ?? "") });
    },
    close: () => {},
    text: () => {},
  });
  return found;
}

/** A path within the archive. What climbs out of it leads to no part. */
function resolved(folder: string, target: string): string {
  const path = target.startsWith("/") ? target.slice(1) : folder + target;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function readBook(part: string, bytes: Uint8Array): { listed: readonly Listed[]; is1904: boolean } {
  const listed: Listed[] = [];
  let is1904 = false;
  readXml(part, bytes, {
    open: ({ name, attribute }) => {
      if (name === "workbookPr") is1904 = /^(?:1|true|on)$/.test(attribute("date1904") ?? "");
      if (name !== "sheet") return;
      if (listed.length === BOOK_LIMITS.worksheets)
        throw tooLarge("it has more than 100 worksheets", "100 worksheets");
      const state = attribute("state") ?? "visible";
      const relationship = attribute("id") ?? "";
      listed.push({ name: attribute("name") ?? "", relationship, hidden: state !== "visible" });
    },
    close: () => {},
    text: () => {},
  });
  if (listed.length === 0) throw bad("it holds no worksheet");
  return { listed, is1904 };
}
