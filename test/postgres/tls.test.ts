import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "../../runtime/durable/postgres/connect.js";
import { StoreError } from "../../runtime/durable/store-error.js";
import { HAS_POSTGRES } from "./asked.js";
import { type PostgresServer, startServer } from "./server.js";

let server: PostgresServer;
let folder: string;

const openssl = (...words: readonly string[]): void =>
  void execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });

/** An authority, and a certificate of it for `localhost` alone. */
function makeCertificates(): void {
  const key = ["-newkey", "rsa:2048", "-nodes", "-days", "2"];
  for (const name of ["ca", "other"])
    openssl("req", "-x509", ...key, "-keyout", `${name}.key`, "-out", `${name}.pem`, "-subj", `/CN=${name}`);
  openssl("req", ...key.slice(0, 3), "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost");
  writeFileSync(join(folder, "names"), "subjectAltName=DNS:localhost\n");
  const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names", "-days", "2"];
  openssl("x509", "-req", "-in", "server.csr", "-out", "server.pem", ...signed);
  const { uid, gid } = statSync(server.folder);
  chownSync(join(folder, "server.key"), uid, gid);
  chmodSync(join(folder, "server.key"), 0o600);
}

describe.runIf(HAS_POSTGRES)("TLS to the database", () => {
  beforeAll(async () => {
    server = await startServer({
      settings: { listen_addresses: "localhost" },
      access: ["hostnossl all plain 0.0.0.0/0 reject", "hostnossl all plain ::/0 reject"],
    });
    folder = join(server.folder, "tls");
    mkdirSync(folder, { mode: 0o755 });
    makeCertificates();
    const files = `ssl = on\nssl_cert_file = '${folder}/server.pem'\nssl_key_file = '${folder}/server.key'\n`;
    appendFileSync(join(server.folder, "data", "postgresql.conf"), files);
    await server.stop();
    await server.start();
  });
  afterAll(() => server?.remove());

  /** Whether the connection has TLS, or what is told. */
  async function met(words: string, host = "localhost", user = "flowsheet"): Promise<unknown> {
    const url = `postgres://${user}@${host}:${server.port}/postgres?${words.replaceAll("@", `${folder}/`)}`;
    const database = await connect(url);
    try {
      const row = await database.first("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
      return row?.["ssl"];
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return `${error.code}: ${error.message}: ${error.help}`;
    } finally {
      await database.close();
    }
  }

  test.each([
    ["", false],
    ["sslmode=disable", false],
    ["sslmode=require", true],
    ["sslmode=require&sslrootcert=@ca.pem", true],
    ["sslmode=verify-ca&sslrootcert=@ca.pem", true],
    ["sslmode=verify-full&sslrootcert=@ca.pem", true],
  ])("%s connects, with TLS: %s", async (words, expected) => {
    expect(await met(words)).toBe(expected);
  });

  test.each([
    ["sslmode=verify-full", /^store_unusable: .*certificate.*sslmode/],
    ["sslmode=verify-full&sslrootcert=@other.pem", /^store_unusable: .*certificate.*sslmode/],
    ["sslmode=verify-ca&sslrootcert=@other.pem", /^store_unusable: .*certificate.*sslmode/],
    ["sslmode=require&sslrootcert=@other.pem", /^store_unusable: .*certificate.*sslmode/],
  ])("%s is refused", async (words, expected) => {
    expect(await met(words)).toMatch(expected);
  });

  test("only verify-full looks at the name", async () => {
    expect(await met("sslmode=verify-ca&sslrootcert=@ca.pem", "127.0.0.1")).toBe(true);
    const told = await met("sslmode=verify-full&sslrootcert=@ca.pem", "127.0.0.1");
    expect(told).toMatch(/^store_unusable: .*127\.0\.0\.1.*sslmode/);
  });

  test("a server that asks for TLS is told of as such", async () => {
    expect(await met("sslmode=disable", "localhost", "plain")).toMatch(/^store_unusable: .*sslmode=require/);
  });

  test("a server without TLS is told of as such", async () => {
    const plain = await startServer();
    try {
      const database = await connect(`${plain.url}?sslmode=require`);
      await expect(database.first("SELECT 1")).rejects.toMatchObject({
        code: "store_unusable",
        help: expect.stringContaining("sslmode"),
      });
      await database.close();
    } finally {
      await plain.remove();
    }
  });
});
