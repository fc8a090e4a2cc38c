// Records steps until it is killed, and prints the number of each that is kept: node record-for-ever.mjs <file> <driver> <digit>
import { writeSync } from "node:fs";
import { openSqliteStore } from "../../../runtime/durable/sqlite/store.js";
import { CLAIM, oneRun, oneStep } from "./one-run.js";

const [file = "", driver, digit = "f"] = process.argv.slice(2);
const store = await openSqliteStore(file, { driver: driver === "node" ? "node" : "libsql" });
const { lease } = await store.start(oneRun(digit.repeat(32)), CLAIM);
for (let seq = 1; ; seq++) {
  await store.record(lease!, { steps: [oneStep(seq, seq)], events: [], token: `${seq}` });
  writeSync(1, `${seq}\n`);
}
