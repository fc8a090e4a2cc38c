import { chmodSync, readFileSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkNetwork } from "../../cli/doctor/check-runs.js";
import { readProject } from "../../runtime/config/folders.js";
import { createFolder } from "./folder.js";
import { flowsheetProcess, type ProcessOptions } from "./process.js";
import { flowsheet, type RunOptions } from "./run.js";
import { BROKEN, CLEAN, WARNED } from "./sheets.js";

interface Check {
  readonly about: string;
  readonly status: string;
  readonly message: string;
  readonly help: string | null;
}
interface Report {
  readonly ok: boolean;
  readonly problems: number;
  readonly warnings: number;
  readonly checks: readonly Check[];
}

async function look(
  options: ProcessOptions & RunOptions,
): Promise<Report & { readonly code: number | null; readonly all: string }> {
  const run = options.unprivileged === true ? flowsheetProcess : flowsheet;
  const { stdout, stderr, code } = await run(["doctor", "--json"], options);
  return { ...(JSON.parse(stdout) as Report), code, all: stdout + stderr };
}

const about = ({ checks }: Report, name: string): readonly Check[] =>
  checks.filter((one) => one.about === name);

describe("a project without a problem", () => {
  test("made by init: every line is ok, exit 0", async () => {
    const cwd = createFolder();
    await flowsheet(["init", "p", "--template", "support"], { cwd });
    const { ok, problems, warnings, checks, code } = await look({ cwd: join(cwd, "p") });
    expect([ok, problems, warnings, code]).toEqual([true, 0, 0, 0]);
    const seen = new Set(checks.map((one) => one.about));
    for (const one of [
      "flowsheet",
      "node",
      "package",
      "configuration",
      "folder",
      "provider",
      "agents",
      "sheets",
    ])
      expect(seen).toContain(one);
    expect(checks.every(({ status, help }) => status === "ok" && help === null)).toBe(true);
    const quiet = await flowsheet(["doctor", "--quiet"], { cwd: join(cwd, "p") });
    expect([quiet.stdout, quiet.stderr, quiet.code]).toEqual(["", "", 0]);
  });

  test("the text has the same lines and their counts", async () => {
    const cwd = createFolder({ "a.csv": CLEAN });
    const { stdout } = await flowsheet(["doctor"], { cwd });
    const { checks } = await look({ cwd });
    for (const { status, message } of checks)
      expect(stdout.split("\n").some((line) => line.startsWith(status) && line.endsWith(message))).toBe(true);
    expect(stdout.endsWith("0 problems, 0 warnings\n")).toBe(true);
  });
});

describe("what is wrong, with its cure", () => {
  test("a configuration with an error, and one that cannot be read", async () => {
    const cwd = createFolder({ "a.csv": CLEAN, "flowsheet.yaml": "workflows: .\nserver: { port: many }\n" });
    const wrong = await look({ cwd });
    expect([wrong.code, about(wrong, "configuration")]).toEqual([
      1,
      [
        {
          about: "configuration",
          status: "problem",
          message: "flowsheet.yaml has 1 error",
          help: "run: flowsheet validate --config flowsheet.yaml",
        },
      ],
    ]);
    writeFileSync(join(cwd, "flowsheet.yaml"), "workflows: [\n");
    const unreadable = await look({ cwd });
    expect([unreadable.code, about(unreadable, "configuration")[0]?.status]).toEqual([1, "problem"]);
  });

  test("folders: one that is named and missing, one that is a file, one that cannot be written", async () => {
    const cwd = createFolder({
      "flows/a.csv": CLEAN,
      "flowsheet.yaml":
        "workflows: flows\nprompts: texts\nagents: file.txt\ndata: locked\nruns: file.txt/runs\n",
      "file.txt": "",
      "locked/x": "",
    });
    chmodSync(join(cwd, "locked"), 0o555);
    const found = about(await look({ cwd, unprivileged: true }), "folder");
    expect(found.map(({ status, message }) => [status, message])).toEqual([
      ["ok", "workflows: flows"],
      ["problem", "agents: file.txt is a file"],
      ["warning", "prompts: texts is not there"],
      ["problem", "data: locked cannot be written by agents that write files"],
      ["ok", "generated: generated will be made when it is needed"],
      ["problem", "runs: file.txt/runs is not there and cannot be made"],
    ]);
    expect(found.every(({ status, help }) => (status === "ok") === (help === null))).toBe(true);
  });

  test.each([
    ["missing", {}, "workflows: workflows is not there"],
    ["a file", { workflows: "" }, "workflows: workflows is a file"],
  ])("the folder of the sheets is %s: one problem, and all other checks", async (_what, files, message) => {
    const cwd = createFolder({ "flowsheet.yaml": "", "generated/old.gen.ts": "", ...files });
    const report = await look({ cwd });
    expect([report.code, report.problems]).toEqual([1, 1]);
    expect(report.checks.find(({ status }) => status === "problem")).toMatchObject({
      about: "folder",
      message,
      help: expect.stringContaining("name another folder in flowsheet.yaml"),
    });
    for (const one of ["agents", "generated", "runs"]) expect(about(report, one)).toHaveLength(1);
    const text = await flowsheet(["doctor"], { cwd });
    expect([text.code, text.stderr]).toEqual([1, ""]);
  });

  test("providers: whether a key is set, never the key", async () => {
    const cwd = createFolder({
      "a.csv": CLEAN,
      "flowsheet.yaml":
        "workflows: .\nllm:\n  default_provider: big\n  providers:\n    big: { kind: anthropic }\n    own: { kind: openai-compatible, base_url: 'http://127.0.0.1:9', api_key: plain-secret-1 }\n    odd: { kind: nothing }\n    fake: { kind: mock }\n",
    });
    const env = { OPENAI_API_KEY: "sk-secret-2", GOOGLE_GENERATIVE_AI_API_KEY: "" };
    const report = await look({ cwd, env });
    expect(about(report, "provider").map(({ status, message }) => [status, message])).toEqual([
      ["problem", "big (anthropic), the default: ANTHROPIC_API_KEY is missing"],
      ["ok", "own (openai-compatible): its key is set"],
      ["problem", expect.stringContaining("llm.providers.odd.kind must be one of")],
      ["ok", "fake (mock): answers without a network"],
      ["ok", "openai: its key is set"],
    ]);
    expect(report.all).not.toMatch(/plain-secret-1|sk-secret-2/);
  });

  test("providers: the default counts without an entry of its own", async () => {
    const cwd = createFolder({
      "a.csv": CLEAN,
      "flowsheet.yaml": "workflows: .\nllm: { default_provider: mock }\n",
    });
    expect(about(await look({ cwd }), "provider").map(({ message }) => message)).toEqual([
      "mock, the default: answers without a network",
    ]);
  });

  test("agents have the names that they are written with", async () => {
    const agent =
      "import { Agent } from 'flowsheet';\nexport class TidyNameAgent extends Agent { process() {} }\n";
    const cwd = createFolder({ "a.csv": CLEAN, "agents/tidy.mjs": agent });
    expect(about(await look({ cwd }), "agents").map(({ message }) => message)).toEqual([
      "1 found and loaded: TidyNameAgent",
    ]);
  });

  test("an agent with the name of a built-in one is never used", async () => {
    const agent = 'import { defineAgent } from "flowsheet";\nexport const Echo = defineAgent(() => 1);\n';
    const cwd = createFolder({ "a.csv": CLEAN, "agents/own.mjs": agent });
    expect(about(await look({ cwd }), "agents")).toMatchObject([
      { status: "warning", message: "Echo in agents/own.mjs is never used: a built-in agent has that name" },
    ]);
  });

  test("agents that cannot be loaded, each with its place; the others are not hidden", async () => {
    const cwd = createFolder({
      "a.csv": CLEAN,
      "agents/good.ts":
        'import { defineAgent } from "flowsheet";\nexport const good = defineAgent(() => 1);\n',
      "agents/bad.ts": "export const bad = defineAgent(() => 1;\n",
      "agents/thrower.mjs":
        'import { Agent } from "flowsheet";\nthrow new Error("at the start");\nexport class ThrowerAgent extends Agent { process() {} }\n',
    });
    const found = about(await look({ cwd }), "agents");
    expect(found.map(({ status }) => status)).toEqual(["problem", "problem"]);
    expect(found[0]?.message).toContain("agents/bad.ts:1:");
    expect(found[1]?.message).toContain("at the start");
  });

  test("sheets: one with errors, one with warnings, one with an agent that is not there", async () => {
    const cwd = createFolder({
      "bad.csv": BROKEN,
      "warned.csv": WARNED,
      "agent.csv": CLEAN.replace(",echo,", ",nobody,"),
      "a.test.csv": "graph_name,case\n",
      "other.csv": "x,y\n1,2\n",
    });
    const report = await look({ cwd });
    expect(about(report, "sheets").map(({ status, message, help }) => [status, message, help])).toEqual([
      ["ok", "1 valid sheet", null],
      ["warning", "warned.csv has 1 warning", "run: flowsheet validate warned.csv"],
      ["problem", expect.stringMatching(/^agent\.csv has 1 error: /), "run: flowsheet validate agent.csv"],
      ["problem", expect.stringMatching(/^bad\.csv has 1 error: /), "run: flowsheet validate bad.csv"],
    ]);
    expect([report.code, report.problems, report.warnings]).toEqual([1, 2, 1]);
  });

  test("generated modules: up to date, and stale when the sheet has changed", async () => {
    const cwd = createFolder({ "a.csv": CLEAN });
    await flowsheet(["compile", "a.csv"], { cwd });
    expect(about(await look({ cwd }), "generated")).toMatchObject([{ status: "ok" }]);
    writeFileSync(join(cwd, "a.csv"), CLEAN.replace("You asked", "They asked"));
    const stale = await look({ cwd });
    expect(about(stale, "generated")).toMatchObject([
      {
        status: "warning",
        message: expect.stringContaining("support.gen.ts (stale)"),
        help: "run: flowsheet compile --clean",
      },
    ]);
    expect(stale.code).toBe(0);
    const before = readFileSync(join(cwd, "generated", "support.gen.ts"), "utf8");
    await flowsheet(["compile", "--clean"], { cwd });
    expect(readFileSync(join(cwd, "generated", "support.gen.ts"), "utf8")).not.toBe(before);
    expect(about(await look({ cwd }), "generated")).toMatchObject([{ status: "ok" }]);
  });

  test("runs that wait, and files that are none", async () => {
    const cwd = createFolder({ "a.csv": CLEAN });
    await flowsheet(["run", "a.csv"], { cwd });
    const id = "0123456789abcdef0123456789abcdef";
    writeFileSync(join(cwd, ".flowsheet", "runs", `${id}.json`), "{");
    const found = about(await look({ cwd }), "runs");
    expect(found.map(({ status, message }) => [status, message])).toEqual([
      ["ok", "kept: 1 waiting (flowsheet runs)"],
      ["warning", `${id}.json is damaged`],
    ]);
  });
});

test("an empty folder: a warning that there is no sheet, exit 0; a folder that is not there: exit 2", async () => {
  const cwd = createFolder();
  const { code, warnings, checks } = await look({ cwd });
  expect([code, warnings, checks.find(({ status }) => status === "warning")?.help]).toEqual([
    0,
    1,
    "flowsheet init makes a project with one",
  ]);
  const { code: wrong } = await flowsheet(["doctor", "--cwd", "nowhere"], { cwd });
  expect(wrong).toBe(2);
});

test.skipIf(process.platform !== "linux").each<["all" | "waiting", string | null, string, string]>([
  ["all", "flowsheet.yaml", "problem", "where runs cannot be kept"],
  ["waiting", "flowsheet.yaml", "warning", "where a run that waits cannot be kept"],
  ["all", null, "warning", "where a run that waits cannot be kept"],
])("a network folder, with keep: %s and the configuration %s, is a %s", async (keep, file, status, words) => {
  const folder = createFolder();
  const project = readProject(folder, null, {});
  const about = { ...project, file, keeping: { ...project.keeping, keep } };
  const network = new Set([statfsSync(folder).type >>> 0]);
  expect(await checkNetwork(about, network)).toMatchObject([
    { status, message: expect.stringContaining(words) },
  ]);
  expect(await checkNetwork(about, new Set())).toEqual([]);
});
