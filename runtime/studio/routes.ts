import type { Route } from "../http/route.js";
import { editSheet } from "./edit-sheet.js";
import { events } from "./events/events.js";
import { page, pageFile, withoutSlash } from "./page-files.js";
import { replaceSheet } from "./replace-sheet.js";
import { openSession, session } from "./session.js";
import { sheetText } from "./sheet-text.js";
import { listSheets } from "./sheets.js";
import { world } from "./world.js";

/** The routes of the Studio, in the order of the OpenAPI document. */
export const studioRoutes: readonly Route[] = [
  withoutSlash,
  page,
  session,
  openSession,
  listSheets,
  sheetText,
  editSheet,
  replaceSheet,
  world,
  events,
  pageFile,
];
