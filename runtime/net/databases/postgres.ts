import type { Client, ClientConfig, QueryConfig, QueryResult } from "pg";
import { readAddress } from "../../durable/postgres/server/address.js";
import type { Json } from "../../graph/contract/contract.js";
import { AgentError, messageOf } from "../../graph/contract/errors.js";
import type { SqlCall } from "../../graph/contract/services.js";
import { loadPackage, missingPackages, missingText } from "../../optional-packages.js";
import type { Connection } from "../connections.js";
import { keepAnswer, MAKE_KEYS, readKey, takeKey } from "./keys.js";
import { typesOf } from "./postgres-types.js";
import { columnsOf, jsonOf, MOST_CHARACTERS, Refused, Rows, tooLarge } from "./rows.js";

type Pg = typeof import("pg");

/** Runs one statement in a transaction of its own, on a connection of its own. */
export async function runOnPostgres(
  call: SqlCall,
  connection: Connection,
  sql: string,
  root: string,
): Promise<Json> {
  const { name, values } = connection;
  const missing = missingPackages(["pg"], root);
  if (missing.length > 0) throw new AgentError("agent_failed", missingText(missing));
  const pg = ((await loadPackage("pg", root)) as { readonly default: Pg }).default;
  try {
    const { client: config } = readAddress(String(values["url"]));
    return JSON.parse(await asked(pg, config, { ...call, sql })) as Json;
  } catch (error) {
    call.signal?.throwIfAborted();
    throw new AgentError("agent_failed", `${name}: ${told(error)}`);
  }
}

interface Asked extends SqlCall {
  readonly sql: string;
}

async function asked(pg: Pg, config: ClientConfig, call: Asked): Promise<string> {
  const client = new pg.Client({ ...config, keepAlive: true });
  // Without somebody who listens, a connection that breaks ends the process. The statement shows it.
  client.on("error", () => {});
  const stop = (): void => void cancel(pg, config, client);
  call.signal?.addEventListener("abort", stop, { once: true });
  try {
    await client.connect();
    call.signal?.throwIfAborted();
    return await inTransaction(pg, client, call);
  } catch (error) {
    if (error instanceof Refused) stop();
    throw error;
  } finally {
    call.signal?.removeEventListener("abort", stop);
    await client.end().catch(() => {});
  }
}

/** The server goes on with a statement whose connection is cut, so it is told. */
async function cancel(pg: Pg, config: ClientConfig, client: Client): Promise<void> {
  const { processID } = client as Client & { readonly processID: number | null };
  if (processID === null) return void client.end().catch(() => {});
  const other = new pg.Client(config);
  other.on("error", () => {});
  try {
    await other.connect();
    await other.query("SELECT pg_cancel_backend($1)", [processID]);
  } catch {
    // A server that cannot be reached is not at work for us.
  } finally {
    await other.end().catch(() => {});
  }
}

async function inTransaction(pg: Pg, client: Client, call: Asked): Promise<string> {
  const { key } = call;
  if (key !== undefined) await makeKeys(client);
  await client.query(call.readOnly ? "BEGIN READ ONLY" : "BEGIN");
  const answer = key === undefined ? await answerOf(pg, client, call) : await onceIn(pg, client, call, key);
  call.signal?.throwIfAborted();
  await client.query("COMMIT");
  return answer;
}

/** A role that may not make tables can use one that is there. */
async function makeKeys(client: Client): Promise<void> {
  const { rows } = await client.query<{ there: unknown }>("SELECT to_regclass('flowsheet_keys') AS there");
  if (rows[0]?.there !== null) return;
  await client.query(MAKE_KEYS).catch((error: unknown) => {
    // Another one makes it at this moment: its row, its table or its type is there.
    if (!["23505", "42P07", "42710"].includes(codeOf(error))) throw error;
  });
}

/** A key that is there was taken by an earlier attempt, whose change stands. One that is being taken is waited for. */
async function onceIn(pg: Pg, client: Client, call: Asked, key: string): Promise<string> {
  const taken = await client.query(takeKey("$1", "$2"), [key, new Date().toISOString()]);
  if (taken.rowCount === 0) {
    const { rows } = await client.query<{ answer: string | null }>(readKey("$1"), [key]);
    return rows[0]?.answer ?? "null";
  }
  const answer = await answerOf(pg, client, call);
  await client.query(keepAnswer("$1", "$2"), [answer, key]);
  return answer;
}

/** Rows are counted as they come: the answer may be larger than the memory. */
function answerOf(pg: Pg, client: Client, { sql, values, givesRows, maxRows }: Asked): Promise<string> {
  return new Promise((resolve, reject) => {
    const config: QueryConfig & { queryMode: string; rowMode: "array" } = {
      // Also without values: in this mode the server takes one statement only.
      ...{ text: sql, values: values.map(boundValue), queryMode: "extended", rowMode: "array" },
      types: typesOf(pg),
    };
    const query = new pg.Query(config as never);
    const rows = new Rows(maxRows);
    let names: readonly string[] | null = null;
    const row = measuredRow(client, reject);
    query.on("row", (cells: unknown, result) => {
      row.isWhole();
      try {
        names ??= columnsOf(result?.fields.map(({ name }) => name) ?? []);
        const values = cells as readonly unknown[];
        rows.add(Object.fromEntries(names.map((name, at) => [name, jsonOf(values[at])])));
      } catch (error) {
        reject(error);
      }
    });
    query.on("error", reject);
    query.on("end", (result: QueryResult) =>
      resolve(givesRows ? rows.json : JSON.stringify({ changes: result.rowCount ?? 0 })),
    );
    client.query(query);
  });
}

/** No row that fits is as long on its way: bytes are sent as two letters each, and characters have at most four bytes. */
const LONGEST_ROW = 4 * MOST_CHARACTERS;

/** `pg` gives a row when all of it is in memory, so what is too long is given up on its way. */
function measuredRow({ connection: { stream } }: Client, reject: (error: Error) => void) {
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= LONGEST_ROW) return;
    reject(tooLarge());
    stream.destroy();
  });
  return {
    isWhole: (): void => {
      size = 0;
    },
  };
}

/** A list of plain values is an array; `pg` writes it. All else that is no plain value is JSON. */
function boundValue(value: Json): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) && value.every((one) => typeof one !== "object" || one === null)
    ? value
    : JSON.stringify(value);
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** What is said of classes and codes whose messages name hosts, roles and databases. */
const PLAIN: { readonly [code: string]: string } = {
  "08": "the connection to the server failed",
  "28": "the server refuses the role or its password",
  "3D": "the server has no database of this name",
  "53300": "the server takes no more connections",
};

/** What the server tells beside its message may hold values of other rows. */
function told(error: unknown): string {
  const code = codeOf(error);
  const message = messageOf(error);
  const isOfServer = error instanceof Error && "severity" in error;
  if (!isOfServer && /^[A-Z\d_]+$/.test(code)) return `the server cannot be reached (${code})`;
  const plain = isOfServer ? (PLAIN[code] ?? PLAIN[code.slice(0, 2)]) : undefined;
  if (plain !== undefined) return `${plain} (${code})`;
  if (code === "25006") return `${message}; write "read_only": false if it may change something`;
  return message === "" ? "the server cannot be reached" : message;
}
