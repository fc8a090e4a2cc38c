import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLiveAuthenticator } from "../auth/live.js";
import { type Configuration, loadConfiguration } from "../config/configuration.js";
import { readProject } from "../config/folders.js";
import type { AnyAgent, Services } from "../graph/contract/contract.js";
import type { Environment } from "../host.js";
import { createLoggers, type Loggers, type LoggersOptions } from "../log/loggers.js";
import { createRedactor } from "../runs/redact.js";
import { createHandler, type Handler } from "./handler.js";
import { createRateLimiter } from "./rate-limit.js";
import { createCors } from "./request/cors.js";
import { createService, type Service } from "./service.js";

export interface ServeOptions {
  readonly cwd: string;
  /** The configuration file; null to look for flowsheet.yaml upwards. */
  readonly config: string | null;
  readonly env: Environment;
  readonly encoding?: string | null | undefined;
  /** Agents by name, in addition to those of the agents folder. */
  readonly agents?: { readonly [name: string]: AnyAgent } | undefined;
  readonly services?: Services | undefined;
  /** Takes log lines for people. */
  readonly console: (line: string) => void;
  /** The address to listen on; by default that of the configuration. Null when another server listens. */
  readonly bindHost?: string | null | undefined;
}

export interface PreparedService {
  readonly handler: Handler;
  readonly service: Service;
  readonly configuration: Configuration;
  readonly loggers: Loggers;
  /** Resolves when all is loaded, or after a short time: a module that never finishes must not block. */
  readonly ready: () => Promise<unknown>;
}

const PATIENCE_MS = 10_000;

/** Reads the configuration and makes the service. Throws when it must not start. */
export function prepareService(options: ServeOptions): PreparedService {
  const { cwd, config: named, env, encoding = null, agents = {}, services } = options;
  const project = readProject(cwd, named);
  const { configuration: found } = loadConfiguration({ cwd, named, env });
  const { bindHost = found?.settings.server.host ?? null } = options;
  const redact = createRedactor(env, project.configuration);
  const loggers = createLoggers({ ...logSettings(found), console: options.console, redact });
  const authenticator = createLiveAuthenticator({
    cwd,
    named,
    env,
    bindHost,
    log: loggers.of("flowsheet.auth"),
  });
  const { configuration } = authenticator;
  const service = createService({ project, configuration, loggers, env, encoding, agents, services });
  const { rate_limit: rate, trust_proxy: proxies, cors } = configuration.settings.server;
  const handler = createHandler({
    service,
    authenticator,
    rateLimit: rate === null ? null : createRateLimiter(rate.requests, rate.seconds * 1_000),
    proxies,
    cors: cors.length === 0 ? null : createCors(cors),
    accessLog: loggers.of("flowsheet.http"),
  });
  return {
    handler,
    service,
    configuration,
    loggers,
    ready: () => Promise.race([service.catalogue.ready(), sleep(PATIENCE_MS, undefined, { ref: false })]),
  };
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
