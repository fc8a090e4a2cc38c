import { StoreError } from "../store-error.js";
import { type Database, LOCK, type Statements } from "./connect.js";
import { askedIndex, recordFunction, tables } from "./tables.js";
import { quoted } from "./texts.js";

/** How the tables are brought from the schema of their index to the next one. A step is never changed once released. */
export const MIGRATIONS: readonly string[] = [tables, askedIndex, recordFunction];

/** An index on large tables takes its time, and whoever opens the store meanwhile waits for it. */
const LONGEST_MS = 3_600_000;

/** Makes the tables, or brings those of an older version up. Refuses newer ones untouched. */
export async function prepareSchema(
  database: Database,
  migrations: readonly string[] = MIGRATIONS,
): Promise<void> {
  const found = await schemaOf(database, database);
  refuseNewer(found, database, migrations);
  if (found === migrations.length) return;
  const work = async (statements: Statements): Promise<void> => {
    // The role or the database may have a limit of its own.
    await statements.run("SET LOCAL statement_timeout = 0");
    await statements.run(LOCK, `flowsheet setup ${database.schema}`);
    // Another process may have come first.
    const now = await schemaOf(database, statements);
    refuseNewer(now, database, migrations);
    if (now === migrations.length) return;
    if (now === 0) await makeSchema(statements, database.schema);
    for (const step of migrations.slice(now)) await statements.run(step);
    await statements.run(`UPDATE flowsheet.meta SET schema = ${migrations.length}`);
  };
  await database.transaction(work, { answerMs: LONGEST_MS });
}

/** `IF NOT EXISTS` is refused to a role that may not make one, also when it is there. */
async function makeSchema(statements: Statements, schema: string): Promise<void> {
  const known = await statements.first("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ?", schema);
  if (known === null) await statements.run(`CREATE SCHEMA ${quoted(schema)}`);
}

/** 0 without tables. */
async function schemaOf({ schema }: Database, statements: Statements): Promise<number> {
  const meta = await statements.first(
    "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = ? AND tablename = 'meta'",
    schema,
  );
  if (meta === null) return 0;
  const row = await statements.first("SELECT schema FROM flowsheet.meta");
  return Number(row?.["schema"] ?? 0);
}

function refuseNewer(found: number, { place }: Database, migrations: readonly string[]): void {
  if (found <= migrations.length) return;
  throw new StoreError(
    "store_newer",
    `the run store ${place} was made by a later version (schema ${found}, known up to ${migrations.length})`,
    { help: "use that version, or another database" },
  );
}
