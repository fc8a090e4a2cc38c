import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { wayInside } from "../../compiler/files/inside.js";
import { etagOf, tagsIn } from "../http/request/etag.js";
import { HttpProblem, type ProblemCode } from "../http/request/problem.js";
import type { RequestContext } from "../http/route.js";
import { mayUse } from "../http/workflow-access.js";
import { SheetRecords } from "./edits/records.js";
import { MOST_BYTES, readOnlyReason } from "./read-only.js";
import { type NamedSheet, shelfOf } from "./sheet-access.js";
import { writeSheet } from "./write-sheet.js";

export const WRITE_PROBLEMS = [
  "sheet_not_found",
  "sheet_read_only",
  "sheet_changed",
  "edit_invalid",
  "sheet_busy",
  "sheet_unwritable",
] as const satisfies readonly ProblemCode[];

export function mustBeWritable({ service: { studio } }: RequestContext): void {
  if (studio?.may === "edit") return;
  throw new HttpProblem("permission_denied", { detail: "Sheets are only read here: server.studio is read." });
}

/** `If-Match` names the text that the request means. */
export function checkCondition({ request }: RequestContext, before: Buffer | null): void {
  const wanted = request.headers["if-match"];
  if (wanted === undefined) return;
  const etag = before === null ? null : etagOf(before);
  const isSame = etag !== null && (wanted.trim() === "*" || tagsIn(wanted).includes(etag));
  if (!isSame) throw changed(etag);
}

export const changed = (etag: string | null): HttpProblem =>
  new HttpProblem("sheet_changed", {
    ...(etag === null ? {} : { headers: { ETag: etag } }),
    more: { etag },
  });

/** The text of a sheet that may be written, with its mark. */
export function textOf(path: string, bytes: Buffer): string {
  mayReplace(path, bytes);
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  if (!new SheetRecords(text).isSound) refuse(readOnlyReason(path, bytes, true));
  return text;
}

/** Refuses a sheet that is only read here; damaged quotes may be replaced. */
export const mayReplace = (path: string, bytes: Buffer): void => refuse(readOnlyReason(path, bytes, false));

function refuse(reason: string | null): void {
  if (reason !== null) throw new HttpProblem("sheet_read_only", { detail: reason });
}

/** Writes a sheet for the caller, who must be allowed to use all graphs that it then has. */
export function writing(
  context: RequestContext,
  { name, path }: NamedSheet,
  change: (before: Buffer | null) => Buffer | null,
): Promise<string> {
  const { service, principal } = context;
  return writeSheet({
    path,
    change: (before) => {
      const after = change(before);
      if (after !== null) checkContent(context, name, after);
      return after;
    },
    writes: (etag) => shelfOf(service).wrote(name, etag, principal.userId ?? principal.name),
  });
}

function checkContent({ graphs }: RequestContext, sheet: string, after: Buffer): void {
  if (after.length > MOST_BYTES)
    throw new HttpProblem("edit_invalid", { detail: "the sheet would be larger than 5 MB" });
  if (graphs === null) return;
  const records = new SheetRecords(after.toString());
  if (records.graphs().every((graph) => mayUse({ graphs }, { graph, sheet }))) return;
  throw new HttpProblem("permission_denied", {
    detail: "The sheet would have graphs that the key may not use.",
  });
}

/** No text of a cell is logged. */
export function noteWrite(
  { service, principal, id }: RequestContext,
  sheet: string,
  what: { readonly [name: string]: number | boolean },
): void {
  const by = principal.userId ?? principal.name;
  service.loggers.of("flowsheet.http").info("a sheet was written", { by, sheet, ...what, request_id: id });
}

/** The place of a new sheet; null for a name that none can have. */
export function placeFor({ service: { project } }: RequestContext, name: string): string | null {
  const parts = name.split("/");
  const isSound = parts.every((part) => /^[^\0-\x1f\\/:*?"<>|.][^\0-\x1f\\/:*?"<>|]*$/.test(part));
  if (!isSound || parts.includes("node_modules") || !/\.csv$/i.test(name) || /\.test\.csv$/i.test(name))
    return null;
  if (project.isFlat && parts.length > 1) return null;
  const path = join(project.workflows, ...parts);
  // A new project may have no folder yet: the write makes it.
  if (parts.length === 1 && !existsSync(project.workflows)) return path;
  return isFolderInside(project.workflows, dirname(path)) ? path : null;
}

/** No link leads out. */
function isFolderInside(root: string, folder: string): boolean {
  try {
    return wayInside(realpathSync(root), realpathSync(folder)) !== null;
  } catch {
    return false;
  }
}
