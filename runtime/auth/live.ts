import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CheckedConfiguration, type Configuration, loadConfiguration } from "../config/configuration.js";
import { ENV_FILE } from "../config/environment.js";
import type { ConfigFinding } from "../config/findings.js";
import { CONFIG_NAME } from "../config/folders.js";
import type { Logger } from "../graph/contract/contract.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import type { Environment } from "../host.js";
import { type Authenticator, countBadCredentials, createAuthenticator } from "./authenticator.js";
import { isLoopbackBind } from "./network.js";
import type { TokenOptions } from "./token.js";

/** A server cannot start with this configuration. */
export class StartRefusedError extends FlowsheetError {
  readonly findings: readonly ConfigFinding[];

  constructor(message: string, findings: readonly ConfigFinding[] = []) {
    super("configuration_invalid", message);
    this.findings = findings;
  }
}

export interface LiveOptions extends TokenOptions {
  readonly cwd: string;
  /** The configuration that is named; null to look for flowsheet.yaml upwards. */
  readonly named: string | null;
  readonly env: Environment;
  /** Where the server listens: bypassed authentication needs this machine only. Null when somebody else listens. */
  readonly bindHost: string | null;
  readonly log: Logger;
  readonly clock?: () => number;
  /** How often the file is looked at, at most. */
  readonly checkEveryMs?: number;
}

/** An authenticator that follows its file. */
export interface LiveAuthenticator extends Authenticator {
  /** What was read at the start. */
  readonly configuration: Configuration;
  /** Looks at the file now; true when a new configuration came into force. */
  readonly refresh: () => boolean;
}

const CHECK_EVERY_MS = 250;

/**
 * Makes an authenticator from a configuration file, and reads the file again when it changes. A new file that
 * cannot be used keeps the old one in force. Throws when the server must not start.
 */
export function createLiveAuthenticator(options: LiveOptions): LiveAuthenticator {
  const { cwd, named, env, bindHost, log, clock = Date.now, checkEveryMs = CHECK_EVERY_MS } = options;
  const countBad = countBadCredentials();
  const load = (file: string | null): readonly [Authenticator, Configuration] => {
    const checked = loadConfiguration({ cwd, named: file, env, now: clock() });
    const configuration = usable(checked, bindHost);
    logFindings(checked, configuration, log);
    return [createAuthenticator({ ...options, plan: configuration.auth, countBad }), configuration];
  };
  const [first, configuration] = load(named);
  let current = first;
  // Once found it stays: where it is gone, none above it takes its place.
  const file = configuration.file ?? named;
  // Where there was no configuration, the place where one would be made.
  const watched = configuration.file ?? join(cwd, CONFIG_NAME);
  const files = [watched, join(dirname(watched), ENV_FILE)];
  let seen = stampOf(files);
  let looked = clock();
  const refresh = (): boolean => {
    looked = clock();
    const stamp = stampOf(files);
    if (stamp === seen) return false;
    seen = stamp;
    try {
      [current] = load(file);
      log.info("the configuration has changed: the new one is in force");
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error("the configuration has changed and cannot be used: the old one stays in force", { reason });
      return false;
    }
  };
  const follow = (): Authenticator => {
    const now = clock();
    if (now - looked >= checkEveryMs || now < looked) refresh();
    return current;
  };
  return {
    configuration,
    refresh,
    get plan() {
      return current.plan;
    },
    authorize: (request, required) => follow().authorize(request, required),
    identify: (request) => follow().identify(request),
  };
}

function usable({ configuration, findings }: CheckedConfiguration, bindHost: string | null): Configuration {
  if (configuration === null) {
    const stops = findings.filter(({ effect }) => effect === "stop");
    throw new StartRefusedError(stops[0]?.message ?? "the configuration cannot be used", stops);
  }
  if (configuration.auth.mode === "bypass" && bindHost !== null && !isLoopbackBind(bindHost))
    throw new StartRefusedError(
      `embedded_mode.bypass_auth opens everything, so the server may be reached from this machine only, not on ${bindHost}`,
    );
  return configuration;
}

function logFindings({ findings, notes }: CheckedConfiguration, { auth }: Configuration, log: Logger): void {
  for (const { severity, message, place, path } of findings) {
    if (path[0] !== "authentication") continue;
    const details = place === null ? undefined : { line: place.line };
    if (severity === "error") log.error(message, details);
    else log.warn(message, details);
  }
  for (const { name, message } of notes) log.warn(`the environment variable ${name} ${message}`);
  if (auth.mode === "bypass") log.warn("authentication is bypassed for requests from this machine");
}

/** What changes when a file is written or replaced. */
function stampOf(files: readonly string[]): string {
  return files
    .map((file) => {
      try {
        const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
        return stats === undefined ? "-" : `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
      } catch {
        return "-";
      }
    })
    .join();
}
