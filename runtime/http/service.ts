import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve, sep } from "node:path";
import { StartRefusedError } from "../auth/live.js";
import type { Configuration } from "../config/configuration.js";
import type { Project } from "../config/folders.js";
import type { AnyAgent, Logger, Services } from "../graph/contract/contract.js";
import type { Environment } from "../host.js";
import type { Loggers } from "../log/loggers.js";
import { Runner } from "../runs/runner.js";
import { type Catalogue, createCatalogue } from "../workflows/catalogue.js";
import { createGeneratedModules } from "../workflows/generated-modules.js";
import { type CallerLimit, createCallerLimit, createSlots, type Slots } from "./concurrency.js";
import { createMetrics, type Metrics } from "./metrics.js";
import { createReadiness, type Readiness } from "./readiness.js";
import { createSheetChecks, type SheetChecks } from "./sheets/sheet-checks.js";

/** What the routes work with. */
export interface Service {
  readonly catalogue: Catalogue;
  readonly project: Project;
  readonly runner: Runner;
  readonly slots: Slots;
  readonly sheetChecks: SheetChecks;
  /** Bodies that are on their way. */
  readonly bodies: CallerLimit;
  readonly metrics: Metrics;
  /** Whether runs would find what they need. */
  readonly readiness: () => Promise<Readiness>;
  readonly log: Logger;
  readonly version: string;
  /** When the service began, by the clock that never jumps. */
  readonly began: number;
  readonly limits: ServiceLimits;
  /** The folder of static files; null without one. */
  readonly staticFolder: string | null;
  /** What stands before every path; empty when nothing does. */
  readonly basePath: string;
  /** Where the package keeps the pages' assets. */
  readonly assets: string;
}

interface ServiceLimits {
  /** Bytes of a body: of a request to run, and of a sheet to check. */
  readonly body: number;
  readonly sheet: number;
  /** So many runs may wait for answers. */
  readonly waiting: number;
  /** The longest time that a request may give a run. */
  readonly runMs: number;
}

export interface ServiceOptions {
  readonly project: Project;
  readonly configuration: Configuration;
  readonly loggers: Loggers;
  readonly env: Environment;
  readonly encoding: string | null;
  readonly agents: { readonly [name: string]: AnyAgent };
  readonly services?: Services | undefined;
}

const MAX_SHEET = 5 * 1024 * 1024;
/** So long a sheet that came in a request may be looked at. */
const MAX_CHECK_MS = 10_000;
/** So many bodies of one caller may be on their way: a tenth of all connections. */
const MAX_BODIES = 1_000;
const MAX_RUN_MS = 60_000;
/** So many requests wait for a slot, and so long: more would only wait to be refused. */
const QUEUE = 64;
const PATIENCE_MS = 25;

/** Makes what the routes work with. */
export function createService(options: ServiceOptions): Service {
  const { project, configuration, loggers, env, encoding, agents, services } = options;
  const { server, execution } = configuration.settings;
  const log = loggers.of("flowsheet.run");
  const modules = createGeneratedModules(project, log);
  const runner = new Runner({
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
  const catalogue = createCatalogue({
    project,
    encoding,
    log,
    understand: (source) => runner.understand(source),
    modules,
  });
  const slots = createSlots({ most: execution.concurrency, queue: QUEUE, patienceMs: PATIENCE_MS });
  // Where this package lies: its bundles do not know how deep they are in it.
  const require = createRequire(import.meta.url);
  const description = require.resolve("flowsheet/package.json");
  const { version } = require(description) as { readonly version: string };
  const dist = join(dirname(description), "dist");
  const program = join(dist, "runtime", "http", "sheets", "validation-worker.js");
  return {
    project,
    catalogue,
    runner,
    slots,
    bodies: createCallerLimit(MAX_BODIES),
    sheetChecks: createSheetChecks({ program, limitMs: MAX_CHECK_MS }),
    readiness: createReadiness({
      project,
      workflows: catalogue.list,
      isStopping: slots.isClosed,
      isLogging: loggers.isWriting,
      log,
    }),
    metrics: createMetrics(slots.busy, () => catalogue.list().length),
    log,
    version,
    began: performance.now(),
    limits: {
      body: server.body_limit,
      sheet: MAX_SHEET,
      waiting: execution.max_waiting,
      runMs: MAX_RUN_MS,
    },
    staticFolder: staticFolderOf(configuration),
    basePath: server.base_path,
    assets: join(dist, "assets"),
  };
}

/** The folder that is served as it is. Keys stand in the configuration, so that must not lie in it. */
function staticFolderOf({ settings: { server }, root, file }: Configuration): string | null {
  if (server.static === null) return null;
  const folder = resolve(root, server.static);
  // Links are followed: it is the folder behind them that is served.
  if (file !== null && isWithin(realPath(file), realPath(folder)))
    throw new StartRefusedError(
      `server.static (${server.static}) would serve the configuration too: name a folder that holds nothing but what is to be served`,
    );
  return folder;
}

const isWithin = (file: string, folder: string): boolean =>
  file.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // What is not there serves nothing, and may be named before it is made.
    return path;
  }
}
