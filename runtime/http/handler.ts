import type { IncomingMessage, ServerResponse } from "node:http";
import { type AuthRequest, PUBLIC } from "../auth/authenticator.js";
import { headerValues } from "../auth/credential.js";
import { canonicalPath, cutKey, type IncomingRequest, requestIdOf, withoutBase } from "../auth/request.js";
import type { Principal } from "../auth/result.js";
import { lazily } from "../lazy.js";
import { onClientGone } from "./client-gone.js";
import { CLOSING } from "./concurrency.js";
import { type Answer, send, sendProblem } from "./request/answer.js";
import { HttpProblem, refusalProblem } from "./request/problem.js";
import { problemOf } from "./request/problem-of.js";
import { checkSite, isOfStudio } from "./request/same-site.js";
import { createRouteTable, type Match, type RequestContext, type Route } from "./route.js";
import { routes } from "./routes/index.js";
import type { Service } from "./service.js";

export type Handler = (request: IncomingRequest, response: ServerResponse) => Promise<void>;

const table = createRouteTable(routes);
/** Loaded with the first request for it. */
const studioTable = lazily(async () => createRouteTable((await import("../studio/routes.js")).studioRoutes));

const MCP_PATH = "/mcp";
const mcpTable = lazily(async () =>
  createRouteTable([(await import("../mcp/route.js")).createMcpRoute(MCP_PATH)]),
);

interface RequestState {
  readonly service: Service;
  readonly request: IncomingRequest;
  readonly response: ServerResponse;
  readonly id: string;
  /** Headers of every answer. They are written with the rest of the head in one call. */
  readonly headers: { [name: string]: string };
  path: string;
  route: string;
  principal: Principal | null;
}

const HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  Vary: "X-API-Key, Authorization",
  "X-Content-Type-Options": "nosniff",
} as const;

/** The usual status in logs for a client that closed before its answer. */
const UNANSWERED = 499;

/**
 * Every request takes the same steps: path, route, credential, permission, rate limit, and only then the body and the
 * route.
 */
export function createHandler(service: Service): Handler {
  const accessLog = service.loggers.of("flowsheet.http");
  return async (request, response) => {
    const began = performance.now();
    const id = requestIdOf(request);
    const headers = { ...HEADERS, "X-Request-Id": id };
    const unknown = { path: "", route: "none", principal: null };
    const state: RequestState = { service, request, response, id, headers, ...unknown };
    try {
      await write(state, await answer(state));
    } catch (error) {
      refuse(state, problemOf(error, id, service.log));
    }
    const ms = performance.now() - began;
    const status = response.headersSent ? response.statusCode : UNANSWERED;
    const { path, route, principal } = state;
    service.metrics.answered(route, status, ms / 1_000);
    const details = {
      request_id: id,
      route,
      ms: Math.round(ms * 100) / 100,
      ...(principal === null ? {} : { by: principal.name }),
    };
    // The page of one machine asks often, and its user has only the terminal.
    const isUsual = service.studio?.mode === "local" && status < 400;
    accessLog[isUsual ? "debug" : "info"](`${request.method} ${path} ${status}`, details);
  };
}

const MAX_URL = 8 * 1024;

async function answer(state: RequestState): Promise<Answer> {
  const { service, request, headers } = state;
  checkProtocol(request);
  // Node drops data behind such a request, so the connection is closed to tell the client.
  if (request.headers.upgrade !== undefined) headers["Connection"] = "close";
  const { url = "/" } = request;
  // This comes first, because refused addresses are logged, too.
  const keys = cutKey(request);
  if (url.length > MAX_URL)
    throw new HttpProblem("url_too_long", { detail: `an address may have ${MAX_URL} bytes`, close: true });
  const target = canonicalPath(url);
  if (!target.ok) throw new HttpProblem("path_invalid");
  state.path = `${request.baseUrl ?? ""}${target.path}`;
  const path = withoutBase(target.path, service.settings.server.base_path);
  const studio = service.studio !== null && path !== null && isOfStudio(path);
  if (service.studio !== null && path !== null) checkSite(request, path, service.studio);
  const match = path === null ? null : await matchOf(service, path, studio);
  if (studio) headers["Cross-Origin-Resource-Policy"] = "same-origin";
  // Other sites never read sheets, whatever else they are allowed.
  const preflight = studio ? null : (service.cors?.(request, headers) ?? null);
  if (match === null || path === null) throw new HttpProblem("route_not_found");
  state.route = match.path;
  if (preflight !== null) return preflight;
  const route = routeOf(match, request.method ?? "");
  if (service.slots.isClosed()) {
    headers["Connection"] = "close";
    if (route.always !== true) throw CLOSING;
  }
  const admitted = await admit(state, route, { path, keys });
  const query = new URLSearchParams(target.query);
  return handle(route, state, {
    service,
    request,
    id: state.id,
    path,
    query,
    params: match.params,
    ...admitted,
  });
}

/** The routes of assistants are at the path that the configuration gives them. */
async function matchOf({ settings }: Service, path: string, studio: boolean): Promise<Match | null> {
  if (studio) return (await studioTable()).match(path);
  const { enabled, path: ofMcp } = settings.server.mcp;
  if (enabled && path === ofMcp) return (await mcpTable()).match(MCP_PATH);
  return table.match(path);
}

/** Refuses requests that Node accepts against RFC 9112: a proxy may read them in another way. */
function checkProtocol({ httpVersion, httpVersionMajor, headers, rawHeaders }: IncomingMessage): void {
  const { host = "", "transfer-encoding": encoding } = headers;
  const hosts = headerValues(rawHeaders, "host").length;
  // A request without a version has no headers, so nothing else can be checked.
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

/** Checks the credential and the rate of a request, or throws. `keys` is the part of the query that may hold a key. */
async function admit(
  state: RequestState,
  route: Route,
  { path, keys }: { readonly path: string; readonly keys: string },
): Promise<Pick<RequestContext, "caller" | "principal" | "mayRead" | "graphs">> {
  const { service, request, headers } = state;
  const { authenticator, rateLimit, settings } = service;
  const address = clientAddress(request, settings.server.trust_proxy);
  const asked: AuthRequest = {
    path: route.publicAs ?? path,
    query: keys,
    rawHeaders: request.rawHeaders,
    socketAddress: request.socket.remoteAddress,
    clientAddress: address,
    isOfStudio: isOfStudio(path),
  };
  const result =
    route.isOpen === true
      ? { ok: true as const, principal: PUBLIC }
      : await authenticator.authorize(asked, [route.permission], route.instead);
  if (!result.ok) throw refusalProblem(result);
  const { principal } = result;
  // A valid credential shows more, also on public paths.
  const isUnknown = principal.kind === "public" && route.showsMore === true;
  const known = isUnknown ? await authenticator.identify(asked) : principal;
  state.principal = principal;
  const caller = callerOf(principal, address);
  if (rateLimit !== null) Object.assign(headers, rateLimit(caller));
  const mayRead = known?.permissions.has("read") === true;
  return { caller, principal, mayRead, graphs: known?.graphs ?? null };
}

/** The client's address: of the socket, or as the outermost trusted proxy saw it. */
function clientAddress({ socket, headers }: IncomingMessage, proxies: number): string | undefined {
  const forwarded = headers["x-forwarded-for"];
  if (proxies === 0 || typeof forwarded !== "string") return socket.remoteAddress;
  const seen = forwarded.split(",").map((one) => one.trim());
  return seen[Math.max(0, seen.length - proxies)] || socket.remoteAddress;
}

/** The key for limits: the credential, or without one the address. */
function callerOf({ kind, name }: Principal, address: string | undefined): string {
  const isNamed = kind === "api_key" || kind === "jwt" || kind === "identity";
  return isNamed ? `${kind} ${name}` : `address ${address}`;
}

async function handle(
  route: Route,
  state: RequestState,
  context: Omit<RequestContext, "signal" | "takeSlot">,
): Promise<Answer> {
  let signal: AbortSignal | null = null;
  let release = (): void => {};
  try {
    const made = await route.handle({
      ...context,
      takeSlot: async () => {
        release = await context.service.slots.take(state);
      },
      get signal() {
        signal ??= clientSignal(state);
        return signal;
      },
    });
    // A streamed run keeps its slot until it ends, however slow the client reads.
    if (made.kind === "stream" && made.until !== null) made.until.then(release, release);
    else release();
    return made;
  } catch (error) {
    release();
    throw error;
  }
}

function clientSignal(state: RequestState): AbortSignal {
  const gone = new AbortController();
  onClientGone(state, () => gone.abort());
  return gone.signal;
}

async function write({ response, headers }: RequestState, made: Answer): Promise<void> {
  if (response.destroyed) return;
  if (made.kind === "stream") return made.write(response, headers);
  const { status, type, text: body } = made;
  send(response, { status, type, body, headers: { ...headers, ...made.headers } });
}

function refuse({ request, response, headers, path, id }: RequestState, problem: HttpProblem): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  // The rest of a long body is not read.
  const { "transfer-encoding": encoding, "content-length": length = 0 } = request.headers;
  const rest = !request.complete && (encoding !== undefined || Number(length) > 65_536);
  const close = problem.options.close === true || rest ? { Connection: "close" } : {};
  // The Vary header of the request's state includes Origin, so it wins over that of the problem.
  sendProblem(response, problem, { path, id, headers: { ...headers, ...close } });
}
