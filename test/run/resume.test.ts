import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { Flowsheet } from "../../runtime/index.js";

const bin = resolve("dist/cli/bin.js");
const folder = mkdtempSync(join(tmpdir(), "flowsheet-resume-"));
cpSync("examples", join(folder, "examples"), { recursive: true });

function flowsheet(...args: readonly string[]): { readonly code: number | null; readonly stdout: string } {
  const { status, stdout } = spawnSync(process.execPath, [bin, ...args], { cwd: folder, encoding: "utf8" });
  return { code: status, stdout };
}

const refund = ["examples/support.csv", "--input", "customer=Ada", "--input", "question=refund", "--json"];

describe("a run that waits", () => {
  const { code, stdout } = flowsheet("run", ...refund);
  const suspended = JSON.parse(stdout);

  test("is suspended with exit code 3, and says what it waits for", () => {
    expect(code).toBe(3);
    expect(suspended).toMatchObject({ status: "suspended", success: false, error: null });
    expect(suspended.waiting).toMatchObject([{ node: "ApproveRefund", field: "approval" }]);
  });

  test("is stored for its owner alone", () => {
    const runs = join(folder, ".flowsheet/runs");
    const files = readdirSync(runs).filter((name) => statSync(join(runs, name)).isFile());
    expect(files.length).toBe(1);
    for (const name of files) expect(statSync(join(runs, name)).mode & 0o777).toBe(0o600);
  });

  test("goes on in another process, once", () => {
    const first = flowsheet("resume", suspended.run_id, "--answer", "ApproveRefund=no", "--json");
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({
      status: "completed",
      path: [...suspended.path, "Decline", "Close"],
      state: { reply: "Dear Ada, we cannot refund this order. Please call us." },
    });
    expect(flowsheet("resume", suspended.run_id, "--answer", "ApproveRefund=yes").code).toBe(2);
  });
});

test("the library runs a sheet, with the keys of either spelling", async () => {
  const flowsheetClass = new Flowsheet();
  const csvPath = join(folder, "examples/hello.csv");
  const camel = await flowsheetClass.runWorkflow({
    csvPath,
    graphName: "Hello",
    initialState: { name: "Ada" },
  });
  const snake = await flowsheetClass.runWorkflow({
    csv_path: csvPath,
    graph_name: "Hello",
    initial_state: { name: "Ada" },
  });
  expect(camel).toMatchObject({
    status: "completed",
    state: { greeting: "Hello Ada, welcome to Flowsheet!" },
  });
  expect(snake.state).toEqual(camel.state);
});
