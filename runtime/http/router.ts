import { Router } from "express";
import type { FlowsheetOptions } from "../flowsheet.js";
import { host } from "../host.js";
import { prepareService } from "./prepare-service.js";

/** What a router of a host application may be told; everything has a default. */
export interface RouterOptions extends Omit<FlowsheetOptions, "log"> {
  /** Takes lines of the log for people; without it they go where console.warn goes. */
  readonly console?: (line: string) => void;
  /**
   * Where the host application listens. Without it, a configuration that bypasses authentication is refused only
   * for requests that do not come from this machine.
   */
  readonly bindHost?: string;
}

/**
 * Makes an Express router that answers all of the service's paths, with its authentication, wherever a host
 * application mounts it. The body must not have been read by a handler before it.
 */
export function createRouter(options: RouterOptions = {}): Router {
  const { cwd = ".", config = null, env = host.env, console: write = writeWarning } = options;
  const { handler } = prepareService({
    cwd,
    config,
    env,
    encoding: options.encoding ?? null,
    ...(options.agents === undefined ? {} : { agents: options.agents }),
    ...(options.services === undefined ? {} : { services: options.services }),
    console: write,
    bindHost: options.bindHost ?? null,
  });
  const router = Router({ caseSensitive: true, strict: true });
  router.use((request, response) => handler(request, response));
  return router;
}

const writeWarning = (line: string): void => console.warn(line.trimEnd());
