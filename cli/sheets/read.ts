import type { Understanding } from "../../compiler/compile.js";
import type { World } from "../../compiler/world.js";
import type { Folders } from "../../runtime/config/folders.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { readPieces } from "../../runtime/workflows/open-file.js";
import {
  contentOf,
  isOtherTable,
  type SheetContent,
  understandContent,
} from "../../runtime/workflows/read-sheet.js";
import { asSheet, openSheet } from "../../runtime/workflows/workbooks.js";
import { createSurroundings, type Surroundings, type WorldOptions } from "../../runtime/workflows/world.js";
import type { Context } from "../process/context.js";
import { optimizeLater } from "../process/optimizing.js";

/** Reads a sheet's file or standard input; throws when that cannot be done. */
export async function readContent(sheet: SheetPath, { stdin, note }: Context): Promise<SheetContent> {
  if (sheet.path !== null) return contentOf(openSheet(sheet.path), sheet);
  if (stdin.isTerminal()) note("reading the sheet from the terminal; Ctrl-D ends it");
  return contentOf(asSheet(await readPieces(stdin.chunks())), sheet);
}

/** Null for a table that is no sheet and that nobody named. */
export async function understandFile(
  sheet: SheetPath,
  world: World,
  context: Context,
): Promise<Understanding | null> {
  const content = await readContent(sheet, context);
  const { encoding } = context;
  if (content.kind === "bytes") optimizeLater(content.bytes);
  if (!sheet.named && content.kind === "bytes" && isOtherTable(content, encoding)) return null;
  return understandContent(content, { shown: sheet.shown, encoding, world });
}

type About = Pick<WorldOptions, "unknownAgent" | "failingAgents" | "prompt" | "files">;

/** What the sheets of a command are understood with. */
export const surroundingsOf = (
  { env, encoding }: Context,
  folders: Folders,
  sheets: readonly SheetPath[],
  about: About,
): Surroundings => createSurroundings({ folders, env, encoding, sheets, ...about });

/** Tables that are no sheets are skipped, with a note through `say`. */
export async function understandFiles(
  context: Context,
  folders: Folders,
  sheets: readonly SheetPath[],
  about: About,
  say: (text: string) => void = () => {},
): Promise<{ readonly understood: readonly Understanding[]; readonly library: Surroundings["library"] }> {
  const { worldOf, library } = surroundingsOf(context, folders, sheets, about);
  const understood: Understanding[] = [];
  for (const sheet of sheets) {
    const one = await understandFile(sheet, worldOf(sheet), context);
    if (one === null) say(passedOver(sheet));
    else understood.push(one);
  }
  return { understood, library };
}

export const passedOver = ({ shown }: SheetPath): string =>
  `passed over ${shown}: it has neither a graph_name nor a node_name column`;
