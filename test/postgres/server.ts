import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

/** A PostgreSQL of its own, with an empty database. Its folder goes away with `remove`. */
export interface PostgresServer {
  /** Of the role `flowsheet`, which may do everything. */
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  /** `fast` ends all connections in order, `immediate` is a crash. Gives when no process is left. */
  readonly stop: (how?: "fast" | "immediate") => Promise<void>;
  readonly start: () => Promise<void>;
  /** All its processes stand still until `resume`: nothing answers, and no connection breaks. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** A new database, by its URL. */
  readonly database: () => Promise<string>;
  readonly remove: () => Promise<void>;
}

export interface ServerSettings {
  /** Lines of `postgresql.conf`, in the place of those below. */
  readonly settings?: { readonly [name: string]: string };
  /** Lines of `pg_hba.conf` before those that let everybody in. */
  readonly access?: readonly string[];
}

const SETTINGS = {
  // Nothing here is to survive the machine. What is committed survives an immediate stop all the same.
  fsync: "off",
  full_page_writes: "off",
  jit: "off",
  max_connections: "1000",
  listen_addresses: "127.0.0.1",
  autovacuum: "off",
  logging_collector: "off",
};
const ACCESS = ["local all all trust", "host all all 127.0.0.1/32 trust"];

const DEBIAN = "/usr/lib/postgresql";

/** The folder of PostgreSQL's programs, the newest one; null where there is none. */
export function findPostgres(): string | null {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const newest = debian.sort((a, b) => Number(b) - Number(a)).map((version) => join(DEBIAN, version, "bin"));
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...newest];
  return (
    folders.find((folder) => ["initdb", "postgres"].every((one) => existsSync(join(folder, one)))) ?? null
  );
}

/** Starts a server. The caller removes it; it also stops when the process of the caller ends in any way. */
export async function startServer(more: ServerSettings = {}): Promise<PostgresServer> {
  const programs = findPostgres();
  if (programs === null) throw new Error("there is no PostgreSQL on this machine");
  // The path of a socket is short.
  const folder = mkdtempSync("/tmp/flowsheet-pg-");
  const user = otherThanRoot();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const place: Place = { programs, folder, data: join(folder, "data"), user };
  makeCluster(place, more);
  return serve(place);
}

interface Place {
  readonly programs: string;
  readonly folder: string;
  readonly data: string;
  readonly user: { readonly uid: number; readonly gid: number } | null;
}

/** PostgreSQL refuses to run as root. */
function otherThanRoot(): Place["user"] {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("neither postgres nor nobody is a user here, and PostgreSQL refuses to run as root");
}

const asUser = ({ folder, user }: Place) => ({
  cwd: folder,
  env: { PATH: process.env["PATH"], HOME: folder, LC_ALL: "C" },
  ...user,
});

/** Most servers sort text by a language, and not by its bytes. */
const SORTED = [["--locale-provider=icu", "--icu-locale=en-US"], []];

function makeCluster(place: Place, { settings, access = [] }: ServerSettings): void {
  const { data } = place;
  const options = [
    `--pgdata=${data}`,
    "--username=flowsheet",
    "--auth=trust",
    "--encoding=UTF8",
    "--no-sync",
  ];
  const errors: unknown[] = [];
  for (const sorted of SORTED) {
    if (existsSync(data)) break;
    try {
      execFileSync(join(place.programs, "initdb"), [...options, ...sorted], {
        ...asUser(place),
        stdio: "pipe",
      });
    } catch (error) {
      // Before version 15 there is no such option. initdb takes away what it has made.
      errors.push(error);
    }
  }
  if (!existsSync(data)) throw errors.at(-1);
  const all = { ...SETTINGS, unix_socket_directories: place.folder, ...settings };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(join(data, "postgresql.conf"), lines.join(""));
  writeFileSync(join(data, "pg_hba.conf"), [...access, ...ACCESS].map((line) => `${line}\n`).join(""));
}

/** No connection that some program opens gets a port of these by itself. */
const PORTS = { first: 20_000, count: 12_000 };

async function serve(place: Place): Promise<PostgresServer> {
  const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
  const url = `postgres://flowsheet@127.0.0.1:${port}/postgres`;
  let running: Running | null = null;
  const start = async (): Promise<void> => {
    running ??= await run(place, port);
  };
  const stop = async (how: "fast" | "immediate" = "fast"): Promise<void> => {
    const ending = running;
    running = null;
    await ending?.stop(how);
  };
  try {
    await start();
  } catch (error) {
    // Another program may have that port.
    if (error instanceof Error && /could not bind|Address already in use/.test(error.message))
      return serve(place);
    rmSync(place.folder, { recursive: true, force: true });
    throw error;
  }
  return {
    url,
    port,
    folder: place.folder,
    start,
    stop,
    pause: () => running?.signal("SIGSTOP"),
    resume: () => running?.signal("SIGCONT"),
    database: async () => {
      const name = `test_${randomBytes(8).toString("hex")}`;
      await query(url, `CREATE DATABASE ${name}`);
      return url.replace(/postgres$/, name);
    },
    remove: async () => {
      await stop("immediate");
      rmSync(place.folder, { recursive: true, force: true });
    },
  };
}

/** One statement, on a connection of its own. */
export async function query(
  url: string,
  sql: string,
): Promise<readonly { readonly [column: string]: unknown }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ [column: string]: unknown }>(sql)).rows;
  } finally {
    await client.end();
  }
}

interface Running {
  readonly stop: (how: "fast" | "immediate") => Promise<void>;
  readonly signal: (signal: NodeJS.Signals) => void;
}

/** Stops the server when nobody holds the other end of its input any more: also after kill -9 of the tests. */
const GUARDED = `"$@" < /dev/null & pid=$!; exec 3<&0; (cat <&3 > /dev/null; kill -QUIT "$pid" 2> /dev/null) & exec 3<&-; wait "$pid"`;

async function run(place: Place, port: number): Promise<Running> {
  const server = [join(place.programs, "postgres"), "-D", place.data, "-p", String(port)];
  const guard = spawn("/bin/sh", ["-c", GUARDED, "sh", ...server], {
    ...asUser(place),
    stdio: ["pipe", "ignore", "pipe"],
  });
  let said = "";
  guard.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-20_000);
  });
  // Nothing here keeps the tests from ending.
  guard.unref();
  const gone = new Promise<void>((resolve) => guard.once("exit", () => resolve()));
  const pid = await ready(place, guard, () => said);
  return {
    signal: (signal) => {
      for (const one of signal === "SIGSTOP" ? [pid, ...childrenOf(pid)] : [...childrenOf(pid), pid])
        send(one, signal);
    },
    stop: async (how) => {
      guard.ref();
      for (const one of [...childrenOf(pid), pid]) send(one, "SIGCONT");
      process.kill(pid, how === "fast" ? "SIGINT" : "SIGQUIT");
      await gone;
      guard.stdin.end();
    },
  };
}

/** PostgreSQL writes into this file what it has come to. */
async function ready(place: Place, guard: ChildProcess, said: () => string): Promise<number> {
  const file = join(place.data, "postmaster.pid");
  for (;;) {
    if (guard.exitCode !== null || guard.signalCode !== null)
      throw new Error(`PostgreSQL did not start: ${said()}`);
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    if (lines[7]?.trim() === "ready") return Number(lines[0]);
    await pause(10);
  }
}

/** A process of a connection may be gone since it was listed. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function childrenOf(pid: number): readonly number[] {
  if (!existsSync("/proc"))
    return execFileSync("pgrep", ["-P", String(pid)], { encoding: "utf8" })
      .split("\n")
      .filter(Boolean)
      .map(Number);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => parentOf(one) === pid);
}

function parentOf(pid: number): number | null {
  try {
    // The name of the program stands in brackets, whatever is in it.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}
