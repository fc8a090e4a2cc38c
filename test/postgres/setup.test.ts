import { beforeAll, describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { HAS_POSTGRES, newDatabase } from "./asked.js";
import { query } from "./server.js";

const CONFIG = { "flowsheet.yaml": "workflows: .\nruns: { store: env:DATABASE_URL }\n" };
const CANARY = "canary-of-the-database";

/** The address of the same database for another role. */
function as(url: string, user: string, password = ""): string {
  const address = new URL(url);
  address.username = encodeURIComponent(user);
  address.password = encodeURIComponent(password);
  return address.href;
}

test("runs setup --print names role and database of the address, and needs no server", async () => {
  const cwd = createFolder(CONFIG);
  const env = { DATABASE_URL: `postgres://Ada%22s:${CANARY}@nowhere.invalid/flows` };
  const printed = await flowsheet(["runs", "setup", "--print"], { cwd, env });
  expect([printed.code, printed.stderr]).toEqual([0, ""]);
  expect(printed.stdout).toContain('CREATE ROLE "Ada""s" LOGIN;');
  expect(printed.stdout).toContain('of the database "flows"');
  expect(printed.stdout).not.toContain(CANARY);
});

test.each([
  ["ada%0ADROP TABLE a;", "flows"],
  ["ada", "flows%0ADROP TABLE a;"],
  ["a$$; DROP TABLE a; DO $$ BEGIN", "flows"],
])("a name that would end a comment or a text of the script is refused: %s %s", async (user, database) => {
  const cwd = createFolder(CONFIG);
  const env = { DATABASE_URL: `postgres://${encodeURI(user).replace("%250A", "%0A")}@db/${database}` };
  const printed = await flowsheet(["runs", "setup", "--print"], { cwd, env });
  expect([printed.code, printed.stdout]).toEqual([2, ""]);
  expect(printed.stderr).toContain("a line break or $$");
});

test("without a server it prints the usual names, and has nothing to make", async () => {
  const cwd = createFolder({ "flowsheet.yaml": "workflows: .\n" });
  const printed = await flowsheet(["runs", "setup", "--print"], { cwd });
  expect(printed.stdout).toContain('CREATE ROLE "flowsheet" LOGIN;');
  const made = await flowsheet(["runs", "setup"], { cwd });
  expect([made.code, made.stderr]).toEqual([2, expect.stringContaining("runs.store in flowsheet.yaml")]);
});

describe.runIf(HAS_POSTGRES)("on a server", () => {
  let url: string;
  beforeAll(async () => {
    url = await newDatabase();
  });

  test("a role with the rights of the printed SQL, and no others, makes the tables", async () => {
    const cwd = createFolder(CONFIG);
    const role = `least_${process.pid}`;
    const env = { DATABASE_URL: as(url, role, CANARY) };
    const printed = await flowsheet(["runs", "setup", "--print"], { cwd, env });
    // Twice: it may be run again.
    for (const sql of [printed.stdout, printed.stdout]) await query(url, sql);
    const made = await flowsheet(["runs", "setup"], { cwd, env });
    expect([made.code, made.stderr]).toEqual([
      0,
      expect.stringMatching(/^note: the tables of the runs are in 127/),
    ]);
    const owners = await query(
      url,
      "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'flowsheet'",
    );
    expect(owners).toEqual([{ tableowner: role }]);
    const rights = await query(
      url,
      `SELECT rolsuper, rolcreatedb, rolcreaterole, has_database_privilege(rolname, current_database(), 'CREATE') AS makes
       FROM pg_roles WHERE rolname = '${role}'`,
    );
    expect(rights).toEqual([{ rolsuper: false, rolcreatedb: false, rolcreaterole: false, makes: false }]);
    expect((await flowsheet(["runs", "setup"], { cwd, env })).code).toBe(0);
  });

  test("a role without rights is told what gives them", async () => {
    const cwd = createFolder(CONFIG);
    const bare = await newDatabase();
    await query(url, `CREATE ROLE bare_${process.pid} LOGIN`);
    const env = { DATABASE_URL: as(bare, `bare_${process.pid}`, CANARY) };
    for (const words of [["runs", "setup"], ["runs"], ["doctor"], ["work", "--drain"]]) {
      const ended = await flowsheet(words, { cwd, env });
      expect([words, ended.code]).toEqual([words, words[0] === "doctor" ? 1 : 2]);
      expect(ended.stderr + ended.stdout).toContain("flowsheet runs setup --print");
      expect(ended.stderr + ended.stdout).not.toContain(CANARY);
    }
  });
});
