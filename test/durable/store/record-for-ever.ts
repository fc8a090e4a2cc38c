// Records steps until it is killed, and prints the number of each that is kept: node record-for-ever.mjs <file> <driver>
import { writeSync } from "node:fs";
import { openSqliteStore } from "../../../runtime/durable/sqlite/store.js";

const [file = "", driver] = process.argv.slice(2);
const store = await openSqliteStore(file, { driver: driver === "node" ? "node" : "libsql" });
const { lease } = await store.start(
  {
    ...{
      runId: "f".repeat(32),
      graph: "Orders",
      sheet: null,
      version: "v1",
      contract: 1,
      given: {},
      options: null,
    },
    ...{
      key: null,
      userId: null,
      startedBy: null,
      parent: null,
      words: "",
      created: 1,
      due: 0,
      deadline: null,
    },
  },
  { claim: { owner: "0123456789abcdef-1-1" } },
);
for (let seq = 1; ; seq++) {
  const step = {
    ...{
      id: `Node|${seq}`,
      seq,
      pure: false,
      node: "Node",
      visit: seq,
      attempt: 1,
      branch: [],
      began: 1,
      ended: 2,
    },
    ...{ outcome: "success", result: seq, seen: null, writes: null, error: null, worked: 1 },
  };
  await store.record(lease!, { steps: [step], events: [], token: `${seq}` });
  writeSync(1, `${seq}\n`);
}
