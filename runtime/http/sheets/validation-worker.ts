import { parentPort } from "node:worker_threads";
import { understandSheet } from "../../../compiler/compile.js";
import { createReport } from "../../../compiler/diagnostics/report.js";
import { NOWHERE } from "../../workflows/nowhere.js";
import type { SheetMessage } from "./sheet-checks.js";

const SHOWN = "sheet.csv";

// A worker thread, because a sheet may take seconds. The report is also formatted here, since a long one takes time.
// Only the sheet is read, and nothing is run.
parentPort?.on("message", async ({ bytes, draw }: SheetMessage) => {
  const { diagnostics, graphs, sheet } = understandSheet({ file: SHOWN, bytes }, NOWHERE);
  if (draw !== null) {
    const { drawnJson } = await import("../../mcp/drawn.js");
    parentPort?.postMessage(drawnJson(graphs, draw));
    return;
  }
  const report = createReport(diagnostics, new Map([[SHOWN, sheet?.text ?? ""]]), graphs);
  parentPort?.postMessage(JSON.stringify(report));
});
