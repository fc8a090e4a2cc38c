import type { FlowsheetOptions } from "../flowsheet.js";
import { host } from "../host.js";
import { refuseUnknown } from "../runs/request.js";
import { createHandler } from "./handler.js";
import type { Handler } from "./middleware.js";
import { createService } from "./service.js";

export interface RouterOptions extends Omit<FlowsheetOptions, "log"> {
  /** Takes log lines for people; `console.warn` by default. */
  readonly console?: (line: string) => void;
  /**
   * The address that the host application listens on. Without it, bypassed authentication is checked for each
   * request: only local ones pass.
   */
  readonly bindHost?: string;
}

const OPTIONS: ReadonlySet<string> = new Set<keyof RouterOptions>([
  ...(["cwd", "config", "env", "encoding", "agents", "services", "console", "bindHost"] as const),
]);

/**
 * Makes a router for Express and similar frameworks. It serves all paths of the service, with its authentication, at
 * any mount. No earlier handler may read the body.
 */
export function createRouter(options: RouterOptions = {}): Handler {
  refuseUnknown("a router", options, OPTIONS);
  const { cwd = ".", config = null, env = host.env, bindHost = null, console: write = warn } = options;
  const service = createService({ ...options, cwd, config, env, bindHost, console: write });
  // Counted now, so that the first request has the number.
  service.runner.waiting.lastCount();
  const handler = createHandler(service);
  const loaded = service.ready();
  // Each request is told of it.
  loaded.catch(() => {});
  // No type of Express is used: its types are a separate package that may be missing.
  return (request, response, next) => {
    loaded.then(() => handler(request, response)).catch(next);
  };
}

const warn = (line: string): void => console.warn(line.trimEnd());
