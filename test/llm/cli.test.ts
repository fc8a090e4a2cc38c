import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { BIN, flowsheetProcess } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";
import { folderOf, KEY, openaiAt, type Row, sheetOf } from "./project.js";
import { hangs, modelServer, says, status } from "./server.js";

const DIST = dirname(dirname(BIN));
const MODULES = join(DIST, "../node_modules");
const ASK: Row = { node: "Ask", inputs: "q", outputs: "answer", prompt: "About {q}" };
const RUN = ["run", "t.csv", "--input", "q=tea"];

describe("flowsheet run", () => {
  test("writes what the model says, and tells the tokens in a trace", async () => {
    const server = await modelServer(says("Tea is hot."));
    const cwd = folderOf({ rows: [ASK], llm: openaiAt(server.url, { api_key: "env:MINE" }) });
    const env = { MINE: KEY };
    const { code, stdout, stderr } = await flowsheet([...RUN, "--trace"], { cwd, env });
    expect([code, JSON.parse(stdout)]).toEqual([0, { q: "tea", answer: "Tea is hot." }]);
    expect(stderr).toMatch(/✓ Ask[\s\S]*tokens {2}11 in, 7 out/);
    const json = await flowsheet([...RUN, "--trace", "--json"], { cwd, env });
    expect(JSON.parse(json.stdout).trace[0].usage).toEqual({ input_tokens: 11, output_tokens: 7 });
  });

  test("a failing model is a failed run: exit 1, one line, no key and no stack", async () => {
    const server = await modelServer((response, asked) =>
      status(401, { error: { message: `bad ${asked.headers.authorization}` } })(response, asked),
    );
    const cwd = folderOf({ rows: [ASK], llm: openaiAt(server.url) });
    for (const more of [[], ["--json", "--trace"], ["--verbose"]]) {
      const { code, stdout, stderr } = await flowsheet([...RUN, ...more], { cwd });
      expect(code).toBe(1);
      const all = stdout + stderr;
      expect(all).toContain("openai (m1): HTTP 401: bad Bearer [redacted]; check the key");
      expect(all).toContain("provider_failed");
      expect(all).not.toContain(KEY);
      expect(all).not.toMatch(/^\s+at /m);
    }
  });

  test("I08: an answer cannot steer the terminal", async () => {
    const server = await modelServer(status(400, { error: { message: "\u001b[2J\u001b]0;owned\u0007" } }));
    const cwd = folderOf({ rows: [ASK], llm: openaiAt(server.url) });
    const { stderr } = await flowsheet(RUN, { cwd });
    expect(stderr).toContain("HTTP 400");
    expect(stderr).not.toMatch(/[\u001b\u0007]/);
  });

  test("Ctrl-C ends a call that hangs", async () => {
    const server = await modelServer(hangs);
    const cwd = folderOf({ rows: [ASK], llm: openaiAt(server.url) });
    const ended = await flowsheetProcess(RUN, {
      cwd,
      started: (child) => {
        const timer = setInterval(() => {
          if (server.asked.length === 0) return;
          clearInterval(timer);
          child.kill("SIGINT");
        }, 20);
      },
    });
    expect(ended.code).toBe(130);
  });

  test("with the mock, interpreted and generated alike, and after a resume", async () => {
    const person: Row = { node: "Person", agent: "human", next: "Last", outputs: "ok", prompt: "Go on?" };
    const rows = [{ ...ASK, next: "Person" }, person, { ...ASK, node: "Last", outputs: "kind:'hot'/'tea'" }];
    const cwd = folderOf({ rows, llm: { default_provider: "mock" } });
    expect((await flowsheet(["compile", "t.csv"], { cwd })).code).toBe(0);
    for (const more of [[], ["--generated"]]) {
      const first = await flowsheet([...RUN, "--json", ...more], { cwd });
      expect(first.code).toBe(3);
      const { run_id: id } = JSON.parse(first.stdout);
      const { code, stdout } = await flowsheet(["resume", id, "--answer", "Person=yes"], { cwd });
      expect([code, JSON.parse(stdout)]).toEqual([
        0,
        { q: "tea", answer: "Mock answer to: About tea", ok: "yes", kind: "tea" },
      ]);
    }
  });

  test("prompts from a file and by name reach the model", async () => {
    const server = await modelServer((response, asked) =>
      says(asked.body.messages[0].content)(response, asked),
    );
    const rows = [
      { ...ASK, next: "Named", prompt: "file:ask.md" },
      { ...ASK, node: "Named", outputs: "named", prompt: "prompt:sort" },
    ];
    const cwd = folderOf({ rows, llm: openaiAt(server.url) });
    mkdirSync(join(cwd, "prompts"));
    writeFileSync(join(cwd, "prompts/ask.md"), "From a file: {q}");
    writeFileSync(join(cwd, "prompts/prompts.yaml"), "sort: |\n  By name: {q}\n");
    const { code, stdout } = await flowsheet(RUN, { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ answer: "From a file: tea", named: "By name: tea\n" });
  });
});

/** Makes our package stand in a project, with all packages that it needs but those of the AI SDK. */
function installWithoutSdk(cwd: string): string {
  const own = join(cwd, "node_modules/flowsheet");
  cpSync(DIST, join(own, "dist"), { recursive: true });
  cpSync(join(DIST, "../package.json"), join(own, "package.json"));
  for (const name of readdirSync(MODULES)) {
    if (!name.startsWith(".") && !["ai", "@ai-sdk", "flowsheet"].includes(name))
      symlinkSync(join(MODULES, name), join(cwd, "node_modules", name));
  }
  return join(own, "dist/cli/bin.js");
}

async function runFile(bin: string, args: readonly string[], cwd: string, env: object = {}) {
  const options = { cwd, env: { PATH: process.env["PATH"], ...env } };
  return promisify(execFile)(process.execPath, [bin, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

test("packages that are not installed: one line with the command, in validate and in run; the mock needs none", async () => {
  const cwd = createFolder({ "t.csv": sheetOf({ ...ASK, agent: "openai" }) });
  const bin = installWithoutSdk(cwd);
  const env = { OPENAI_API_KEY: KEY };
  const validated = await runFile(bin, ["validate", "t.csv"], cwd, env);
  expect(validated.stdout).toMatch(/missing-dependency.*there: ai, @ai-sdk\/openai\n/);
  expect(validated.stdout).toContain("npm install ai @ai-sdk/openai");
  const run = await runFile(bin, RUN, cwd, env);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(
    "the packages ai and @ai-sdk/openai must be installed; run: npm install ai @ai-sdk/openai",
  );
  expect(run.stderr).not.toMatch(/^\s+at /m);
  writeFileSync(join(cwd, "t.csv"), sheetOf({ ...ASK, context: { provider: "mock" } }));
  expect(await runFile(bin, ["validate", "t.csv", "--strict"], cwd)).toMatchObject({ code: 0 });
  expect(await runFile(bin, RUN, cwd)).toMatchObject({ code: 0 });
});

test("packages of the project are found by a program that is installed elsewhere", async () => {
  const server = await modelServer(says("Found."));
  const cwd = createFolder({
    "t.csv": sheetOf(ASK),
    "flowsheet.yaml": JSON.stringify({ workflows: ".", llm: openaiAt(server.url) }),
  });
  const bin = installWithoutSdk(createFolder());
  mkdirSync(join(cwd, "node_modules"));
  for (const name of ["ai", "@ai-sdk"]) symlinkSync(join(MODULES, name), join(cwd, "node_modules", name));
  expect(JSON.parse((await runFile(bin, RUN, cwd)).stdout)).toMatchObject({ answer: "Found." });
});

test("a generated module runs by itself, with the configuration that is found from where it runs", async () => {
  const server = await modelServer(says("7"));
  const rows = [{ ...ASK, outputs: "n:number" }];
  const cwd = folderOf({ rows, llm: openaiAt(server.url, { api_key: "env:MINE" }) });
  expect((await flowsheet(["compile", "t.csv"], { cwd })).code).toBe(0);
  mkdirSync(join(cwd, "node_modules"));
  symlinkSync(dirname(DIST), join(cwd, "node_modules/flowsheet"));
  const { readFileSync } = await import("node:fs");
  const { code } = await transform(readFileSync(join(cwd, "generated/t.gen.ts"), "utf8"), { loader: "ts" });
  writeFileSync(join(cwd, "t.mjs"), code);
  writeFileSync(
    join(cwd, "main.mjs"),
    'import { t } from "./t.mjs";\nconst { status, state, error } = await t.run({ q: "tea" });\nconsole.log(JSON.stringify({ status, state, error }));\n',
  );
  const good = await runFile("main.mjs", [], cwd, { MINE: KEY });
  expect(JSON.parse(good.stdout)).toEqual({ status: "completed", state: { q: "tea", n: 7 }, error: null });
  const bad = await runFile("main.mjs", [], cwd);
  expect(JSON.parse(bad.stdout)).toMatchObject({
    status: "failed",
    error: { code: "provider_failed", message: expect.stringContaining("there is no key") },
  });
  writeFileSync(join(cwd, "flowsheet.yaml"), "llm: [\n");
  const broken = await runFile("main.mjs", [], cwd);
  expect(JSON.parse(broken.stdout).error.message).toMatch(
    /cannot read the configuration .*flowsheet\.yaml:\d+:\d+: /,
  );
});
