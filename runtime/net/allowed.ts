import { isIP } from "node:net";

/** An entry of `network.allow`, read. */
export interface AllowedHost {
  /** As `URL` spells it: lower case, IDNA, without a last dot; IPv6 in brackets. */
  readonly host: string;
  /** True for `*.domain`: the hosts below the domain, not the domain itself. */
  readonly below: boolean;
  /** Null: the ports 80 and 443. */
  readonly port: number | null;
}

export const ALLOWED_FORM = "a host, such as api.example.com, 10.0.0.5:8080 or *.example.com";

/** Null for a text that is no such entry. */
export function readAllowed(text: string): AllowedHost | null {
  const below = text.startsWith("*.");
  const written = below ? text.slice(2) : text;
  if (/[/?#@*\\\s%]/.test(written) || written === "") return null;
  const bare = isIP(written) === 6 ? `[${written}]` : written;
  // `ws:` has other default ports than none, so a port that is written is seen in the text itself.
  const url = URL.canParse(`http://${bare}/`) ? new URL(`http://${bare}/`) : null;
  if (url === null || (below && isIP(url.hostname) !== 0)) return null;
  const port = /:(\d+)$/.exec(bare.replace(/^\[.*\]/, ""))?.[1];
  if (below && port !== undefined) return null;
  return { host: hostOf(url), below, port: port === undefined ? null : Number(port) };
}

/** True when an entry names the host and the port of an address. What the host resolves to does not count. */
export function isNamed(url: URL, allowed: readonly AllowedHost[]): boolean {
  const host = hostOf(url);
  const port = portOf(url);
  return allowed.some(
    (one) =>
      (one.below ? host.endsWith(`.${one.host}`) : host === one.host) &&
      (one.port === null ? port === 80 || port === 443 : port === one.port),
  );
}

/** The host as entries name it. */
export const hostOf = (url: URL): string => url.hostname.toLowerCase().replace(/\.$/, "");

export const portOf = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
