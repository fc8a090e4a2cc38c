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

/** The state that routes share. */
export interface Service {
  readonly catalogue: Catalogue;
  readonly project: Project;
  readonly runner: Runner;
  readonly slots: Slots;
  readonly sheetChecks: SheetChecks;
  /** The limit of open bodies. */
  readonly bodies: CallerLimit;
  readonly metrics: Metrics;
  /** Checks the preconditions of runs. */
  readonly readiness: () => Promise<Readiness>;
  readonly log: Logger;
  readonly version: string;
  /** The start time of the monotonic clock. */
  readonly began: number;
  readonly limits: ServiceLimits;
  /** The folder of static files; null for none. */
  readonly staticFolder: string | null;
  /** The prefix of all paths; may be empty. */
  readonly basePath: string;
  /** The folder of the pages' assets in the package. */
  readonly assets: string;
}

interface ServiceLimits {
  /** The largest body in bytes: of a request to run, and of a sheet to check. */
  readonly body: number;
  readonly sheet: number;
  /** The largest number of stored runs that wait. */
  readonly waiting: number;
  /** The longest time-out of a run that a request may set. */
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
/** The time limit of a sheet's check. */
const MAX_CHECK_MS = 10_000;
/** The limit of open bodies of one caller: a tenth of all connections. */
const MAX_BODIES = 1_000;
const MAX_RUN_MS = 60_000;
/** The number of requests that wait for a slot, and their time. More would only be refused later. */
const QUEUE = 64;
const PATIENCE_MS = 25;

export function createService(options: ServiceOptions): Service {
  const { project, configuration, loggers, env, encoding, agents, services } = options;
  const { server, execution } = configuration.settings;
  const log = loggers.of("flowsheet.run");
  const modules = createGeneratedModules(project, log);
  const runner = new Runner({
    // Paths are relative to here, so that answers do not name the folder.
    cwd: project.workflows,
    project,
    env,
    encoding,
    agents,
    log,
    graphAt: modules.known,
    ...(services === undefined ? {} : { services }),
  });
  // Counts the waiting runs now, so that the first request has the number.
  runner.waiting();
  const catalogue = createCatalogue({
    project,
    encoding,
    log,
    understand: (source) => runner.understand(source),
    modules,
  });
  const slots = createSlots({ most: execution.concurrency, queue: QUEUE, patienceMs: PATIENCE_MS });
  // The root of this package. Bundled files lie at other depths than sources.
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

/** The folder of static files. It must not contain the configuration, which holds keys. */
function staticFolderOf({ settings: { server }, root, file }: Configuration): string | null {
  if (server.static === null) return null;
  const folder = resolve(root, server.static);
  // Symbolic links are resolved: the target is what is served.
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
    // A missing folder may be created later.
    return path;
  }
}
