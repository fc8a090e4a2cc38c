import { parentPort } from "node:worker_threads";
import { checkSheet } from "./check-sheet.js";

// A thread of its own: a sheet may take seconds, in which the service answers others. The report is written as text
// here, too, since a long one takes time.
parentPort?.on("message", (bytes: Uint8Array) => {
  parentPort?.postMessage(JSON.stringify(checkSheet(bytes)));
});
