import { closeSync, openSync, statfsSync } from "node:fs";
import { platform } from "node:os";
import { dirname, resolve } from "node:path";
import { makeFolder } from "../../../compiler/files/make-folder.js";
import { PRIVATE } from "../../../compiler/files/replace-file.js";
import { reasonOf } from "../../workflows/open-sheet.js";
import { StoreError } from "../store-error.js";
import { connect, type Database } from "./database.js";
import { type Driver, findDriver } from "./driver.js";
import { prepareSchema } from "./schema.js";

export interface OpenOptions {
  /** `process`: kill -9 loses nothing; a power cut may lose the last steps. `power`: it loses nothing either. */
  readonly durability?: "process" | "power";
  /** For tests: as a rule the first one that is there. */
  readonly driver?: Driver["name"] | null;
  /** The numbers of file systems that stand for a network, as `statfs` gives them; for tests. */
  readonly network?: ReadonlySet<number>;
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
  const opened = (synchronous: "FULL" | "NORMAL"): Database => {
    const database = connect(driver, path);
    open.push(database);
    // What is deleted is overwritten: erased values are not left in free pages.
    database.exec(
      `PRAGMA busy_timeout=${BUSY_MS}; PRAGMA synchronous=${synchronous}; PRAGMA secure_delete=ON`,
    );
    return database;
  };
  try {
    const sure = opened("FULL");
    await prepareSchema(sure, path);
    return { path, sure, fast: options.durability === "power" ? sure : opened("NORMAL"), close };
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
    closeSync(openSync(path, "a", PRIVATE));
  } catch (error) {
    if (error instanceof StoreError) throw error;
    // A full disk passes; a folder that cannot be made is a mistake of the configuration.
    const isFull = ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");
    const code = isFull ? "store_unwritable" : "store_unusable";
    throw new StoreError(code, `the run store ${path} cannot be made: ${reasonOf(error).why}`, {
      cause: error,
    });
  }
}

function refuseNetwork(folder: string, network: ReadonlySet<number>): void {
  // Elsewhere the numbers of file systems mean something else.
  if (platform() !== "linux" || !network.has(statfsSync(folder).type >>> 0)) return;
  throw new StoreError("store_unusable", `${folder} is a network folder, where SQLite's locks do not hold`, {
    help: "set runs.folder to a folder of this machine, or runs.store to a database server",
  });
}
