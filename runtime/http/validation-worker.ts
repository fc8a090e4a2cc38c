import { parentPort, workerData } from "node:worker_threads";
import { checkSheet } from "./check-sheet.js";

// A thread of its own: a large sheet takes seconds, in which the service answers others.
parentPort?.postMessage(checkSheet(workerData as Uint8Array));
