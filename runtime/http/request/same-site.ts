import type { IncomingMessage } from "node:http";
import { isLocalHostHeader, isLoopbackBind } from "../../auth/network.js";
import { HttpProblem } from "./problem.js";

/** How the Studio is offered: on one's own machine, or to whoever has a key. */
export type StudioMode = "local" | "served";

export interface Site {
  readonly mode: StudioMode;
  /** `server.hosts`: the names by which browsers know the server. */
  readonly hosts: readonly string[];
  /** The address that the server listens at; null when another server listens. */
  readonly bindHost: string | null;
}

/** The paths of the Studio, below the base path. */
export const isOfStudio = (path: string): boolean => path === "/studio" || path.startsWith("/studio/");

const isData = (path: string): boolean => path.startsWith("/studio/api/");

/**
 * Refuses what pages of other sites make a browser send. The local server asks this of all its paths: a page may have
 * its own name lead to this machine.
 */
export function checkSite(request: IncomingMessage, path: string, site: Site): void {
  const isLocal = site.mode === "local";
  if (!isLocal && !isOfStudio(path)) return;
  const { host = "", origin, "sec-fetch-site": from } = request.headers;
  if (!isOurs(host, request, site))
    throw new HttpProblem("host_refused", { detail: "ask for the address that the server has printed" });
  if (origin !== undefined && !isOwnOrigin(origin, host, request, site))
    throw new HttpProblem("origin_refused");
  const isPage = isOfStudio(path) && !isData(path);
  if (!isPage && from !== undefined && from !== "same-origin" && from !== "none")
    throw new HttpProblem("origin_refused");
}

/** The same of other paths that programs ask: no page may, but of this server, or of an origin that `cors` names. */
export function checkPage(request: IncomingMessage, site: Site, cors: readonly string[]): void {
  const { host = "", origin } = request.headers;
  if (!isOurs(host, request, site))
    throw new HttpProblem("host_refused", { detail: "ask for the address that the server has printed" });
  if (origin === undefined || isOwnOrigin(origin, host, request, site)) return;
  if (!cors.includes(origin) && !cors.includes("*")) throw new HttpProblem("origin_refused");
}

function isOurs(host: string, request: IncomingMessage, { mode, hosts, bindHost }: Site): boolean {
  if (mode === "local") return isLocalHostHeader(host) && hasOurPort(host, request);
  if (hosts.length > 0) return isAmong(host, hosts);
  return bindHost === null || !isLoopbackBind(bindHost) || isLocalHostHeader(host);
}

/** Browsers leave out the usual port. */
function hasOurPort(host: string, { socket }: IncomingMessage): boolean {
  const [, port = "80"] = /:(\d+)$/.exec(host) ?? [];
  return Number(port) === socket.localPort;
}

/** An entry without a port is that host at any port. */
const isAmong = (host: string, hosts: readonly string[]): boolean =>
  hosts.some((one) => {
    const [wanted, given] = [one.toLowerCase(), host.toLowerCase()];
    return given === wanted || given.replace(/:\d+$/, "") === wanted;
  });

function isOwnOrigin(origin: string, host: string, request: IncomingMessage, site: Site): boolean {
  const [, scheme = "", of = ""] = /^(https?):\/\/([^\s/?#@]+)$/i.exec(origin) ?? [];
  if (site.mode === "local")
    return scheme.toLowerCase() === "http" && isLocalHostHeader(of) && hasOurPort(of, request);
  return of !== "" && (of.toLowerCase() === host.toLowerCase() || isAmong(of, site.hosts));
}
