import type { Handler } from "../auth/middleware.js";
import type { FlowsheetOptions } from "../flowsheet.js";
import { host } from "../host.js";
import { refuseUnknown } from "../runs/request.js";
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

const OPTIONS: ReadonlySet<string> = new Set<keyof RouterOptions>([
  ...(["cwd", "config", "env", "encoding", "agents", "services", "console", "bindHost"] as const),
]);

/**
 * Makes a router for an application of Express or its like: it answers all of the service's paths, with its
 * authentication, wherever the application mounts it. The body must not have been read by a handler before it.
 */
export function createRouter(options: RouterOptions = {}): Handler {
  refuseUnknown("a router", options, OPTIONS);
  const {
    cwd = ".",
    config = null,
    env = host.env,
    bindHost = null,
    console: write = writeWarning,
  } = options;
  const { handler, ready } = prepareService({ ...options, cwd, config, env, bindHost, console: write });
  const loaded = ready();
  // No type of Express stands here: its types are a package of their own, which not every project has.
  return (request, response, next) => {
    loaded.then(() => handler(request, response)).catch(next);
  };
}

const writeWarning = (line: string): void => console.warn(line.trimEnd());
