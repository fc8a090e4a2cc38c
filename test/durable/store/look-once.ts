// Opens a store, counts its runs, and closes it: node look-once.mjs <file> <driver>
import { openSqliteStore } from "../../../runtime/durable/sqlite/store.js";

const [file = "", driver] = process.argv.slice(2);
const store = await openSqliteStore(file, { driver: driver === "node" ? "node" : "libsql" });
console.log(JSON.stringify((await store.list({})).total));
await store.close();
