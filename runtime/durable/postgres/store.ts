import { closable } from "../closable.js";
import { dbosCarrier } from "../dbos/carrier.js";
import type { CarrierOf } from "../legs/carrier.js";
import type { DurableStore } from "../store.js";
import type { StoreTrouble } from "../trouble.js";
import { changes } from "./changes.js";
import { type ConnectOptions, connect, type Database } from "./connect.js";
import { keeping } from "./keeping.js";
import { claims } from "./legs/claims.js";
import { journals } from "./legs/journals.js";
import { Lanes } from "./legs/lanes.js";
import { legs } from "./legs/legs.js";
import { owners } from "./legs/owners.js";
import { records } from "./legs/records.js";
import { lists } from "./lists.js";
import { reads } from "./reads.js";
import { prepareSchema } from "./schema.js";
import { dbosSchemaOf } from "./schema-names.js";
import { starts } from "./starts.js";
import { times } from "./times.js";

/** Told of what keeps the database from being used. */
export interface OpenOptions extends Omit<ConnectOptions, "trouble"> {
  readonly trouble?: StoreTrouble | undefined;
}

/** Opens the runs that are kept in a database of PostgreSQL. Tables that are missing are made. */
export async function openPostgresStore(url: string, options: OpenOptions = {}): Promise<DurableStore> {
  const database = await openDatabase(url, options);
  const lanes = new Lanes();
  const listed = lists(database);
  return closable(database.place, {
    ...starts(database),
    ...listed,
    ...reads(database, listed.counts),
    ...claims(database),
    ...journals(database),
    ...legs(database, lanes),
    ...records(database, lanes),
    ...owners(database),
    ...changes(database, lanes),
    carrierOf: dbosOf(database, options.root),
    ...times(database),
    ...keeping(database),
    close: () => database.close(),
  });
}

const dbosOf = ({ pool, schema }: Database, root: string = "."): CarrierOf =>
  dbosCarrier({ pool, schema: dbosSchemaOf(schema), root });

async function openDatabase(url: string, options: OpenOptions): Promise<Database> {
  let isOpen = false;
  const trouble: ConnectOptions["trouble"] = {
    // Whoever opens is told by the error itself.
    met: (error) => {
      if (isOpen) options.trouble?.met(error);
    },
    over: () => options.trouble?.over(),
  };
  const database = await connect(url, { ...options, trouble });
  try {
    await prepareSchema(database);
    isOpen = true;
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
