import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";
import { type AddressKind, kindOfAddress } from "./addresses.js";
import { type AllowedHost, hostOf, isNamed } from "./allowed.js";
import { NetworkError } from "./network-error.js";

/** What requests may reach. */
export interface NetworkRules {
  /** Hosts that may be called wherever they are. */
  readonly allow: readonly AllowedHost[];
  /** True: hosts of this machine and of its own network may be called without an entry. */
  readonly private: boolean;
  /** False: hosts that no entry names are refused, public ones too. */
  readonly others: boolean;
}

export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Resolve = (host: string) => Promise<readonly HostAddress[]>;

export const resolveWithSystem: Resolve = async (host) =>
  (await systemLookup(host, { all: true, verbatim: true })) as readonly HostAddress[];

/** The addresses that a request may connect to. It must use these, because a second look-up may give others. */
export interface CheckedHost {
  readonly addresses: readonly HostAddress[];
  /** An entry names the host, and it is on this machine or on its own network. */
  readonly isOwn: boolean;
}

/** Refuses a host when one of its addresses is refused: which of them is used is not known beforehand. */
export async function checkHost(url: URL, rules: NetworkRules, resolve: Resolve): Promise<CheckedHost> {
  checkAddress(url);
  const named = isNamed(url, rules.allow);
  if (!named && !rules.others) throw refused(url, "is not listed in network.allow");
  const addresses = await addressesOf(url, resolve);
  const kinds = addresses.map(({ address }) => kindOfAddress(address));
  // Whoever owns a name chooses its address, so a name never opens the metadata of a cloud.
  if (kinds.includes("special") && isIP(bareHost(url)) === 0)
    throw new NetworkError("refused", `${url.host} is not called: it leads to an address that is no host`);
  const isFree = (kind: AddressKind): boolean => kind === "public" || (kind === "private" && rules.private);
  if (!named && !kinds.every(isFree)) throw refused(url, "is no public host");
  return { addresses, isOwn: named && kinds.every((kind) => kind === "private") };
}

function checkAddress(url: URL): void {
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    const scheme = url.protocol.slice(0, 40);
    throw new NetworkError("refused", `an address begins with https:// or http://, not with ${scheme}`);
  }
  if (url.username !== "" || url.password !== "")
    throw new NetworkError(
      "refused",
      `the address of ${url.host} holds a user or a password: use a connection`,
    );
  if (url.port === "0") throw new NetworkError("refused", `${url.hostname} cannot be called at the port 0`);
}

async function addressesOf(url: URL, resolve: Resolve): Promise<readonly HostAddress[]> {
  const host = hostOf(url);
  const bare = bareHost(url);
  const family = isIP(bare);
  if (family !== 0) return [{ address: bare, family: family as 4 | 6 }];
  const found = await resolve(host).catch(() => []);
  if (found.length === 0) throw new NetworkError("unreachable", `there is no host ${host}`);
  return found;
}

/** The host without the brackets of IPv6. */
const bareHost = (url: URL): string => hostOf(url).replace(/^\[|\]$/g, "");

function refused(url: URL, why: string): NetworkError {
  const cure = `write network: {allow: ["${entryFor(url)}"]} into flowsheet.yaml`;
  return new NetworkError("refused", `${url.host} is not called: it ${why}. To allow it, ${cure}`);
}

const entryFor = (url: URL): string => (url.port === "" ? hostOf(url) : `${hostOf(url)}:${url.port}`);
