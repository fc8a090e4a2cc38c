import type { Route } from "../route.js";
import { execute } from "./execute.js";
import { createOpenApiRoute, docs, docsParts, favicon, home, redoc, redocParts } from "./pages.js";
import { listRuns, resumeRun, showRun } from "./runs.js";
import { staticFiles } from "./static.js";
import { health, metrics, ready } from "./status.js";
import { validateSheet } from "./validation.js";
import { listWorkflows, showWorkflow } from "./workflows.js";

/** All routes, in the order of the OpenAPI document. */
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
  home,
  docs,
  redoc,
  createOpenApiRoute(() => routes),
  favicon,
  metrics,
  docsParts,
  redocParts,
  staticFiles,
];
