import { readStatement, type Statement } from "../../../compiler/sql-statement.js";
import type { Json } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import type { Databases, SqlCall } from "../../graph/contract/services.js";
import { oncePerKey } from "../../lazy.js";
import { type Connection, type ConnectionSource, connectionNamed } from "../connections.js";
import { createSqliteProcess, databaseFile } from "./sqlite.js";
import { createTurns } from "./turns.js";

export interface DatabaseSource {
  readonly connections: ConnectionSource;
  /** The data folder, where files of SQLite are. */
  readonly data: string;
  /** The folder of the project, whose packages are used. */
  readonly root: string;
}

/** A server of PostgreSQL has places for about a hundred, whoever asks. */
const MOST_CONNECTIONS = 10;

/** The databases that connections name. */
export function createDatabases(source: DatabaseSource): Databases {
  const processOf = oncePerKey((_path: string) => createSqliteProcess(failure));
  const turnsOf = oncePerKey((_connection: string) => createTurns(MOST_CONNECTIONS));
  const onSqlite = async (call: SqlCall, { name, values }: Connection): Promise<Json> => {
    checkForSqlite(call.texts);
    const path = await databaseFile(source.data, String(values["file"]), call.readOnly);
    return processOf(path)
      .ask(
        {
          path,
          sql: joined(call.texts, (number) => `?${number}`),
          values: call.values,
          givesRows: call.givesRows,
          readOnly: call.readOnly,
          key: call.key ?? null,
          maxRows: call.maxRows ?? null,
        },
        call.signal,
      )
      .catch((error: unknown) => {
        throw error instanceof AgentError ? failure(`${name}: ${error.message}`) : error;
      });
  };
  return {
    run: async (call) => {
      call.signal?.throwIfAborted();
      checkCall(call);
      const connection = connectionNamed(call.connection, ["sqlite", "postgres"], source.connections);
      if (connection.kind === "sqlite") return onSqlite(call, connection);
      const { runOnPostgres } = await import("./postgres.js");
      const sql = joined(call.texts, (number) => `$${number}`);
      const work = (): Promise<Json> => runOnPostgres(call, connection, sql, source.root);
      return turnsOf(connection.name)(work, call.signal);
    },
  };
}

const failure = (message: string): AgentError => new AgentError("agent_failed", message);

/** Whoever calls, the database gets one statement, and values in the places for values alone. */
function checkCall({ texts, values }: SqlCall): void {
  if (texts.length !== values.length + 1) throw failure("between two texts of a statement a value is bound");
  const { fault, parameters } = read(texts);
  if (fault !== null) throw failure(`the statement ${fault.why}`);
  const [first] = parameters.filter((one) => one !== "?");
  if (first !== undefined && /^[$?]/.test(first))
    throw failure(`the statement has ${first}: write {name} for the value of an input`);
}

/** Signs that PostgreSQL has as operators are places for values to SQLite. */
function checkForSqlite(texts: readonly string[]): void {
  const [first] = read(texts).parameters;
  if (first !== undefined)
    throw failure(`the statement has ${first}: write {name} for the value of an input`);
}

const read = (texts: readonly string[]): Statement =>
  readStatement(texts.flatMap((text, at) => (at === 0 ? [text] : [["value"], text])));

/** The texts with the database's own places between them. */
const joined = (texts: readonly string[], place: (number: number) => string): string =>
  texts.map((text, at) => (at === 0 ? text : `${place(at)}${text}`)).join("");
