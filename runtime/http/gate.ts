import type { IncomingMessage } from "node:http";
import type { Authenticator, AuthRequest, AuthResult, Permission, Principal } from "../auth/index.js";
import { HttpProblem } from "./request/problem.js";
import type { Target } from "./request/target.js";

export interface Asking {
  readonly request: IncomingMessage;
  readonly target: Target;
  /** The path that public entries are compared with. */
  readonly publicPath: string;
  readonly permission: Permission;
  /** The route shows more to whoever may read, also where it is public. */
  readonly showsMore: boolean;
}

/** Who comes in. */
export interface Admission {
  readonly principal: Principal;
  readonly mayRead: boolean;
}

/** Lets a request in, or throws the problem that refuses it. */
export type Gate = (asking: Asking) => Promise<Admission>;

/** Makes the gate of an authenticator; `proxies` of the nearest machines are trusted to tell who asks. */
export function createGate(authenticator: Authenticator, proxies: number): Gate {
  return async ({ request, target, publicPath, permission, showsMore }) => {
    const socketAddress = request.socket.remoteAddress;
    const asked: AuthRequest = {
      path: publicPath,
      query: target.keys,
      rawHeaders: request.rawHeaders,
      socketAddress,
      clientAddress: clientAddress(request, proxies),
    };
    const result = await authenticator.authorize(asked, [permission]);
    if (!result.ok) throw problemOf(result);
    const { principal } = result;
    if (principal.kind !== "public" || !showsMore)
      return { principal, mayRead: principal.permissions.has("read") };
    const known = await authenticator.identify(asked);
    return { principal, mayRead: known?.permissions.has("read") === true };
  };
}

type Refused = Extract<AuthResult, { readonly ok: false }>;

function problemOf({ code, detail, headers, required }: Refused): HttpProblem {
  return new HttpProblem(code, {
    detail,
    headers,
    ...(required === undefined ? {} : { more: { required } }),
  });
}

/** The address of who asks: the socket's, or the one that the outermost trusted proxy saw. */
export function clientAddress({ socket, headers }: IncomingMessage, proxies: number): string | undefined {
  const forwarded = headers["x-forwarded-for"];
  if (proxies === 0 || typeof forwarded !== "string") return socket.remoteAddress;
  const seen = forwarded.split(",").map((one) => one.trim());
  return seen[Math.max(0, seen.length - proxies)] || socket.remoteAddress;
}
