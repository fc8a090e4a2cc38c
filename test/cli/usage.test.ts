import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { verbs } from "../../cli/line/verbs.js";
import type { Context } from "../../cli/process/context.js";
import { createFolder } from "./folder.js";
import { flowsheetProcess } from "./process.js";
import { flowsheet } from "./run.js";
import { BROKEN, CLEAN } from "./sheets.js";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};

describe("the version", () => {
  test.each([["--version"], ["-V"]])("alone, it is told before anything is loaded: %s", async (arg) => {
    expect(await flowsheetProcess([arg])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  test.each([[["--version"]], [["-V"]], [["--quiet", "--version"]], [["validate", "--version"]]])(
    "%j",
    async (args) => {
      expect(await flowsheet(args)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    },
  );
});

describe("help", () => {
  test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("lists all commands: %j", async (args) => {
    const { code, stdout, stderr } = await flowsheet(args);
    expect([code, stderr]).toEqual([0, ""]);
    for (const { name, brief } of verbs) expect(stdout).toMatch(new RegExp(`^  ${name}\\b.*${brief}`, "m"));
    for (const option of ["--config", "--cwd", "--encoding", "--color", "--quiet", "--verbose"]) {
      expect(stdout).toContain(option);
    }
    expect(stdout).toContain("Exit codes:");
  });

  test("of the program groups every command once, and fits 60 lines", async () => {
    const { stdout } = await flowsheet(["--help"]);
    expect(stdout.split("\n").length - 1).toBeLessThanOrEqual(60);
    for (const { name, brief } of verbs)
      expect(
        stdout.split("\n").filter((line) => line.startsWith(`  ${name} `) && line.endsWith(brief)),
      ).toHaveLength(1);
  });

  test.each(verbs.map((verb) => [verb.name, verb] as const))(
    "of %s names its options and has examples",
    async (name, verb) => {
      const { code, stdout, stderr } = await flowsheet([name, "--help"]);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(new RegExp(`^Usage: flowsheet ${name}\\b`));
      for (const [flags] of verb.options) expect(stdout).toContain(flags);
      expect(stdout).toMatch(new RegExp(`^Examples\n  flowsheet ${name}\\b`, "m"));
      expect(stdout.split("\n").every((line) => line.length <= 80)).toBe(true);
    },
  );

  test("of a command is also asked for by help", async () => {
    const asked = await flowsheet(["help", "validate"]);
    expect(asked).toEqual(await flowsheet(["validate", "--help"]));
  });

  test("examples are understood", async () => {
    const { readCall } = await import("../../cli/line/call.js");
    for (const verb of verbs) {
      const run = vi.spyOn(verb, "run").mockResolvedValue(0);
      for (const [example] of verb.examples) {
        const [, ...args] = example.replace(/ <.*| >.*/, "").split(" ");
        await readCall(args).run({} as Context);
        expect(run, example).toHaveBeenCalledOnce();
        run.mockClear();
      }
      run.mockRestore();
    }
  });
});

describe("wrong usage: exit 2, with a hint", () => {
  test.each([
    [["valdate"], "unknown command 'valdate'", "did you mean validate?"],
    [["support.csv"], "unknown command 'support.csv'", "did you mean flowsheet validate support.csv?"],
    [["zzz"], "unknown command 'zzz'", "flowsheet --help lists the commands"],
    [["validate", "--csb", "a.csv"], "unknown option '--csb'", "did you mean --csv?"],
    [["validate", "--quit"], "unknown option '--quit'", "did you mean --quiet?"],
    [["validate", "-x"], "unknown option '-x'", "flowsheet validate --help shows how it is used"],
    [["validate", "--csv"], "option '--csv <path>' argument missing", "flowsheet validate --help"],
    [
      ["validate", "--format", "xml"],
      "Allowed choices are text, json, sarif, github",
      "flowsheet validate --help",
    ],
    [["explain", "a", "b"], "too many arguments", "flowsheet explain --help"],
    [["validate", "--json", "--format", "sarif"], "--json and --format sarif cannot be used together", ""],
    [["validate", "--json", "--dry-run"], "--dry-run shows a diff", ""],
    [["validate", "--encoding", "utf8x"], 'encoding "utf8x" is unknown', "windows-1252"],
    [["validate", "--cwd", "/no/such/folder"], "there is no folder /no/such/folder", ""],
    [["validate", "--config", "/no/such.yaml"], "cannot read the configuration", ""],
    [["explain", "unkown-node"], "there is no diagnostic", "did you mean unknown-node?"],
  ])("%j", async (args, message, help) => {
    const { code, stdout, stderr } = await flowsheet(args, { cwd: createFolder({ "a.csv": CLEAN }) });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toContain(message);
    expect(stderr).toContain(help);
  });

  test("what was typed cannot reach the terminal as an escape", async () => {
    const { code, stderr } = await flowsheet(["\x1b[2Jx"]);
    expect(code).toBe(2);
    expect(stderr).toContain("\\x1b[2Jx");
    expect(stderr).not.toContain("\x1b");
  });
});

describe("options of every command", () => {
  test.each([
    [["--quiet", "validate", "a.csv"]],
    [["validate", "--quiet", "a.csv"]],
    [["validate", "a.csv", "--quiet"]],
  ])("stand before or after its name: %j", async (args) => {
    const cwd = createFolder({ "a.csv": CLEAN });
    expect(await flowsheet(args, { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("--cwd is where paths begin", async () => {
    const cwd = createFolder({ "deep/a.csv": CLEAN });
    const { code, stdout } = await flowsheet(["--cwd", "deep", "validate", "a.csv"], { cwd });
    expect([code, stdout]).toEqual([0, "a.csv: no problems (1 graph, 2 nodes)\n"]);
  });

  test.each([
    ["none without a terminal", [], {}, false],
    ["--color", ["--color"], {}, true],
    ["FORCE_COLOR", [], { FORCE_COLOR: "1" }, true],
    ["NO_COLOR beats FORCE_COLOR", [], { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
    ["--color beats NO_COLOR", ["--color"], { NO_COLOR: "1" }, true],
    ["--no-color beats FORCE_COLOR", ["--no-color"], { FORCE_COLOR: "1" }, false],
  ])("colours: %s", async (_name, args, env, colored) => {
    const cwd = createFolder({ "a.csv": BROKEN });
    const { stdout } = await flowsheet(["validate", "a.csv", ...args], { cwd, env });
    expect(stdout.includes("\x1b[")).toBe(colored);
    const help = await flowsheet(["--help", ...args], { cwd, env });
    expect(help.stdout.includes("\x1b[")).toBe(colored);
  });
});

describe("explain", () => {
  test("shows a diagnostic", async () => {
    const { code, stdout, stderr } = await flowsheet(["explain", "unknown-node"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^error unknown-node: .*\n[\s\S]*\nExample\n[\s\S]*\nCure\n/);
  });

  test("lists all without a code", async () => {
    const { code, stdout } = await flowsheet(["explain"]);
    expect(code).toBe(0);
    expect(stdout).toContain("missing-column");
    expect(stdout).toContain("missing-dependency");
  });
});

test("a configuration that is wrong is named with line and column", async () => {
  const cwd = createFolder({ "flowsheet.yaml": "workflows: flows\nagents: [a\n", "flows/a.csv": CLEAN });
  const { code, stderr } = await flowsheet(["validate"], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: cannot read the configuration flowsheet\.yaml:\d+:\d+: /);
  expect((await flowsheet(["validate"], { cwd: join(cwd, "flows") })).code).toBe(2);
});
