import { readFileSync } from "node:fs";
import type { ClientConfig } from "pg";
import { addressIn, NO_HOST } from "../../../config/store-setting.js";
import { messageOf } from "../../../graph/contract/errors.js";
import { StoreError } from "../../store-error.js";
import { type TlsFiles, tlsOf } from "./tls.js";

/** What `pg` is given. The address itself is not: what it makes of `sslmode` differs between its versions. */
export interface DatabaseAddress {
  readonly client: Omit<ClientConfig, "connectionString">;
  /** Server and database for messages, such as `db.example:5432/flowsheet`. */
  readonly shown: string;
  /** The role that the address names. Null when the system's user counts. */
  readonly user: string | null;
  readonly database: string | null;
}

/** A server that does not answer is given up after so long. */
const CONNECT_MS = 10_000;

export function readAddress(address: string, read: TlsFiles["read"] = readText): DatabaseAddress {
  const url = addressIn(address);
  if (url === null || !/^postgres(?:ql)?:$/i.test(url.protocol))
    throw wrong("it must begin with postgres://");
  const words = url.searchParams;
  const host = words.get("host") ?? hostOf(url);
  const port = words.get("port") ?? url.port;
  const database = words.get("dbname") ?? (decoded(url.pathname.slice(1)) || null);
  const user = words.get("user") ?? (decoded(url.username) || null);
  const password = words.get("password") ?? (decoded(url.password) || null);
  const ssl = tlsOf(words, { host, wrong, read });
  const client: ClientConfig = {
    application_name: words.get("application_name") ?? "flowsheet",
    connectionTimeoutMillis: timeoutOf(words.get("connect_timeout")),
    ...(host === null ? {} : { host }),
    ...(port === "" ? {} : { port: portOf(port) }),
    ...(database === null ? {} : { database }),
    ...(user === null ? {} : { user }),
    ...(password === null ? {} : { password }),
    ...(ssl === null ? {} : { ssl }),
    ...(words.get("options") === null ? {} : { options: words.get("options") ?? "" }),
  };
  return { client, user, database, shown: shownText(host, port, database) };
}

function hostOf(url: URL): string | null {
  const host = decoded(url.hostname).replace(/^\[(.+)\]$/, "$1");
  return host === "" || host === NO_HOST ? null : host;
}

/** A socket is a folder, whose name would run into that of the database. */
function shownText(host: string | null, port: string, database: string | null): string {
  const server = `${host ?? "localhost"}${port === "" ? "" : `:${port}`}`;
  if (database === null) return server;
  return server.startsWith("/") ? `${database} at ${server}` : `${server}/${database}`;
}

const wrong = (why: string, options: ErrorOptions & { readonly help?: string } = {}): StoreError =>
  new StoreError("store_unusable", `the address of the database cannot be used: ${why}`, options);

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw wrong("its port is no number from 1 to 65535");
}

/** In seconds; none waits as long as it takes, as libpq has it. */
function timeoutOf(text: string | null): number {
  if (text === null) return CONNECT_MS;
  if (/^\d{1,5}$/.test(text)) return Number(text) * 1_000;
  throw wrong("its connect_timeout is no number of seconds");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong("a % in it begins no character: write %25");
  }
}

function readText(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw wrong(`its ${name} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
