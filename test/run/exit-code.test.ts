import { expect, test } from "vitest";
import { exitCode } from "../../cli/run/outcome.js";
import type { ErrorCode } from "../../runtime/graph/contract/contract.js";
import type { WorkflowResult } from "../../runtime/runs/result.js";

const ended = (status: WorkflowResult["status"], code: ErrorCode | null): WorkflowResult => ({
  ...{ runId: "r", graph: "G", status, success: status === "completed", state: {}, path: [], steps: 0 },
  ...{ durationMs: 0, waiting: [] },
  error:
    code === null ? null : { code, message: "", graph: "G", node: null, file: null, line: null, cell: null },
});

test.each<[number, WorkflowResult["status"], ErrorCode | null, boolean]>([
  [0, "completed", null, false],
  [0, "completed", null, true],
  [1, "failed", "agent_failed", false],
  [1, "failed", "run_timeout", false],
  [3, "suspended", null, false],
  [70, "failed", "internal", false],
  [130, "cancelled", "cancelled", true],
  [130, "suspended", null, true],
])("exit %i: %s, %s, interrupted: %s", (code, status, error, interrupted) => {
  expect(exitCode(ended(status, error), interrupted)).toBe(code);
});
