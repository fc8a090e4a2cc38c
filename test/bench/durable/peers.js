// What durable runs are measured against: LangGraph.js with its PostgreSQL saver. Both are fetched or found when they are
// measured, and missing where there is neither network nor PostgreSQL.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PEERS = fileURLToPath(new URL("../peers", import.meta.url));

/** A folder with the packages of the other engines; null when they cannot be fetched. They are fetched once. */
export function installPeers() {
  const lock = join(PEERS, "package-lock.json");
  const name = createHash("sha256").update(readFileSync(lock)).digest("hex").slice(0, 16);
  const folder = join("node_modules/.cache/flowsheet-bench-peers", name);
  if (existsSync(join(folder, "installed"))) return folder;
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json"])
    copyFileSync(join(PEERS, file), join(folder, file));
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  if (spawnSync("npm", args, { cwd: folder, stdio: "ignore" }).status !== 0) return null;
  mkdirSync(join(folder, "installed"));
  return folder;
}

/** Where Debian and others put the programs of PostgreSQL, the latest first. */
function programs() {
  const versions = "/usr/lib/postgresql";
  const folders = existsSync(versions)
    ? readdirSync(versions)
        .sort((a, b) => Number(b) - Number(a))
        .map((one) => join(versions, one, "bin"))
    : [];
  const found = spawnSync("which", ["initdb"], { encoding: "utf8" }).stdout?.trim();
  if (found) folders.push(join(found, ".."));
  return folders.find((folder) => existsSync(join(folder, "initdb"))) ?? null;
}

/** PostgreSQL refuses to run as root. */
function someUser() {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag, user) => Number(execFileSync("id", [flag, user], { encoding: "utf8" }));
  const user = ["postgres", "nobody"].find((name) => spawnSync("id", [name]).status === 0);
  return { uid: idOf("-u", user), gid: idOf("-g", user) };
}

/** Starts a PostgreSQL of its own with its defaults, reached by a socket in the folder; null where there is none. */
export async function startPostgres(folder) {
  const bin = programs();
  if (bin === null) return null;
  const user = someUser();
  const data = join(folder, "data");
  mkdirSync(data, { recursive: true });
  chmodSync(join(folder, ".."), 0o755);
  if (user.uid !== undefined) for (const one of [folder, data]) chownSync(one, user.uid, user.gid);
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "bench", "-A", "trust"], { ...user, stdio: "ignore" });
  const args = ["-D", data, "-k", folder, "-c", "listen_addresses="];
  const server = spawn(join(bin, "postgres"), args, { ...user, stdio: "ignore" });
  const isReady = () => spawnSync(join(bin, "pg_isready"), ["-h", folder], user).status === 0;
  for (const end = Date.now() + 60_000; !isReady(); ) {
    if (Date.now() > end || server.exitCode !== null) throw new Error("PostgreSQL does not start");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { address: `postgresql://bench@/postgres?host=${folder}`, stop: () => ended(server) };
}

async function ended(server) {
  server.kill("SIGINT");
  await once(server, "exit");
}
