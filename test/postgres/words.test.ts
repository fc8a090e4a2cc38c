import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "../../runtime/durable/postgres/connect.js";
import { refusal } from "../../runtime/durable/postgres/refusals.js";
import type { StoreError } from "../../runtime/durable/store-error.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { HAS_POSTGRES } from "./asked.js";
import { type PostgresServer, query, startServer } from "./server.js";

const CONFIG = { "flowsheet.yaml": "workflows: .\nruns: { store: env:DATABASE_URL }\n" };
const CANARY = "canary-of-the-database";

let server: PostgresServer;

/** What a command of this project says, by its exit code; never the password. */
async function said(url: string, words: readonly string[] = ["runs", "setup"]): Promise<readonly unknown[]> {
  const address = new URL(url);
  if (address.password === "") address.password = CANARY;
  const ended = await flowsheet(words, { cwd: createFolder(CONFIG), env: { DATABASE_URL: address.href } });
  expect(ended.stderr + ended.stdout).not.toContain(CANARY);
  return [ended.code, ended.stderr + ended.stdout];
}

describe.runIf(HAS_POSTGRES)("what is said of a database that cannot be used", () => {
  beforeAll(async () => {
    server = await startServer({
      settings: { max_connections: "6", superuser_reserved_connections: "3" },
      access: ["host all locked 127.0.0.1/32 scram-sha-256", "host all barred 127.0.0.1/32 reject"],
    });
    await query(server.url, "CREATE ROLE locked LOGIN PASSWORD 'something else'");
    await query(server.url, "CREATE ROLE guest LOGIN");
  });
  afterAll(() => server?.remove());

  const as = (user: string): string => server.url.replace("flowsheet@", `${user}@`);

  test("a wrong password, and none", async () => {
    const told = [2, expect.stringMatching(/"locked"[\s\S]*the user or the password/)];
    expect(await said(as("locked"))).toEqual(told);
    expect(await said(as("nobody_known"))).toEqual([2, expect.stringContaining("nobody_known")]);
  });

  test("the password of the address is given to the server", async () => {
    const database = await connect(as("locked:something%20else"));
    expect(await database.first("SELECT current_user::text AS name")).toEqual({ name: "locked" });
    await database.close();
  });

  test.each([
    ["SASL authentication failed", "the user or the password"],
    ['password authentication failed for user "ada"', "the user or the password"],
    ["no such user: ada", "the user or the password"],
    ["no such database: flows", "make the database"],
    ["transaction blocks not allowed in statement pooling mode", "transaction mode"],
    ["unsupported startup parameter: options", "leave options out"],
    ["server login has been failing, try again later (server_login_retry)", null],
    ["query_wait_timeout", null],
  ])("PgBouncer, which has one code for all of it: %s", (message, help) => {
    const error = Object.assign(new Error(message), { code: "08P01" });
    const { code, help: told } = refusal("h/flows", error) as StoreError;
    expect([code, told]).toEqual(
      help === null
        ? ["store_unwritable", "what is stored stays, and goes on when it can be reached"]
        : ["store_unusable", expect.stringContaining(help)],
    );
  });

  test("a machine that is not admitted", async () => {
    expect(await said(as("barred"))).toEqual([2, expect.stringContaining("pg_hba.conf must admit")]);
  });

  test("a database that is not there", async () => {
    const told = [2, expect.stringContaining("make the database, or name another one")];
    expect(await said(server.url.replace(/postgres$/, "nowhere"))).toEqual(told);
  });

  test("a host that is not there", async () => {
    expect(await said("postgres://ada@nowhere.invalid/flows")).toEqual([
      1,
      expect.stringContaining("the run store nowhere.invalid/flows cannot be reached"),
    ]);
  });

  test("tables of a later version", async () => {
    const url = await server.database();
    await query(url, "CREATE SCHEMA flowsheet; CREATE TABLE flowsheet.meta (schema integer)");
    await query(url, "INSERT INTO flowsheet.meta VALUES (999)");
    for (const words of [["runs", "setup"], ["runs"], ["work", "--drain"]])
      expect(await said(url, words)).toEqual([2, expect.stringContaining("made by a later version")]);
    expect(await said(url, ["doctor"])).toEqual([1, expect.stringContaining("made by a later version")]);
  });

  test("a server whose connections are all taken", async () => {
    const pool = new pg.Pool({ connectionString: as("guest") });
    pool.on("error", () => {});
    const taken: pg.PoolClient[] = [];
    const full = async (): Promise<void> => {
      for (;;) taken.push(await pool.connect());
    };
    await expect(full()).rejects.toThrow(/connection/);
    expect(await said(as("guest"))).toEqual([1, expect.stringMatching(/cannot be reached: .*connection/)]);
    for (const client of taken) client.release();
    await pool.end();
  });

  test("a server that is stopped", async () => {
    await server.stop();
    const at = `127.0.0.1:${server.port}/postgres`;
    expect(await said(server.url)).toEqual([
      1,
      expect.stringContaining(`the run store ${at} cannot be reached`),
    ]);
    expect(await said(server.url, ["doctor"])).toEqual([1, expect.stringContaining(at)]);
    await server.start();
  });
});
