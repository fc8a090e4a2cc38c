import type { IncomingMessage, ServerResponse } from "node:http";
import { headerValues, type Principal, requestIdOf } from "../auth/index.js";
import type { Logger } from "../graph/contract/contract.js";
import { StoredRunError } from "../runs/run-error.js";
import { clientAddress, type Gate } from "./gate.js";
import { onGone } from "./gone.js";
import type { RateLimiter } from "./rate-limit.js";
import { type Answer, send } from "./request/answer.js";
import type { Call } from "./request/call.js";
import type { Cors } from "./request/cors.js";
import { describeProblem, HttpProblem } from "./request/problem.js";
import { readTarget, withoutBase } from "./request/target.js";
import type { Match, Route, RouteTable } from "./route.js";
import type { Service } from "./service.js";
import { CLOSING } from "./slots.js";

export interface HandlerOptions {
  readonly service: Service;
  readonly table: RouteTable;
  readonly gate: Gate;
  readonly rateLimit: RateLimiter | null;
  /** So many proxies before this machine are trusted to tell who asks. */
  readonly proxies: number;
  readonly cors: Cors | null;
  readonly accessLog: Logger;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** One request with what has been found out about it so far. */
interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  /** What every answer has, whatever it is. Written with the rest of the head, in one go. */
  readonly headers: { [name: string]: string };
  readonly began: number;
  path: string;
  route: string;
  principal: Principal | null;
}

/**
 * Answers every request in one order: path, route, public or credential, permission, rate, and only then the body and
 * what the route does.
 */
export function createHandler(options: HandlerOptions): Handler {
  return async (request, response) => {
    const id = requestIdOf(request);
    const visit: Visit = {
      request,
      response,
      id,
      headers: { ...HEADERS, "X-Request-Id": id },
      began: performance.now(),
      path: "",
      route: "none",
      principal: null,
    };
    try {
      await write(visit, await answer(visit, options));
    } catch (error) {
      refuse(visit, problemOf(error, visit, options));
    }
    tell(visit, options);
  };
}

const HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  Vary: "X-API-Key, Authorization",
  "X-Content-Type-Options": "nosniff",
} as const;

async function answer(visit: Visit, options: HandlerOptions): Promise<Answer> {
  const { request, headers } = visit;
  const { service, table, gate, cors } = options;
  checkProtocol(request);
  // Node loses what stands behind such a request in one packet: the client must know that nobody read it.
  if (request.headers.upgrade !== undefined) headers["Connection"] = "close";
  const target = readTarget(request);
  const path = withoutBase(target.path, service.basePath);
  visit.path = `${mountOf(request)}${target.path}`;
  const match = path === null ? null : table.match(path);
  const told = cors?.(request, headers) ?? null;
  if (match === null || path === null) throw new HttpProblem("route_not_found");
  visit.route = match.path;
  if (told !== null) return told;
  const route = routeOf(match, request.method ?? "");
  if (service.slots.isClosed()) {
    headers["Connection"] = "close";
    if (route.always !== true) throw CLOSING;
  }
  const { principal, mayRead } = await gate({
    request,
    target,
    publicPath: route.publicAs ?? path,
    permission: route.permission,
    showsMore: route.showsMore === true,
  });
  visit.principal = principal;
  const caller = callerOf(principal, clientAddress(request, options.proxies));
  if (options.rateLimit !== null) Object.assign(headers, options.rateLimit(caller));
  const query = new URLSearchParams(target.query);
  const call = { service, request, id: visit.id, path, query, principal, caller, mayRead };
  return handle(route, match, { visit, call });
}

/** What a host application has mounted the service under. */
const mountOf = (request: IncomingMessage & { readonly baseUrl?: unknown }): string =>
  typeof request.baseUrl === "string" ? request.baseUrl : "";

/** What Node lets pass and RFC 9112 does not: what is before this server may understand such requests otherwise. */
function checkProtocol({ httpVersion, httpVersionMajor, headers, rawHeaders }: IncomingMessage): void {
  const { host = "", "transfer-encoding": encoding } = headers;
  const hosts = headerValues(rawHeaders, "host").length;
  // A request without a version has no headers, so nothing could be asked of it.
  const isPlain =
    httpVersionMajor >= 1 &&
    hosts <= 1 &&
    (hosts === 1 || httpVersion !== "1.1") &&
    !/[\s/\\@?#]/.test(host) &&
    (encoding === undefined || encoding.toLowerCase() === "chunked");
  if (!isPlain) throw new HttpProblem("request_invalid", { close: true });
}

function routeOf({ routes }: Match, method: string): Route {
  const wanted = method === "HEAD" ? "GET" : method;
  const route = routes.find((one) => one.method === wanted);
  if (route !== undefined) return route;
  const allowed = routes.flatMap((one) => (one.method === "GET" ? ["GET", "HEAD"] : [one.method]));
  throw new HttpProblem("method_not_allowed", { headers: { Allow: allowed.join(", ") } });
}

/** Who is counted: the credential, and where there is none the address. */
function callerOf({ kind, name }: Principal, address: string | undefined): string {
  const isNamed = kind === "api_key" || kind === "jwt" || kind === "identity";
  return isNamed ? `${kind} ${name}` : `address ${address}`;
}

interface Handling {
  readonly visit: Visit;
  readonly call: Omit<Call, "params" | "signal" | "takePlace">;
}

async function handle(route: Route, match: Match, { visit, call }: Handling): Promise<Answer> {
  const params = new Map([...match.params].map(([name, value]) => [name, decodeURIComponent(value)]));
  let signal: AbortSignal | null = null;
  let release: () => void = nothing;
  const takePlace = async (): Promise<void> => {
    release = await call.service.slots.take(visit);
  };
  try {
    const made = await route.handle({
      ...call,
      params,
      takePlace,
      get signal() {
        signal ??= leaving(visit);
        return signal;
      },
    });
    // A run that is told as it happens holds its place until it ends, however slowly it is read.
    if (made.kind === "stream" && made.until !== null) made.until.then(release, release);
    else release();
    return made;
  } catch (error) {
    release();
    throw error;
  }
}

const nothing = (): void => {};

/** Aborted when the client has gone. */
function leaving(visit: Visit): AbortSignal {
  const gone = new AbortController();
  onGone(visit, () => gone.abort());
  return gone.signal;
}

async function write({ response, headers }: Visit, made: Answer): Promise<void> {
  if (response.destroyed) return;
  if (made.kind === "stream") return made.write(response, headers);
  const { status } = made;
  if (made.kind === "json")
    return send(response, { status, type: "application/json", body: JSON.stringify(made.body), headers });
  send(response, { status, type: made.type, body: made.text, headers: { ...headers, ...made.headers } });
}

/** What is no problem of the request is a bug of ours: the client learns its id, the log its cause. */
function problemOf(error: unknown, { id }: Visit, { service: { log } }: HandlerOptions): HttpProblem {
  if (error instanceof HttpProblem) {
    if (error.code === "internal") log.error(`request ${id} failed: ${error.message}`);
    return error;
  }
  // The disk is full, or may not be written: whoever runs the server can mend that.
  if (error instanceof StoredRunError) {
    log.error(`request ${id} failed: ${error.message}`);
    return new HttpProblem("storage_unavailable", { headers: { "Retry-After": "60" } });
  }
  log.error(`request ${id} failed`, error);
  return new HttpProblem("internal");
}

function refuse({ request, response, headers, path, id }: Visit, problem: HttpProblem): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  // What is left of a long body is not waited for.
  const rest =
    !request.complete && (request.headers["transfer-encoding"] !== undefined || length(request) > 65_536);
  const close = problem.options.close === true || rest ? { Connection: "close" } : {};
  const body = JSON.stringify(describeProblem(problem, { path, id }));
  // A refusal names Vary as well, but does not know of the origin that is told.
  const all = { ...problem.options.headers, ...headers, ...close };
  send(response, { status: problem.status, type: "application/problem+json", body, headers: all });
}

const length = ({ headers }: IncomingMessage): number => Number(headers["content-length"] ?? 0);

/** What logs of servers call a request whose client has gone before its answer. */
const UNANSWERED = 499;

function tell({ request, response, began, ...visit }: Visit, { accessLog, service }: HandlerOptions): void {
  const ms = performance.now() - began;
  const status = response.headersSent ? response.statusCode : UNANSWERED;
  service.metrics.answered(visit.route, status, ms / 1_000);
  accessLog.info(`${request.method} ${visit.path} ${status}`, {
    request_id: visit.id,
    route: visit.route,
    ms: Math.round(ms * 100) / 100,
    ...(visit.principal === null ? {} : { by: visit.principal.name }),
  });
}
