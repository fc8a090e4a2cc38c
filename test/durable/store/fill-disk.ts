// Records steps until the store refuses: node fill-disk.mjs <file> <driver>
import { openSqliteStore } from "../../../runtime/durable/sqlite/store.js";

const [file = "", driver] = process.argv.slice(2);
const store = await openSqliteStore(file, { driver: driver === "node" ? "node" : "libsql" });
const runId = "f".repeat(32);
const { lease } = await store.start(
  {
    ...{ runId, graph: "Orders", sheet: null, version: "v1", contract: 1, given: {}, options: null },
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
let [kept, code] = [0, "none"];
for (; kept < 1_000; kept++) {
  const seq = kept + 1;
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
    ...{ outcome: "success", result: "x".repeat(10_000), seen: null, writes: null, error: null, worked: 1 },
  };
  try {
    await store.record(lease!, { steps: [step], events: [], token: `${seq}` });
  } catch (error) {
    code = (error as { readonly code: string }).code;
    break;
  }
}
console.log(JSON.stringify({ kept, code, runId }));
// Nothing is closed: the process ends as one does that the full disk has stopped.
process.exit(0);
