import { resolve } from "node:path";
import { cellName } from "../../../compiler/1-parse/text/places.js";
import { mentionsOf, type NameKey } from "../../../compiler/service/names.js";
import { testedSheet } from "../../../runtime/testing/open-tests.js";
import { isTestSheet } from "../../../runtime/workflows/find-sheets.js";
import { pathsBeside, type Seen, seenAt, seenOpen, worksheetsBeside } from "../around/seen.js";
import type { Asked } from "../requests.js";

/** The sheet that defines a name; null when it is not known or cannot be read. */
export function ownerOf(asked: Asked, name: NameKey, encoding: string | null): Seen | null {
  const { file, view, desk } = asked;
  if (name.file === view.file) return seenOpen(file, view);
  const path = ownerPath(asked, name);
  return path === null ? null : seenAt(desk, path, encoding);
}

function ownerPath({ file, desk }: Asked, name: NameKey): string | null {
  if (name.file === null || file.path === null) return null;
  return resolve(desk.worlds.projectOf(file).root, name.file);
}

/**
 * Every sheet in which a name may stand, the asked one first: the sheet that defines it, its test sheet, and the sheets
 * that may run its graphs, with theirs. Other sheets that do not hold the name's letters are not looked at.
 */
export function everywhere(asked: Asked, name: NameKey, encoding: string | null): readonly Seen[] {
  const { file, view, desk } = asked;
  const own = seenOpen(file, view);
  const from = ownerPath(asked, name) ?? sheetOf(file.path);
  if (from === null) return [own];
  const letters = lettersOf(name.name);
  const others = pathsBeside(desk, from).flatMap((path) => {
    if (path === file.path) return [];
    return seenAt(desk, path, encoding, path === from ? "" : letters) ?? [];
  });
  return [own, ...others];
}

/** The worksheets that say a name: an editor shows no workbook, so it cannot change them. */
export function inWorkbooks(
  { file, desk }: Asked,
  name: NameKey,
  encoding: string | null,
): readonly string[] {
  const from = sheetOf(file.path);
  if (from === null) return [];
  const letters = lettersOf(name.name);
  return worksheetsBeside(desk, from).flatMap((path) => {
    const seen = seenAt(desk, path, encoding, letters);
    const [first, ...others] = seen === null ? [] : mentionsOf(seen.view, name);
    if (seen === null || first === undefined) return [];
    const cell = cellName(first.at.column, first.at.record);
    return [`${seen.view.file} at ${cell}${others.length === 0 ? "" : ` and in ${others.length} more`}`];
  });
}

const sheetOf = (path: string | null): string | null =>
  path !== null && isTestSheet(path) ? testedSheet({ path, shown: path, named: true }).path : path;

/** What stands in a file as it is, however the name is quoted there. */
const lettersOf = (name: string): string =>
  (name.match(/[\p{L}\p{N}_-]+/gu) ?? []).reduce(
    (longest, one) => (one.length > longest.length ? one : longest),
    "",
  );
