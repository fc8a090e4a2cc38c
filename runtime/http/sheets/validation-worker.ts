import { parentPort } from "node:worker_threads";
import { understandSheet } from "../../../compiler/compile.js";
import { createReport } from "../../../compiler/diagnostics/report.js";
import { NOWHERE } from "../../workflows/nowhere.js";

const SHOWN = "sheet.csv";

// A worker thread, because a sheet may take seconds. The report is also formatted here, since a long one takes time.
// Only the sheet is read, and nothing is run.
parentPort?.on("message", (bytes: Uint8Array) => {
  const { diagnostics, graphs, sheet } = understandSheet({ file: SHOWN, bytes }, NOWHERE);
  const report = createReport(diagnostics, new Map([[SHOWN, sheet?.text ?? ""]]), graphs);
  parentPort?.postMessage(JSON.stringify(report));
});
