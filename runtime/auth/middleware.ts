import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "../graph/contract/contract.js";
import { host } from "../host.js";
import type { Authenticator, AuthRequest } from "./authenticator.js";
import { createLiveAuthenticator, type LiveOptions } from "./live.js";
import { isPermission, type Permission } from "./permissions.js";
import { type Problem, problemBody } from "./problem-body.js";
import { canonicalPath, cutKey, type IncomingRequest, requestIdOf, withoutBase } from "./request.js";
import type { AuthResult, Principal, Refusal } from "./result.js";

export type MiddlewareRequest = IncomingRequest;

/** A handler for Express and similar frameworks. */
export type Handler = (
  request: MiddlewareRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

export interface AuthOptions {
  /** The authenticator, or its options. Without it, flowsheet.yaml is looked for upwards. */
  readonly authenticator?: Authenticator | Partial<LiveOptions>;
  /** The prefix of all paths, such as /api. Public endpoints are written without it. */
  readonly basePath?: string;
  // Methods, since the request is the application's own: a function that takes Express's Request fits them as well.
  /** Who is counted for bad credentials, when a proxy is trusted. */
  clientAddress?(request: MiddlewareRequest): string | undefined;
  /** The id in answers and logs. Without it: X-Request-Id, or a new id. */
  requestId?(request: MiddlewareRequest): string | undefined;
}

export interface Auth {
  readonly authenticator: Authenticator;
  /** A handler that passes a request when its credential has all of these permissions. */
  readonly requires: (...permissions: readonly [Permission, ...Permission[]]) => Handler;
  /** The holder of the credential of a request that a handler has passed. */
  readonly principalOf: (request: IncomingMessage) => Principal | null;
}

/** Makes the middleware. A route must name its permissions when it is registered. */
export function createAuth(options: AuthOptions = {}): Auth {
  const { authenticator: given = {} } = options;
  const authenticator = "authorize" in given ? given : createLiveAuthenticator(withDefaults(given));
  const principals = new WeakMap<IncomingMessage, Principal>();
  return {
    authenticator,
    principalOf: (request) => principals.get(request) ?? null,
    requires: (...permissions) => {
      if (permissions.length === 0 || !permissions.every(isPermission))
        throw new Error("a route must name the permission that it needs: read, write, execute or admin");
      return (request, response, next) => {
        const read = readRequest(request, options);
        if (read === null) {
          writeProblem(PATH_INVALID, { request, response, options });
          return;
        }
        const settle = (result: AuthResult): void => {
          if (result.ok) {
            principals.set(request, result.principal);
            next();
          } else writeProblem(result, { request, response, options, path: read.path });
        };
        Promise.resolve(authenticator.authorize(read, permissions)).then(settle).catch(next);
      };
    },
  };
}

const PATH_INVALID: Refused = {
  status: 400,
  code: "path_invalid",
  title: "The path is not written in its plain form",
  detail: "The path is not written as paths are: without empty or dot segments or needless escapes.",
  headers: {},
};

const say = (message: string): void => console.warn(`flowsheet.auth: ${message}`);
const QUIET: Logger = { debug: () => {}, info: () => {}, warn: say, error: say };

function withDefaults(given: Partial<LiveOptions>): LiveOptions {
  const { cwd = ".", named = null, env = host.env, bindHost = null, log = QUIET } = given;
  return { ...given, cwd, named, env, bindHost, log };
}

/** The parts of a request for the authenticator; null when its path is not canonical. */
function readRequest(
  request: MiddlewareRequest,
  { basePath = "", clientAddress }: AuthOptions,
): AuthRequest | null {
  const canonical = canonicalPath(request.originalUrl ?? request.url ?? "");
  const query = cutKey(request);
  if (!canonical.ok) return null;
  const inside = withoutBase(canonical.path, basePath);
  const socketAddress = request.socket.remoteAddress;
  return {
    path: inside ?? canonical.path,
    isOfHost: true,
    isOutside: inside === null,
    query,
    rawHeaders: request.rawHeaders,
    socketAddress,
    clientAddress: clientAddress?.(request) ?? socketAddress,
  };
}

type Refused = Omit<Refusal, "ok" | "code" | "status"> & Pick<Problem, "code" | "status">;

interface Exchange {
  readonly request: MiddlewareRequest;
  readonly response: ServerResponse;
  readonly options: AuthOptions;
  readonly path?: string;
}

function writeProblem(refused: Refused, { request, response, options, path: instance }: Exchange): void {
  const { status, headers, required } = refused;
  const requestId = options.requestId?.(request) ?? requestIdOf(request);
  const more = required && { required };
  const body = JSON.stringify(problemBody({ ...refused, more, instance, requestId }));
  response.writeHead(status, {
    ...headers,
    "Cache-Control": "no-store",
    "Content-Type": "application/problem+json",
    "Content-Length": Buffer.byteLength(body),
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
