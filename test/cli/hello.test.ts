import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const bin = resolve("dist/cli/bin.js");
const folder = mkdtempSync(join(tmpdir(), "flowsheet-hello-"));
cpSync("examples", join(folder, "examples"), { recursive: true });

function flowsheet(...args: readonly string[]): {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}

describe("the quick start", () => {
  test("validates the sheet", () => {
    expect(flowsheet("validate", "examples/hello.csv", "--strict")).toMatchObject({ code: 0 });
  });

  test("runs it", () => {
    const { code, stdout } = flowsheet("run", "--csv", "examples/hello.csv", "--input", "name=Ada");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ name: "Ada", greeting: "Hello Ada, welcome to Flowsheet!" });
  });

  test("compiles it, and runs the module with the same result", () => {
    expect(flowsheet("compile", "examples/hello.csv")).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, "generated/hello.gen.ts"))).toBe(true);
    expect(flowsheet("compile", "examples/hello.csv", "--check")).toMatchObject({ code: 0 });
    const [interpreted, generated] = [[], ["--generated"]].map((more) => {
      const { code, stdout } = flowsheet(
        "run",
        "--csv",
        "examples/hello.csv",
        "--input",
        "name=Ada",
        "--json",
        ...more,
      );
      const { run_id, duration_ms, ...rest } = JSON.parse(stdout);
      expect(typeof run_id).toBe("string");
      expect(typeof duration_ms).toBe("number");
      return { code, ...rest };
    });
    expect(generated).toEqual(interpreted);
    expect(generated).toMatchObject({
      code: 0,
      status: "completed",
      success: true,
      path: ["Ask", "Greet"],
      steps: 2,
    });
  });

  test("every example is clean, and compiles", () => {
    expect(flowsheet("validate", "examples", "--strict")).toMatchObject({ code: 0 });
    expect(flowsheet("compile", "examples", "--out", "all")).toMatchObject({ code: 0 });
  });
});
