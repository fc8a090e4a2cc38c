import { PERMISSIONS, type Permission } from "../auth/permissions.js";
import type { Operation } from "./openapi/operation.js";
import type { Answer } from "./request/answer.js";
import type { RequestContext } from "./request/context.js";

/** One method of one path: who may use it, what it takes and answers, and how. */
export interface Route {
  readonly method: "GET" | "POST";
  /** Such as `/workflows/{name}`; a part in braces stands for one part of a path, `{rest*}` at the end for all of it. */
  readonly path: string;
  /** What a credential must hold, unless the path is public. */
  readonly permission: Permission;
  /** The path whose being public makes this one public: a page's assets go with the page. */
  readonly publicAs?: string;
  /** Whoever may read is shown more. */
  readonly showsMore?: boolean;
  /** It is answered while the service stops, too. */
  readonly always?: boolean;
  /** What the OpenAPI document says of it; nothing of files that belong to a page or to the user. */
  readonly operation?: Operation;
  readonly handle: (context: RequestContext) => Answer | Promise<Answer>;
}

export interface Match {
  /** The route's path, as it was registered. */
  readonly path: string;
  readonly routes: readonly Route[];
  readonly params: ReadonlyMap<string, string>;
}

export interface RouteTable {
  readonly match: (path: string) => Match | null;
}

/** Makes the table of routes; a route without a permission is refused, so none can be open by oversight. */
export function createRouteTable(routes: readonly Route[]): RouteTable {
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
    match: (path) => {
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
    const rest = /^\{(\w+)\*\}$/.exec(part)?.[1];
    if (rest !== undefined) {
      const value = given.slice(i).join("/");
      return value === "" ? null : params.set(rest, decodeURIComponent(value));
    }
    const value = given[i];
    if (value === undefined) return null;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? value !== part : value === "") return null;
    if (name !== undefined) params.set(name, decodeURIComponent(value));
  }
  return given.length === parts.length ? params : null;
}
