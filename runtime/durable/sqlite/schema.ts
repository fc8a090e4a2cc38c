import { closeSync, openSync, rmSync } from "node:fs";
import { acquireLock } from "../../../compiler/files/lock.js";
import { PRIVATE } from "../../../compiler/files/replace-file.js";
import { insist } from "../insist.js";
import { StoreError } from "../store-error.js";
import type { Database } from "./database.js";
import { countsBySheet, tables } from "./tables.js";

/** How the tables are brought from the schema of their index to the next one. A step is never changed once released. */
export const MIGRATIONS: readonly string[] = [tables, countsBySheet];

/** A copy of a large file takes its time. */
const PATIENCE_MS = 60_000;

/** Makes the tables of a new file, or brings those of an older version up. Refuses a newer file untouched. */
export async function prepareSchema(
  database: Database,
  path: string,
  migrations: readonly string[] = MIGRATIONS,
): Promise<void> {
  const found = schemaOf(database, path);
  refuseNewer(found, path, migrations);
  // Of two processes that do so at the same moment SQLite refuses one at once, whatever its patience.
  if (found === 0) await insist(async () => createFile(database));
  if (found === migrations.length) return;
  if (found === 0) return migrate(database, path, migrations);
  const lock = await acquireLock(`${path}.lock`, { patienceMs: PATIENCE_MS, staleMs: PATIENCE_MS });
  try {
    const now = schemaOf(database, path);
    if (now < migrations.length) copyBeside(database, path, now);
    migrate(database, path, migrations);
  } finally {
    await lock.release();
  }
}

/** 0 for a file without tables. */
function schemaOf(database: Database, path: string): number {
  const [tables] = database.all("SELECT count(*) AS n, sum(name = 'meta') AS ours FROM sqlite_schema");
  if (Number(tables?.["n"]) === 0) return 0;
  const row = tables?.["ours"] === 0 ? null : database.first("SELECT schema FROM meta");
  if (row !== null) return Number(row["schema"]);
  throw new StoreError("store_unusable", `${path} is a database of another program`);
}

function refuseNewer(found: number, path: string, migrations: readonly string[]): void {
  if (found <= migrations.length) return;
  throw new StoreError(
    "store_newer",
    `the run store ${path} was made by a later version (schema ${found}, known up to ${migrations.length})`,
    { help: "use that version, or another runs.folder" },
  );
}

/** What can be set only before the first table, and is kept in the file. */
function createFile(database: Database): void {
  database.exec("PRAGMA auto_vacuum=INCREMENTAL");
  database.all("PRAGMA journal_mode=WAL");
}

function migrate(database: Database, path: string, migrations: readonly string[]): void {
  database.transaction(() => {
    // Another process may have come first.
    const found = schemaOf(database, path);
    refuseNewer(found, path, migrations);
    for (const step of migrations.slice(found)) database.exec(step);
    if (found < migrations.length) database.run("UPDATE meta SET schema = ?", migrations.length);
  });
}

/** The file as it was, for those who go back to the older version. */
function copyBeside(database: Database, path: string, schema: number): void {
  const copy = `${path}.schema-${schema}`;
  rmSync(copy, { force: true });
  closeSync(openSync(copy, "wx", PRIVATE));
  database.run("VACUUM INTO ?", copy);
}
