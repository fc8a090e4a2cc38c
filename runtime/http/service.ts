import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { wayInside } from "../../compiler/files/inside.js";
import type { Authenticator } from "../auth/authenticator.js";
import { createLiveAuthenticator, StartRefusedError, usable } from "../auth/live.js";
import { createLocalAuthenticator, type LocalSecret } from "../auth/local.js";
import { isLoopbackBind } from "../auth/network.js";
import { type Configuration, loadConfiguration } from "../config/configuration.js";
import { withEnvFile } from "../config/environment.js";
import { type Project, readProject } from "../config/folders.js";
import type { AnyAgent, Services } from "../graph/contract/contract.js";
import type { Environment } from "../host.js";
import { once } from "../lazy.js";
import { createLoggers, type LoggersOptions } from "../log/loggers.js";
import { sdkLack } from "../mcp/sdk.js";
import type { ProjectGraphs } from "../runs/project-graphs.js";
import { createRedactor } from "../runs/redact.js";
import { Runner } from "../runs/runner.js";
import type { Workshop } from "../studio/workshop.js";
import { createCatalogue } from "../workflows/catalogue.js";
import { createGeneratedModules } from "../workflows/generated-modules.js";
import { createCallerLimit, createSlots } from "./concurrency.js";
import { checkHooks, createHookOwners } from "./hooks/served-hooks.js";
import { createMetrics } from "./metrics.js";
import { createRateLimiter } from "./rate-limit.js";
import { createReadiness } from "./readiness.js";
import { createCors } from "./request/cors.js";
import { tryLater } from "./request/problem.js";
import type { Site } from "./request/same-site.js";
import { createSheetChecks } from "./sheets/sheet-checks.js";

export interface ServeOptions {
  readonly cwd: string;
  /** The configuration file; null to look for flowsheet.yaml upwards. */
  readonly config: string | null;
  readonly env: Environment;
  readonly encoding?: string | null | undefined;
  /** Agents by name, in addition to those of the agents folder. */
  readonly agents?: { readonly [name: string]: AnyAgent } | undefined;
  readonly services?: Services | undefined;
  /** False: other processes work on the runs that are kept. */
  readonly works?: boolean | undefined;
  /** Takes log lines for people. */
  readonly console: (line: string) => void;
  /** The address to listen on; by default that of the configuration. Null when another server listens. */
  readonly bindHost?: string | null | undefined;
  /** Its sheets are taken, without its subfolders, in place of those of the workflows folder. */
  readonly folder?: string | null | undefined;
  /** Makes it the Studio of one machine, which only its token opens. */
  readonly local?: LocalStudio | undefined;
}

export interface LocalStudio {
  readonly secret: LocalSecret;
  /** Who works here. */
  readonly user: string;
  /** The folder whose sheets are shown, without its subfolders, in place of the workflows folder. */
  readonly folder: string | null;
  /** What needs the whole compiler; without it modules are neither shown nor written. */
  readonly workshop?: Workshop;
}

const MAX_CHECK_MS = 10_000;
/** The limit of open bodies of one caller: a tenth of all connections. */
const MAX_BODIES = 1_000;
const MANY_BODIES = tryLater("overloaded", 1, "too many requests of this caller are still on their way");
/** Streams of one caller that follow a run. Each looks into the store several times a second. */
const MAX_STREAMS = 100;
const MANY_STREAMS = tryLater(
  "rate_limited",
  5,
  `${MAX_STREAMS} event streams of this caller are open, which is as many as may: close one first`,
);
/** The number of requests that wait for a slot, and their time. More would only be refused later. */
const QUEUE = 64;
const PATIENCE_MS = 25;
const LOADING_MS = 10_000;

/** The state that routes share. */
export type Service = ReturnType<typeof createService>;

/** Reads the configuration and makes the service. Throws when it must not start. */
export function createService(options: ServeOptions) {
  const { cwd, config: named, env, encoding = null, agents = {}, services, local } = options;
  const project = projectOf(options);
  const checked = loadConfiguration({ cwd, named, env });
  const configuration = usable(checked);
  const { settings } = configuration;
  const { rate_limit: rate, cors: origins } = settings.server;
  const { bindHost = settings.server.host } = options;
  if (settings.server.mcp.enabled) checkSdk(project.root);
  const redact = createRedactor(env, project);
  const loggers = createLoggers({ ...logSettings(configuration), console: options.console, redact });
  const authLog = loggers.of("flowsheet.auth");
  const studio = studioOf(configuration, bindHost, local);
  const variables = once(() => withEnvFile(env, project.root));
  const authenticator: Authenticator =
    local === undefined
      ? createLiveAuthenticator({ cwd, named, env, bindHost, log: authLog, checked })
      : createLocalAuthenticator({ ...local, log: authLog });
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
    modules,
    isServer: true,
    told: (end) => metrics.ran(end),
    ...(services === undefined ? {} : { services }),
  });
  const understand: ProjectGraphs["understand"] = (source) => runner.graphs.understand(source);
  const catalogue = createCatalogue({ project, encoding, log, understand, modules });
  const hookOwners = createHookOwners(log);
  const slots = createSlots({ most: settings.execution.concurrency, queue: QUEUE, patienceMs: PATIENCE_MS });
  const metrics = createMetrics({
    busy: slots.busy,
    workflows: () => catalogue.list().length,
    kept: async () => (await runner.kept())?.executor.figures() ?? null,
  });
  // The root of this package. Bundled files lie at other depths than sources.
  const require = createRequire(import.meta.url);
  const description = require.resolve("flowsheet/package.json");
  const { version } = require(description) as { readonly version: string };
  const dist = join(dirname(description), "dist");
  const program = join(dist, "runtime", "http", "sheets", "validation-worker.js");
  return {
    project,
    env,
    /** The address that the server listens at; null when another server listens. */
    bindHost,
    /** With those of the file `.env`. */
    variables,
    /** Agents that stand in no file. */
    agents,
    encoding,
    configuration,
    settings,
    authenticator,
    loggers,
    log,
    catalogue,
    /** Whose the path of a webhook is, where several workflows claim it. */
    hookOwners,
    runner,
    works: options.works ?? true,
    slots,
    // Limits are for callers of a server, and the page asks often.
    rateLimit:
      rate === null || local !== undefined ? null : createRateLimiter(rate.requests, rate.seconds * 1_000),
    cors: origins.length === 0 ? null : createCors(origins),
    /** The limit of open bodies. */
    bodies: createCallerLimit(MAX_BODIES, MANY_BODIES),
    /** The limit of open streams that follow a run, and hold no slot. */
    streams: createCallerLimit(MAX_STREAMS, MANY_STREAMS),
    sheetChecks: createSheetChecks({ program, limitMs: MAX_CHECK_MS }),
    readiness: createReadiness({
      project,
      workflows: catalogue.list,
      isStopping: slots.isClosed,
      isLogging: loggers.isWriting,
      keepsAll: runner.keepsAll,
      storeTrouble: () => runner.trouble(),
      log,
    }),
    metrics,
    version,
    /** Seals what clients of MCP hand back, where the configuration names no key. */
    mcpKey: randomBytes(32),
    /** The Studio; null without one. */
    studio,
    /** The start time of the monotonic clock. */
    began: performance.now(),
    /** The folder of static files; null for none. */
    staticFolder: staticFolderOf(configuration),
    /** The folder of the pages' assets in the package. */
    assets: join(dist, "assets"),
    /** The folder of the files of the Studio's page. */
    studioFiles: join(dist, "studio"),
    /**
     * Resolves when all is loaded, or after a short time: a module that never finishes must not block. Rejects when a
     * webhook could not be used.
     */
    ready: async () => {
      await Promise.race([catalogue.ready(), sleep(LOADING_MS, undefined, { ref: false })]);
      // Whoever looks at sheets on this machine needs no secrets.
      if (local !== undefined) return;
      const workflows = catalogue.list();
      checkHooks(workflows, { env: variables(), log });
      for (const one of workflows) if (one.ir.webhook !== null) hookOwners(one.ir.webhook.path, [one]);
    },
  };
}

function checkSdk(root: string): void {
  const lack = sdkLack(root);
  if (lack !== null) throw new StartRefusedError(`server.mcp.enabled cannot be true: ${lack}`);
}

/** Without the workflows folder that is shown in its place. */
function projectOf({ cwd, config, env, local, folder = local?.folder ?? null }: ServeOptions): Project {
  const project = readProject(cwd, config, env);
  return folder === null ? project : { ...project, workflows: folder, isFlat: true };
}

export type Studio = Site & {
  /** What may be done with sheets. */
  readonly may: "read" | "edit";
  readonly secret: LocalSecret | null;
  readonly workshop: Workshop | null;
};

function studioOf(
  { settings: { server }, auth }: Configuration,
  bindHost: string | null,
  local: LocalStudio | undefined,
): Studio | null {
  const { hosts, studio: may } = server;
  if (local !== undefined) {
    const { secret, workshop = null } = local;
    return { mode: "local", may: "edit", hosts, bindHost, secret, workshop };
  }
  if (may === "off") return null;
  if (auth.mode === "off" && (bindHost === null || !isLoopbackBind(bindHost)))
    throw new StartRefusedError(
      "server.studio with authentication off would open the sheets to everybody: listen at 127.0.0.1, or make keys with flowsheet auth init",
    );
  return { mode: "served", may, hosts, bindHost, secret: null, workshop: null };
}

function logSettings({ settings, root }: Configuration): Pick<LoggersOptions, "file" | "loggers"> {
  const { file, loggers } = settings.logging;
  const writes = Object.values(loggers).some(({ handlers }) => handlers.includes("file"));
  return { file: writes ? resolve(root, file) : null, loggers };
}

/** The folder of static files. It must not contain the configuration, which holds keys. */
function staticFolderOf({ settings: { server }, root, file }: Configuration): string | null {
  if (server.static === null) return null;
  const folder = resolve(root, server.static);
  // Symbolic links are resolved: the target is what is served.
  if (file !== null && wayInside(realPath(folder), realPath(file)) !== null)
    throw new StartRefusedError(
      `server.static (${server.static}) would serve the configuration too: name a folder that holds nothing but what is to be served`,
    );
  return folder;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A missing folder may be created later.
    return path;
  }
}
