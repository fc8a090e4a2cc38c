import type { Route } from "../route.js";
import { cancelRun, forkRun, retryRun } from "./change-run.js";
import { execute } from "./execute.js";
import { hooks } from "./hooks.js";
import { listRuns } from "./list-runs.js";
import { createOpenApiRoute, docs, docsParts, favicon, home, redoc, redocParts } from "./pages.js";
import { resumeRun } from "./resume-run.js";
import { runEvents } from "./run-events.js";
import { showRun } from "./show-run.js";
import { staticFiles } from "./static.js";
import { health, metrics, ready } from "./status.js";
import { validateSheet } from "./validation.js";
import { listWorkflows, showWorkflow } from "./workflows.js";

/** All routes, in the order of the OpenAPI document. */
export const routes: readonly Route[] = [
  execute,
  hooks,
  listRuns,
  showRun,
  runEvents,
  resumeRun,
  cancelRun,
  retryRun,
  forkRun,
  listWorkflows,
  showWorkflow,
  validateSheet,
  health,
  ready,
  home,
  docs,
  redoc,
  createOpenApiRoute({
    always: () => routes,
    studio: async () => (await import("../../studio/routes.js")).studioRoutes,
  }),
  favicon,
  metrics,
  docsParts,
  redocParts,
  staticFiles,
];
