import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux has it: a folder in memory. */
const IN_MEMORY = "/dev/shm";
/** All tests together need about a third of it at once. */
const ROOM = 6 * 1024 ** 3;
const NAME = "flowsheet-tests-";

/**
 * Where all tests of one run make their folders. They write and remove many thousands of small files, and wait for each
 * to be on the disk: in memory that takes a tenth of the time.
 */
export function makeTemporaryRoot(): string {
  const place = hasRoomInMemory() ? IN_MEMORY : tmpdir();
  for (const left of readdirSync(place)) if (isLeft(left)) remove(join(place, left));
  const root = join(place, `${NAME}${process.pid}`);
  // Programs of other users, such as a database server, find their folders in it.
  mkdirSync(root, { mode: 0o755, recursive: true });
  return root;
}

/** After all tests. */
export default function setup(): () => void {
  const root = tmpdir();
  return () => {
    if (root.endsWith(`${NAME}${process.pid}`)) remove(root);
  };
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** The folder of a run that was killed. */
const isLeft = (name: string): boolean =>
  name.startsWith(NAME) && existsSync("/proc/self") && !existsSync(`/proc/${name.slice(NAME.length)}`);

function hasRoomInMemory(): boolean {
  if (!existsSync(IN_MEMORY) || !existsSync("/proc/mounts")) return false;
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const [, , , options = "noexec"] =
    mounts.map((line) => line.split(" ")).find(([, at]) => at === IN_MEMORY) ?? [];
  // Tests install packages there and run their programs.
  if (options.split(",").includes("noexec")) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= ROOM;
}
