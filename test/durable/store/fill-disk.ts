// Records steps until the store refuses: node fill-disk.mjs <file> <driver>
import { openSqliteStore } from "../../../runtime/durable/sqlite/store.js";
import { CLAIM, oneRun, oneStep } from "./one-run.js";

const [file = "", driver] = process.argv.slice(2);
const store = await openSqliteStore(file, { driver: driver === "node" ? "node" : "libsql" });
const runId = "f".repeat(32);
const { lease } = await store.start(oneRun(runId), CLAIM);
let [kept, code] = [0, "none"];
for (; kept < 1_000; kept++) {
  const step = oneStep(kept + 1, "x".repeat(10_000));
  try {
    await store.record(lease!, { steps: [step], events: [], token: step.id });
  } catch (error) {
    code = (error as { readonly code: string }).code;
    break;
  }
}
console.log(JSON.stringify({ kept, code, runId }));
// Nothing is closed: the process ends as one does that the full disk has stopped.
process.exit(0);
