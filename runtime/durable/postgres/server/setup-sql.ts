import { StoreError } from "../../store-error.js";
import { dbosSchemaOf, SCHEMA } from "../schema-names.js";
import { quoted } from "../texts.js";

const DBOS_SCHEMA = dbosSchemaOf(SCHEMA);

export interface SetupNames {
  readonly role: string;
  /** Null for the one that the administrator is connected to. */
  readonly database: string | null;
}

/** What an administrator runs once. All of it may be run again. */
export function setupSql({ role, database }: SetupNames): string {
  for (const name of [role, database ?? ""]) refuseUnsafe(name);
  const name = quoted(role);
  const connected = database === null ? "the database of the runs" : `the database ${quoted(database)}`;
  return [
    `-- For an administrator of ${connected}, connected to it. It may be run again.`,
    "-- The role makes the tables by itself, now and with later versions. It needs no other rights.",
    "DO $$ BEGIN",
    `  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${text(role)}) THEN`,
    `    CREATE ROLE ${name} LOGIN;`,
    "  END IF;",
    "END $$;",
    "-- Give it a password; in psql:",
    `--   \\password ${name}`,
    "",
    ...schemaSql("The runs.", SCHEMA, name),
    ...schemaSql("What DBOS keeps of the runs at work.", DBOS_SCHEMA, name),
    ...MIGRATIONS_OF_DBOS,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${DBOS_SCHEMA}.dbos_migrations TO ${name};`,
    "",
  ].join("\n");
}

/** Names stand in comments of one line, too, and in the text between two `$$`. An administrator runs all of it. */
function refuseUnsafe(name: string): void {
  if (!/[\p{Cc}\u2028\u2029]|\$\$/u.test(name)) return;
  throw new StoreError("store_unusable", "a name in the address of the database has a line break or $$", {
    help: "give role and database other names",
  });
}

const schemaSql = (about: string, schema: string, role: string): readonly string[] => [
  `-- ${about}`,
  `CREATE SCHEMA IF NOT EXISTS ${schema};`,
  `GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role};`,
  "",
];

/** DBOS makes its schema in its first step, for which a role needs rights on the whole database. This step counts as done. */
const MIGRATIONS_OF_DBOS = [
  "-- DBOS begins behind the step that would make its schema, to which the role has no right.",
  `CREATE TABLE IF NOT EXISTS ${DBOS_SCHEMA}.dbos_migrations`,
  "  (version bigint NOT NULL, CONSTRAINT dbos_migrations_pkey PRIMARY KEY (version));",
  `INSERT INTO ${DBOS_SCHEMA}.dbos_migrations SELECT 1`,
  `  WHERE NOT EXISTS (SELECT FROM ${DBOS_SCHEMA}.dbos_migrations);`,
];

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
