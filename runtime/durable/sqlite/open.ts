import { closeSync, existsSync, openSync, statfsSync } from "node:fs";
import { platform } from "node:os";
import { dirname, resolve } from "node:path";
import { makeFolder } from "../../../compiler/files/make-folder.js";
import { PRIVATE } from "../../../compiler/files/replace-file.js";
import { systemCode } from "../../../compiler/files/system-code.js";
import { reasonOf } from "../../workflows/open-file.js";
import { StoreError } from "../store-error.js";
import type { StoreTrouble } from "../trouble.js";
import { connect, type Database, hasRoom, unwritable } from "./database.js";
import { type Driver, findDriver } from "./driver.js";
import { prepareSchema } from "./schema.js";

export interface OpenOptions {
  /** `process`: kill -9 loses nothing; a power cut may lose the last steps. `power`: it loses nothing either. */
  readonly durability?: "process" | "power";
  /** For tests: as a rule the first one that is there. */
  readonly driver?: Driver["name"] | null;
  /** The numbers of file systems that stand for a network, as `statfs` gives them; for tests. */
  readonly network?: ReadonlySet<number>;
  /** Told of what keeps the file from being used. */
  readonly trouble?: StoreTrouble | undefined;
}

/** The connections to one file. */
export interface Databases {
  readonly path: string;
  /** Its commits are on the disk. */
  readonly sure: Database;
  /** Its commits survive the death of the process, but not a power cut. Under `power` the same as `sure`. */
  readonly fast: Database;
  readonly close: () => void;
}

const BUSY_MS = 5_000;
const UNWRITABLE: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EACCES", "EPERM", "EROFS"]);
/** The write-ahead log is brought into the file at 16 MB: four times as rarely as by default, since each time waits for the disk. */
const LOG_PAGES = 4_000;
/** NFS, SMB, CIFS, SMB2: their locks do not keep several machines apart. */
const NETWORK: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

/** Opens the file of durable runs. A missing one is made, with its folder. */
export async function openDatabases(file: string, options: OpenOptions = {}): Promise<Databases> {
  const path = resolve(file);
  const driver = findDriver(options.driver);
  makeFile(path, options.network ?? NETWORK);
  const open: Database[] = [];
  const close = (): void => {
    for (const database of open.splice(0)) database.close();
  };
  let isOpen = false;
  const met = (error: unknown): void => {
    // Whoever opens is told by the error itself.
    if (isOpen) options.trouble?.met(error);
  };
  const over = (): void => {
    // Something small may find its place on a full disk, too.
    if ((options.trouble?.error ?? null) !== null && hasRoom(path)) options.trouble?.over();
  };
  const watch = { met, over };
  const opened = (synchronous: "FULL" | "NORMAL"): Database => {
    const database = connect(driver, path, watch);
    open.push(database);
    // What is deleted is overwritten: erased values are not left in free pages.
    database.exec(
      `PRAGMA busy_timeout=${BUSY_MS}; PRAGMA synchronous=${synchronous}; PRAGMA secure_delete=ON;
       PRAGMA wal_autocheckpoint=${LOG_PAGES}`,
    );
    return database;
  };
  try {
    const sure = opened("FULL");
    await prepareSchema(sure, path);
    const fast = options.durability === "power" ? sure : opened("NORMAL");
    isOpen = true;
    return { path, sure, fast, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** SQLite gives its `-wal` and `-shm` the mode of the file, so the file is made before SQLite opens it. */
function makeFile(path: string, network: ReadonlySet<number>): void {
  try {
    makeFolder(dirname(path), 0o700);
    refuseNetwork(dirname(path), network);
    createFile(path);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    // The disk can be mended; a place where no folder can be is a mistake of the configuration.
    const { code: reason = "" } = error as NodeJS.ErrnoException;
    if (UNWRITABLE.has(reason)) throw unwritable(path, reasonOf(error).why, error);
    throw new StoreError("store_unusable", `the run store ${path} cannot be made: ${reasonOf(error).why}`, {
      cause: error,
    });
  }
}

/** A file that is there is not opened: closing it would take away the locks of this process's connections to it. */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", PRIVATE));
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
}

/** Where the system tells. Of a folder that is not there yet, its parent says it. */
export function isOnNetwork(folder: string, network: ReadonlySet<number> = NETWORK): boolean {
  // Elsewhere the numbers of file systems mean something else.
  if (platform() !== "linux") return false;
  const there = existsSync(folder) || dirname(folder) === folder;
  return there ? network.has(statfsSync(folder).type >>> 0) : isOnNetwork(dirname(folder), network);
}

function refuseNetwork(folder: string, network: ReadonlySet<number>): void {
  if (!isOnNetwork(folder, network)) return;
  throw new StoreError("store_unusable", `${folder} is a network folder, where SQLite's locks do not hold`, {
    help: "set runs.folder to a folder of this machine, or runs.store to a database server",
  });
}
