import { realpathSync } from "node:fs";
import { resolve, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createLiveAuthenticator,
  describeStart,
  type LiveAuthenticator,
  type StartNotes,
  StartRefusedError,
} from "../auth/index.js";
import { type Configuration, loadConfiguration } from "../config/configuration.js";
import { readProject } from "../config/folders.js";
import type { AnyAgent, Services } from "../graph/contract/contract.js";
import type { Environment } from "../host.js";
import { createLoggers, type Loggers, type LoggersOptions } from "../log/loggers.js";
import { createRedactor } from "../runs/redact.js";
import { createService, type ServerSettings } from "./create-service.js";
import { createGate } from "./gate.js";
import { createHandler, type Handler } from "./handler.js";
import { createRateLimiter } from "./rate-limit.js";
import { createCors } from "./request/cors.js";
import { createRouteTable } from "./route.js";
import { routes } from "./routes/index.js";
import type { Service } from "./service.js";

/** What a service is made from. */
export interface ServeOptions {
  readonly cwd: string;
  /** The configuration file; null to look for flowsheet.yaml upwards. */
  readonly config: string | null;
  readonly env: Environment;
  readonly encoding?: string | null;
  /** Agents by name, beside those of the agents folder. */
  readonly agents?: { readonly [name: string]: AnyAgent };
  readonly services?: Services;
  /** Takes lines of the log for people. */
  readonly console: (line: string) => void;
  /** Where it will listen; the configuration's without it. Null when somebody else listens. */
  readonly bindHost?: string | null;
}

/** A service that is ready to answer. */
export interface Prepared {
  readonly handler: Handler;
  readonly service: Service;
  readonly configuration: Configuration;
  readonly notes: StartNotes;
  readonly loggers: Loggers;
  /** Done when there is no more to load, or soon: a module that never ends to load keeps nobody waiting. */
  readonly ready: () => Promise<void>;
}

const PATIENCE_MS = 10_000;

/** Reads the configuration and makes all that answers requests; throws when the service must not start. */
export function prepareService(options: ServeOptions): Prepared {
  const { cwd, config, env } = options;
  const project = readProject(cwd, config);
  const { configuration: found } = loadConfiguration({ cwd, named: config, env });
  const loggers = createLoggers({
    ...logSettings(found),
    console: options.console,
    redact: createRedactor(env, project.configuration),
  });
  const authenticator = createLiveAuthenticator({
    cwd,
    named: config,
    env,
    bindHost: options.bindHost === undefined ? (found?.settings.server.host ?? null) : options.bindHost,
    log: loggers.of("flowsheet.auth"),
  });
  const configuration = usable(authenticator.checked.configuration);
  const service = createService({
    project,
    settings: serverSettings(configuration),
    env,
    encoding: options.encoding ?? null,
    ...(options.agents === undefined ? {} : { agents: options.agents }),
    ...(options.services === undefined ? {} : { services: options.services }),
    log: loggers.of("flowsheet.run"),
    isLogging: loggers.isWriting,
  });
  const late = (): Promise<void> => sleep(PATIENCE_MS, undefined, { ref: false });
  const ready = (): Promise<void> => Promise.race([service.catalogue.ready(), late()]);
  const handler = handlerOf({ service, authenticator, configuration, loggers });
  return { handler, service, configuration, notes: describeStart(configuration), loggers, ready };
}

/** The authenticator refuses to be made from a configuration that cannot be used. */
function usable(configuration: Configuration | null): Configuration {
  if (configuration === null) throw new Error("the configuration cannot be used");
  return configuration;
}

function serverSettings(configuration: Configuration): ServerSettings {
  const { server, execution } = configuration.settings;
  return {
    basePath: server.base_path,
    staticFolder: staticFolderOf(configuration),
    bodyLimit: server.body_limit,
    concurrency: execution.concurrency,
    maxWaiting: execution.max_waiting,
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

interface Rooms {
  readonly service: Service;
  readonly authenticator: LiveAuthenticator;
  readonly configuration: Configuration;
  readonly loggers: Loggers;
}

function handlerOf({ service, authenticator, configuration, loggers }: Rooms): Handler {
  const { rate_limit: limit, trust_proxy: proxies, cors } = configuration.settings.server;
  return createHandler({
    service,
    table: createRouteTable(routes),
    gate: createGate(authenticator, proxies),
    rateLimit:
      limit === null
        ? null
        : createRateLimiter({ requests: limit.requests, windowMs: limit.seconds * 1_000 }),
    proxies,
    cors: cors.length === 0 ? null : createCors(cors),
    accessLog: loggers.of("flowsheet.http"),
  });
}

const LEVELS = { DEBUG: "debug", INFO: "info", WARNING: "warn", ERROR: "error" } as const;

function logSettings(configuration: Configuration | null): Pick<LoggersOptions, "file" | "loggers"> {
  if (configuration === null) return { file: null, loggers: {} };
  const { file, loggers } = configuration.settings.logging;
  const named = Object.entries(loggers).map(([name, { level, handlers }]) => [
    name,
    { level: LEVELS[level], handlers },
  ]);
  const writes = Object.values(loggers).some(({ handlers }) => handlers.includes("file"));
  return { file: writes ? resolve(configuration.root, file) : null, loggers: Object.fromEntries(named) };
}
