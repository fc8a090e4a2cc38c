import { StoreError } from "../store-error.js";
import { type Database, LOCK, type Statements } from "./connect.js";
import { tables } from "./tables.js";
import { quoted, Texts } from "./texts.js";

/** How the tables are brought from the schema of their index to the next one. A step is never changed once released. */
export const MIGRATIONS: readonly string[] = [tables];

/** Makes the tables, or brings those of an older version up. Refuses newer ones untouched. */
export async function prepareSchema(
  database: Database,
  migrations: readonly string[] = MIGRATIONS,
): Promise<void> {
  const found = await schemaOf(database, database);
  refuseNewer(found, database, migrations);
  if (found === migrations.length) return;
  await database.transaction(async (statements) => {
    await statements.run(LOCK, `flowsheet setup ${database.schema}`);
    // Another process may have come first.
    const now = await schemaOf(database, statements);
    refuseNewer(now, database, migrations);
    for (const step of stepsFrom(now, database.schema, migrations)) await statements.run(step);
  });
}

/** What makes the tables, for somebody who has the right to. */
export function setupScript(schema: string = "flowsheet"): string {
  const texts = new Texts(schema);
  const steps = stepsFrom(0, schema, MIGRATIONS).map((step) => texts.of(step).trim().replace(/;?$/, ";"));
  return ["BEGIN;", ...steps, "COMMIT;", ""].join("\n");
}

function stepsFrom(found: number, schema: string, migrations: readonly string[]): readonly string[] {
  if (found === migrations.length) return [];
  return [
    ...(found === 0 ? [`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`] : []),
    ...migrations.slice(found),
    `UPDATE flowsheet.meta SET schema = ${migrations.length}`,
  ];
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
