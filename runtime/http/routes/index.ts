import type { Route } from "../route.js";
import { execute } from "./execute.js";
import { health } from "./health.js";
import { metrics } from "./metrics.js";
import { docs, docsAssets, favicon, home, openApi, redoc, redocAssets } from "./pages.js";
import { ready } from "./ready.js";
import { listRuns, resumeRun, showRun } from "./runs.js";
import { staticFiles } from "./static.js";
import { validateSheet } from "./validation.js";
import { listWorkflows, showWorkflow } from "./workflows.js";

/** All that the service answers. */
export const routes: readonly Route[] = [
  execute,
  listRuns,
  showRun,
  resumeRun,
  listWorkflows,
  showWorkflow,
  validateSheet,
  health,
  ready,
  metrics,
  home,
  favicon,
  openApi,
  docs,
  docsAssets,
  redoc,
  redocAssets,
  staticFiles,
];
