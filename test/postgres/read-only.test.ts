import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../runtime/durable/postgres/store.js";
import { StoreTrouble } from "../../runtime/durable/trouble.js";
import { HAS_POSTGRES } from "./asked.js";
import { type PostgresServer, query, startServer } from "./server.js";

/** What holds for sessions that begin from now on. Those that have begun stay as they are, as with a standby. */
const fromNowOn = (url: string, is: "on" | "off") =>
  query(url, `ALTER ROLE worker SET default_transaction_read_only = ${is}`);

describe.skipIf(!HAS_POSTGRES)("a server that reads, and writes nothing", () => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await startServer();
    await query(server.url, "CREATE ROLE worker LOGIN");
    url = server.url.replace("flowsheet@", "worker@");
    await query(server.url, "CREATE SCHEMA flowsheet AUTHORIZATION worker");
  });
  afterAll(() => server?.remove());

  async function opened() {
    const warned: string[] = [];
    const trouble = new StoreTrouble({ warn: (text) => void warned.push(text) });
    await fromNowOn(server.url, "off");
    await (await openPostgresStore(url)).close();
    await fromNowOn(server.url, "on");
    const store = await openPostgresStore(url, { trouble, connections: 1 });
    onTestFinished(() => store.close());
    return { store, trouble, warned };
  }

  test("what is read does not end the trouble", async () => {
    const { store, trouble, warned } = await opened();
    const writing = { code: "store_unwritable", message: expect.stringContaining("cannot be written: ") };
    await expect(store.probe()).rejects.toMatchObject(writing);
    expect(await store.workers()).toEqual([]);
    expect(await store.list({})).toMatchObject({ runs: [] });
    expect(trouble.error).toMatchObject(writing);
    expect(warned).toHaveLength(1);
  });

  test("is left for the one that has its place now", async () => {
    const { store, trouble } = await opened();
    await expect(store.probe()).rejects.toMatchObject({ code: "store_unwritable" });
    await fromNowOn(server.url, "off");
    await store.probe();
    expect(trouble.error).toBe(null);
  });
});
