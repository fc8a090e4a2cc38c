import { expect, test } from "vitest";
import { readAddress } from "../../runtime/durable/postgres/server/address.js";
import { StoreError } from "../../runtime/durable/store-error.js";

/** Files that the address names have their path as their text. */
const addressOf = (address: string) => readAddress(address, (_name, path) => `text of ${path}`);

function refusal(address: string): string {
  try {
    addressOf(address);
  } catch (error) {
    if (error instanceof StoreError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "none";
}

test("an address gives what pg needs, and a name without the password", () => {
  const { client, shown, user, database } = addressOf("postgres://ada:c%40nary@db.example:6432/flows");
  expect(client).toEqual({
    ...{ host: "db.example", port: 6432, database: "flows", user: "ada", password: "c@nary" },
    ...{ application_name: "flowsheet", connectionTimeoutMillis: 10_000 },
  });
  expect([shown, user, database]).toEqual(["db.example:6432/flows", "ada", "flows"]);
});

test.each([
  ["postgresql://db/flows", "db/flows", { host: "db", database: "flows" }],
  ["postgres://[::1]:5432/flows", "::1:5432/flows", { host: "::1", port: 5432, database: "flows" }],
  ["postgres:///flows?host=/run/postgresql", "flows at /run/postgresql", { host: "/run/postgresql" }],
  ["postgres://ada@/flows?host=/run/pg", "flows at /run/pg", { host: "/run/pg", user: "ada" }],
  ["postgres://ada@%2Frun%2Fpg/flows", "flows at /run/pg", { host: "/run/pg", user: "ada" }],
  ["postgres://db/flows?user=ada&password=x&connect_timeout=3", "db/flows", { user: "ada", password: "x" }],
  ["postgres://", "localhost", {}],
])("%s is %s", (address, shown, client) => {
  const read = addressOf(address);
  expect(read.shown).toBe(shown);
  expect(read.client).toMatchObject(client);
});

/** What Node's `tls` does by itself is to check chain and name. */
test.each([
  ["", undefined],
  ["sslmode=disable", false],
  ["sslmode=require", { rejectUnauthorized: false }],
  ["sslmode=require&sslrootcert=ca.pem", { rejectUnauthorized: true, ca: "text of ca.pem", name: "any" }],
  ["sslmode=verify-ca&sslrootcert=ca.pem", { rejectUnauthorized: true, ca: "text of ca.pem", name: "any" }],
  ["sslmode=verify-full", { rejectUnauthorized: true }],
  ["ssl=true", { rejectUnauthorized: true }],
  ["ssl=false", false],
  ["sslmode=verify-full&sslrootcert=system", { rejectUnauthorized: true }],
  ["sslmode=verify-full&sslrootcert=ca.pem", { rejectUnauthorized: true, ca: "text of ca.pem" }],
  [
    "sslmode=require&sslcert=c.pem&sslkey=k.pem&sslpassword=x",
    { rejectUnauthorized: false, cert: "text of c.pem", key: "text of k.pem", passphrase: "x" },
  ],
])("TLS of ?%s", (words, expected) => {
  const { ssl } = addressOf(`postgres://db/flows?${words}`).client;
  if (typeof ssl !== "object") return expect(ssl).toBe(expected);
  const { checkServerIdentity, ...rest } = ssl;
  expect(checkServerIdentity === undefined ? rest : { ...rest, name: "any" }).toEqual(expected);
});

test("a socket of this machine is used without TLS", () => {
  expect(addressOf("postgres:///flows?host=/run/pg&sslmode=require").client.ssl).toBe(false);
});

test.each([
  ["mysql://ada:canary@db/x", "it must begin with postgres://"],
  ["postgres://ada:canary@db:1:2/x", "it must begin with postgres://"],
  ["postgres://ada:can%ZZary@db/x", "a % in it begins no character: write %25"],
  ["postgres://ada:canary@db/x?port=0", "its port is no number from 1 to 65535"],
  ["postgres://ada:canary@db/x?connect_timeout=soon", "its connect_timeout is no number of seconds"],
  ["postgres://ada:canary@db/x?sslmode=prefer", 'sslmode is "prefer"'],
  ["postgres://ada:canary@db/x?ssl=yes", 'sslmode is "yes"'],
  ["postgres://ada:canary@db/x?ssl_mode=require", 'it has the unknown part "ssl_mode"'],
  ["postgres://ada:canary@db/x?sslrootcert=ca.pem", "it has sslrootcert and no sslmode"],
  ["postgres://ada:canary@db/x?sslmode=verify-ca", "sslmode=verify-ca needs sslrootcert"],
  [
    "postgres://ada:canary@db/x?sslmode=require&sslrootcert=system",
    "sslrootcert=system needs sslmode=verify-full",
  ],
])("%s is refused", (address, why) => {
  expect(refusal(address)).toBe(`store_unusable: the address of the database cannot be used: ${why}`);
});

test("a file of the address that cannot be read is named", () => {
  const read = (): unknown => readAddress("postgres://db/x?sslmode=verify-full&sslrootcert=/no/ca.pem");
  expect(read).toThrow("its sslrootcert cannot be read: ENOENT");
});
