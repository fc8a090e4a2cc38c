import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { Project } from "../config/folders.js";
import type { AnyAgent, Logger, Services } from "../graph/contract/contract.js";
import type { Environment } from "../host.js";
import { createRunner } from "../runs/runner.js";
import { createCatalogue } from "../workflows/catalogue.js";
import { createGeneratedModules } from "../workflows/generated-modules.js";
import { createMetrics } from "./metrics.js";
import { createReadiness } from "./readiness.js";
import type { Service } from "./service.js";
import { createShares } from "./shares.js";
import { createSheetChecks } from "./sheets/sheet-checks.js";
import { createSlots } from "./slots.js";

/** What the configuration says of the server, with defaults for all that it does not say. */
export interface ServerSettings {
  readonly basePath: string;
  /** Absolute; null without one. */
  readonly staticFolder: string | null;
  /** Bytes of the body of a request to run. */
  readonly bodyLimit: number;
  /** Runs at the same time. */
  readonly concurrency: number;
  /** Runs that wait for answers. */
  readonly maxWaiting: number;
}

export interface ServiceOptions {
  readonly project: Project;
  readonly settings: ServerSettings;
  readonly env: Environment;
  readonly encoding?: string | null;
  readonly agents?: { readonly [name: string]: AnyAgent };
  readonly services?: Services;
  readonly log: Logger;
  /** Whether the log file, if there is one, can be written. */
  readonly isLogging: () => boolean;
}

const MAX_SHEET = 5 * 1024 * 1024;
/** So long a sheet that came in a request may be looked at. */
const MAX_CHECK_MS = 10_000;
/** So many bodies of one caller may be on their way: a tenth of all connections. */
const MAX_RECEIVING = 1_000;
const MAX_RUN_MS = 60_000;
/** So many requests wait for a place, and so long: more would only wait to be refused. */
const QUEUE = 64;
const PATIENCE_MS = 25;

/** Makes what the routes work with. */
export function createService(options: ServiceOptions): Service {
  const { project, settings, env, encoding = null, agents = {}, services, log } = options;
  const modules = createGeneratedModules({ folders: project, log });
  const runner = createRunner({
    // Sheets are named from here: no answer tells where the folder is.
    cwd: project.workflows,
    project,
    env,
    encoding,
    agents,
    log,
    graphAt: modules.known,
    ...(services === undefined ? {} : { services }),
  });
  // The first look at how many runs wait, so that the first request knows it.
  runner.waiting();
  const catalogue = createCatalogue({ project, encoding, log, understand: runner.understand, modules });
  const slots = createSlots({ places: settings.concurrency, queue: QUEUE, patienceMs: PATIENCE_MS });
  const root = packageRoot();
  const programs = join(root.folder, "dist", "runtime", "http", "sheets");
  return {
    project,
    catalogue,
    runner,
    slots,
    receiving: createShares(MAX_RECEIVING),
    sheetChecks: createSheetChecks({
      program: join(programs, "validation-worker.js"),
      limitMs: MAX_CHECK_MS,
    }),
    readiness: createReadiness({
      project,
      workflows: catalogue.list,
      isStopping: slots.isClosed,
      isLogging: options.isLogging,
      log,
    }),
    metrics: createMetrics(slots.busy, () => catalogue.list().length),
    log,
    version: root.version,
    began: performance.now(),
    limits: { body: settings.bodyLimit, sheet: MAX_SHEET, waiting: settings.maxWaiting, runMs: MAX_RUN_MS },
    staticFolder: settings.staticFolder,
    basePath: settings.basePath,
    assets: join(root.folder, "dist", "assets"),
  };
}

interface PackageRoot {
  readonly folder: string;
  readonly version: string;
}

/** Where this package lies: its bundles do not know how deep they are in it. */
function packageRoot(): PackageRoot {
  const require = createRequire(import.meta.url);
  const file = require.resolve("flowsheet/package.json");
  const { version } = require(file) as { readonly version: string };
  return { folder: resolve(dirname(file)), version };
}
