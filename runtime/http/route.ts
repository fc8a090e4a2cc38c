import { PERMISSIONS, type Permission } from "../auth/permissions.js";
import type { IncomingRequest } from "../auth/request.js";
import type { Principal } from "../auth/result.js";
import type { Operation } from "./openapi/operation.js";
import type { Answer } from "./request/answer.js";
import type { Service } from "./service.js";

export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "PUT";
  /** For example `/workflows/{name}`. `{name}` is one segment, `{more*}` all that is left for it. */
  readonly path: string;
  /** The permission that a credential needs, unless the path is public. */
  readonly permission: Permission;
  /** This permission alone will do, too: its holder is shown less. */
  readonly instead?: Permission;
  /** This route is public when that path is: the assets of a page. */
  readonly publicAs?: string;
  /** It needs no credential wherever it is: it holds no data, or knows who asks by a proof of its own. */
  readonly isOpen?: true;
  /** A client with the permission to read gets more. */
  readonly showsMore?: boolean;
  /** It is also answered while the service stops. */
  readonly always?: boolean;
  /** Its part of the OpenAPI document. Assets and static files have none. */
  readonly operation?: Operation;
  readonly handle: (context: RequestContext) => Answer | Promise<Answer>;
}

/** An authorized request, for its route. */
export interface RequestContext {
  readonly service: Service;
  readonly request: IncomingRequest;
  /** It stands in the answer and in logs. */
  readonly id: string;
  /** In canonical form, below the base path. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The decoded parameters of the path. */
  readonly params: ReadonlyMap<string, string>;
  /** The key for limits: the credential, or without one the address. */
  readonly caller: string;
  /** The holder of the credential. */
  readonly principal: Principal;
  /** The client has the permission to read, so workflows may be shown. */
  readonly mayRead: boolean;
  /** What the credential is limited to; null without a limit. */
  readonly graphs: Principal["graphs"];
  /** Aborted when the client closes. Created on first use, because that is slow. */
  readonly signal: AbortSignal;
  /** Takes a slot for runs. It is freed when the answer or the streamed run ends. */
  readonly takeSlot: () => Promise<void>;
}

export interface Match {
  readonly path: string;
  readonly routes: readonly Route[];
  readonly params: ReadonlyMap<string, string>;
}

/** Makes the table of routes. It refuses a route without a permission, so that none is open by mistake. */
export function createRouteTable(routes: readonly Route[]) {
  const byPath = new Map<string, Route[]>();
  for (const route of routes) {
    if (!PERMISSIONS.includes(route.permission))
      throw new Error(`the route ${route.method} ${route.path} names no permission`);
    byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  }
  const patterns = [...byPath].flatMap(([path, found]) =>
    path.includes("{") ? [{ path, found, parts: path.split("/") }] : [],
  );
  return {
    match: (path: string): Match | null => {
      const exact = byPath.get(path);
      if (exact !== undefined && !path.includes("{")) return { path, routes: exact, params: new Map() };
      const given = path.split("/");
      for (const { path: pattern, found, parts } of patterns) {
        const params = matchParts(parts, given);
        if (params !== null) return { path: pattern, routes: found, params };
      }
      return null;
    },
  };
}

function matchParts(parts: readonly string[], given: readonly string[]): ReadonlyMap<string, string> | null {
  const params = new Map<string, string>();
  for (const [i, part] of parts.entries()) {
    const more = /^\{(\w+)\*\}$/.exec(part)?.[1];
    if (more !== undefined) return matchMore({ more, at: i, parts, given, params });
    const value = given[i];
    if (value === undefined) return null;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? value !== part : value === "") return null;
    if (name !== undefined) params.set(name, decodeURIComponent(value));
  }
  return given.length === parts.length ? params : null;
}

interface Matching {
  /** The parameter of several segments, and where it begins. */
  readonly more: string;
  readonly at: number;
  readonly parts: readonly string[];
  readonly given: readonly string[];
  readonly params: Map<string, string>;
}

/** What stands behind it is matched from the end. */
function matchMore({ more, at, parts, given, params }: Matching): ReadonlyMap<string, string> | null {
  const behind = parts.slice(at + 1);
  const end = given.length - behind.length;
  const value = given.slice(at, Math.max(at, end)).join("/");
  const rest = value === "" ? null : matchParts(behind, given.slice(end));
  if (rest === null) return null;
  for (const [name, text] of [[more, decodeURIComponent(value)] as const, ...rest]) params.set(name, text);
  return params;
}
