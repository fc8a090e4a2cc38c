import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CheckedConfiguration, type Configuration, loadConfiguration } from "../config/configuration.js";
import { ENV_FILE } from "../config/environment.js";
import type { ConfigFinding } from "../config/findings.js";
import { CONFIG_NAME } from "../config/folders.js";
import type { Logger } from "../graph/contract/contract.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import type { Environment } from "../host.js";
import { type Authenticator, countBadCredentials, PlanAuthenticator } from "./authenticator.js";
import { isLoopbackBind } from "./network.js";
import type { TokenOptions } from "./token.js";

/** This configuration keeps the server from starting. */
export class StartRefusedError extends FlowsheetError {
  readonly findings: readonly ConfigFinding[];

  constructor(message: string, findings: readonly ConfigFinding[] = []) {
    super("configuration_invalid", message);
    this.findings = findings;
  }
}

export interface LiveOptions extends TokenOptions {
  readonly cwd: string;
  /** The named configuration; null to look for flowsheet.yaml upwards. */
  readonly named: string | null;
  readonly env: Environment;
  /** The address to listen on, since bypassed authentication must be local. Null when another server listens. */
  readonly bindHost: string | null;
  readonly log: Logger;
  readonly clock?: () => number;
  /** The shortest time between two checks of the file. */
  readonly checkEveryMs?: number;
  /** The configuration, when it is loaded already. */
  readonly checked?: CheckedConfiguration;
}

/** An authenticator that reloads its configuration file. */
export type LiveAuthenticator = Authenticator & {
  /** As at the start. */ readonly configuration: Configuration;
};

const CHECK_EVERY_MS = 250;

/**
 * Makes an authenticator that reloads its configuration file after a change. A faulty new file is ignored. Throws
 * when the server must not start.
 */
export function createLiveAuthenticator(options: LiveOptions): LiveAuthenticator {
  const { cwd, named, env, bindHost, log, clock = Date.now, checkEveryMs = CHECK_EVERY_MS } = options;
  const countBad = countBadCredentials();
  const read = (file: string | null): CheckedConfiguration =>
    loadConfiguration({ cwd, named: file, env, now: clock() });
  const load = (checked: CheckedConfiguration): readonly [Authenticator, Configuration] => {
    const configuration = usable(checked);
    checkBind(configuration, bindHost);
    logFindings(checked, configuration, log);
    return [new PlanAuthenticator({ ...options, plan: configuration.auth, countBad }), configuration];
  };
  const [first, configuration] = load(options.checked ?? read(named));
  let current = first;
  // The path is fixed once found: when the file is deleted, none in a parent folder replaces it.
  const file = configuration.file ?? named;
  // Without a file, the place where a new one would be is watched.
  const watched = configuration.file ?? join(cwd, CONFIG_NAME);
  const files = [watched, join(dirname(watched), ENV_FILE)];
  let seen = stampOf(files);
  let looked = clock();
  const refresh = (): void => {
    const stamp = stampOf(files);
    if (stamp === seen) return;
    seen = stamp;
    try {
      [current] = load(read(file));
      log.info("the configuration has changed: the new one is in force");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error("the configuration has changed and cannot be used: the old one stays in force", { reason });
    }
  };
  const follow = (): Authenticator => {
    const now = clock();
    if (now - looked >= checkEveryMs || now < looked) {
      looked = now;
      refresh();
    }
    return current;
  };
  return {
    configuration,
    get plan() {
      return current.plan;
    },
    authorize: (...asked) => follow().authorize(...asked),
    identify: (request) => follow().identify(request),
  };
}

/** The configuration, unless it keeps the server from starting. */
export function usable({ configuration, findings }: CheckedConfiguration): Configuration {
  if (configuration !== null) return configuration;
  const stops = findings.filter(({ effect }) => effect === "stop");
  throw new StartRefusedError(stops[0]?.message ?? "the configuration cannot be used", stops);
}

function checkBind({ auth }: Configuration, bindHost: string | null): void {
  if (auth.mode === "bypass" && bindHost !== null && !isLoopbackBind(bindHost))
    throw new StartRefusedError(
      `embedded_mode.bypass_auth opens everything, so the server may be reached from this machine only, not on ${bindHost}`,
    );
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

/** A text that changes when one of the files is written or replaced. */
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
