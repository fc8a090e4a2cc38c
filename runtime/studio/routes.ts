import type { Route } from "../http/route.js";
import { debugCommands } from "./debug/debug-commands.js";
import { debugEvents } from "./debug/debug-events.js";
import { startDebug } from "./debug/start-debug.js";
import { editSheet } from "./edit-sheet.js";
import { events } from "./events/events.js";
import { compileSheet } from "./modules/compile-sheet.js";
import { moduleText } from "./modules/module-text.js";
import { page, pageFile, withoutSlash } from "./page-files.js";
import { replaceSheet } from "./replace-sheet.js";
import { openSession, session } from "./session.js";
import { sheetText } from "./sheet-text.js";
import { listSheets } from "./sheets.js";
import { keepCase } from "./tests/keep-case.js";
import { listTests } from "./tests/list-tests.js";
import { renameTests } from "./tests/rename-tests.js";
import { runTests } from "./tests/run-tests.js";
import { world } from "./world.js";

/** The routes of the Studio, in the order of the OpenAPI document. */
export const studioRoutes: readonly Route[] = [
  withoutSlash,
  page,
  session,
  openSession,
  listSheets,
  moduleText,
  compileSheet,
  sheetText,
  editSheet,
  replaceSheet,
  world,
  listTests,
  runTests,
  keepCase,
  renameTests,
  startDebug,
  debugEvents,
  debugCommands,
  events,
  pageFile,
];
