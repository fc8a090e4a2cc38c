import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ConfigurationError, readProject } from "../../runtime/config/folders.js";
import { readYaml, tooDeep } from "../../runtime/config/yaml.js";
import { createFolder } from "./folder.js";

describe("the project's folders", () => {
  test("are below the working folder without a configuration", () => {
    const root = createFolder();
    expect(readProject(root, null, {})).toEqual({
      file: null,
      root,
      workflows: join(root, "workflows"),
      agents: join(root, "agents"),
      prompts: join(root, "prompts"),
      generated: join(root, "generated"),
      generatedImport: "flowsheet",
      data: join(root, "data"),
      runs: join(root, ".flowsheet/runs"),
      timezone: null,
      configuration: {},
      execution: { maxSteps: null, timeoutMs: null },
      keeping: {
        ...{
          store: "sqlite",
          connections: 10,
          keep: "all",
          record: "full",
          durability: "process",
          concurrency: 10,
          limits: {},
        },
        ...{ recoveries: 5, deadAfterMs: 30_000, erase: "never", onDisconnect: "cancel" },
        ...{ retentionMs: 30 * 24 * 3_600_000, deadlineMs: null, visibility: "all", remindWith: null },
      },
    });
  });

  test("are named by the configuration, which is looked for upwards", () => {
    const root = createFolder({
      "flowsheet.yaml": "workflows: flows\nagents: ../shared\nllm: {}\n",
      "a/b/c.txt": "",
    });
    expect(readProject(join(root, "a/b"), null, {})).toMatchObject({
      file: join(root, "flowsheet.yaml"),
      root,
      workflows: join(root, "flows"),
      agents: join(root, "../shared"),
      prompts: join(root, "prompts"),
    });
  });

  test("a configuration may move the runs and limit them", () => {
    const root = createFolder({
      "flowsheet.yaml": "runs: ../kept\nexecution: { max_steps: 50, timeout_ms: 2000, concurrency: 4 }\n",
    });
    expect(readProject(root, null, {})).toMatchObject({
      runs: join(root, "../kept"),
      execution: { maxSteps: 50, timeoutMs: 2000 },
    });
  });

  test("an empty configuration is one", () => {
    const root = createFolder({ "flowsheet.yaml": "# nothing\n" });
    expect(readProject(root, null, {})).toMatchObject({ root, workflows: join(root, "workflows") });
  });

  test.each([
    ["workflows: [a", /bracket is never closed/],
    ["- a", "the configuration is not a mapping of settings"],
    ["workflows: 7", "workflows must be a folder's path"],
    ["execution: [1]", "execution is not a mapping of settings"],
    ["execution: { max_steps: 0 }", "execution.max_steps must be a whole number, 1 or more"],
    ["execution: { timeout_ms: 2s }", "execution.timeout_ms must be a whole number, 1 or more"],
    ["workflows: a\nworkflows: b", /unique/i],
    ["workflows: &a x\nagents: *a", /alias/i],
    ["a: !!js/function x", /tag/i],
  ])("are not read from %j", (text, message) => {
    const root = createFolder({ "flowsheet.yaml": text });
    expect(() => readProject(root, null, {})).toThrow(message);
    expect(() => readProject(root, null, {})).toThrow(ConfigurationError);
  });

  test.each([
    ["runs: r\nworkflows:  7", 2, 13],
    ["execution:\n  max_steps: lots", 2, 14],
    ["execution: [1]", 1, 1],
    ["agents: a\nexecution:\n  timeout_ms: env:NO_SUCH_TIME", 3, 15],
  ])("a wrong setting of %j has its place", (text, line, column) => {
    const root = createFolder({ "flowsheet.yaml": text });
    expect(() => readProject(root, null, {})).toThrow(expect.objectContaining({ line, column }));
  });

  test("are not read from a file that is not there, a folder, or other bytes", () => {
    const root = createFolder({ "folder/x": "", "latin.yaml": Uint8Array.of(0x61, 0xe9) });
    expect(() => readProject(root, "missing.yaml", {})).toThrow("there is no such file");
    expect(() => readProject(root, "folder", {})).toThrow("it is not a file");
    expect(() => readProject(root, "latin.yaml", {})).toThrow("it is not UTF-8 text");
  });
});

describe("K19: deep YAML never reaches the parser", () => {
  const deep = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

  test.each([65, 1_000, 1_500, 10_000, 100_000])("%i brackets", (depth) => {
    expect(readYaml(deep(depth))).toMatchObject({
      problem: "nested deeper than 64 levels",
      line: 1,
      column: 65,
    });
  });

  test("brackets over many lines, mappings, and nested lists", () => {
    expect(tooDeep("a:\n".concat("  [\n".repeat(100)))).not.toBeNull();
    expect(tooDeep("{a: ".repeat(100))).not.toBeNull();
    expect(tooDeep("- ".repeat(100).concat("x"))).not.toBeNull();
    expect(
      tooDeep(Array.from({ length: 100 }, (_, index) => `${" ".repeat(index)}a:`).join("\n")),
    ).not.toBeNull();
  });

  test("ordinary files pass", () => {
    expect(
      tooDeep(Array.from({ length: 500 }, (_, index) => `key${index}: [a, "[[[", '{{']`).join("\n")),
    ).toBeNull();
    expect(tooDeep(`# ${"[".repeat(100)}\ntext: "${"{".repeat(100)}"\n`)).toBeNull();
    expect(readYaml(deep(64))).toHaveProperty("data");
  });

  test("a file of more than 1 MB is refused, and hostile ones cost little", () => {
    const started = performance.now();
    expect(readYaml("a".repeat(1_000_001))).toHaveProperty("problem");
    for (const part of ['"', "'", '"\\', "- ", "#", "[ ]", " "]) tooDeep(part.repeat(400_000));
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
