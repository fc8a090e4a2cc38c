import type { IncomingMessage, ServerResponse } from "node:http";
import type { Authenticator, AuthRequest } from "../auth/authenticator.js";
import { createLiveAuthenticator, type LiveOptions } from "../auth/live.js";
import { isPermission, type Permission } from "../auth/permissions.js";
import { canonicalPath, cutKey, type IncomingRequest, requestIdOf, withoutBase } from "../auth/request.js";
import type { AuthResult, Principal } from "../auth/result.js";
import type { Logger } from "../graph/contract/contract.js";
import { host } from "../host.js";
import { sendProblem } from "./request/answer.js";
import { HttpProblem, refusalProblem } from "./request/problem.js";

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
        throw new Error(
          "a route must name the permission that it needs: read, write, execute, answer or admin",
        );
      return (request, response, next) => {
        const read = readRequest(request, options);
        const refuse = (problem: HttpProblem): void => {
          const id = options.requestId?.(request) ?? requestIdOf(request);
          const headers = { ...HEADERS, "X-Request-Id": id };
          sendProblem(response, problem, { path: read?.path ?? "", id, headers });
        };
        if (read === null) return refuse(new HttpProblem("path_invalid", { detail: PLAIN_FORM }));
        const settle = (result: AuthResult): void => {
          if (result.ok) {
            principals.set(request, result.principal);
            next();
          } else refuse(refusalProblem(result));
        };
        Promise.resolve(authenticator.authorize(read, permissions)).then(settle).catch(next);
      };
    },
  };
}

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
const PLAIN_FORM = "The path is not written as paths are: without empty or dot segments or needless escapes.";

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
