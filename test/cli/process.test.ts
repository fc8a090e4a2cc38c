import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { createContext, type Output } from "../../cli/process/context.js";
import { bugText, runCall } from "../../cli/run-call.js";
import { createFolder, snapshot } from "./folder.js";
import { BIN, flowsheetProcess as flowsheet } from "./process.js";
import { BROKEN, CLEAN, HEADER, MERGED, sheetOf } from "./sheets.js";
import { loadedModules, TRACING } from "./tracing.js";

describe("a reader that goes away", () => {
  test("ends the output quietly; the exit code still tells the findings", async () => {
    const cwd = createFolder({
      "a.csv": sheetOf(HEADER, ...Array.from({ length: 3_000 }, () => "A,B,C,,,,,,,")),
    });
    const ended = await flowsheet(["validate", "a.csv", "--json"], {
      cwd,
      started: ({ stdout }) => stdout?.once("data", () => stdout.destroy()),
    });
    expect([ended.code, ended.signal, ended.stderr]).toEqual([1, null, ""]);
  });

  test("before anything was written", async () => {
    for (const args of [["--version"], ["--help"], ["explain"]]) {
      const ended = await flowsheet(args, { started: ({ stdout }) => stdout?.destroy() });
      expect([ended.signal, ended.stderr]).toEqual([null, ""]);
    }
  });
});

test("what agents print is on stderr: stdout is JSON and nothing else", async () => {
  const printed = ["log", "info", "debug", "dir", "error"].map((name) => `console.${name}("by ${name}");`);
  const agent = `import { defineAgent } from "flowsheet";
${printed.join("\n")}
export const noisy = defineAgent(() => {
  console.log("at work: %d", 7);
  console.table([{ a: 1 }]);
  process.stdout.write("written\\n");
  return { x: 1 };
});
`;
  const cwd = createFolder({
    "a.csv": "graph,node,agent,output\nG,A,noisy,x\n",
    "a.test.csv": "case,mocks\nruns,\n",
    "agents/noisy.js": agent,
  });
  for (const args of [
    ["run", "a.csv", "--json"],
    ["test", "a.csv", "--json"],
    ["bench", "a.csv", "--json", "--runs", "1"],
  ]) {
    const { stdout, stderr, code } = await flowsheet(args, { cwd });
    expect([code, typeof JSON.parse(stdout)]).toEqual([0, "object"]);
    for (const name of ["log", "info", "debug", "dir", "error"]) expect(stderr).toContain(`by ${name}\n`);
    for (const line of ["at work: 7\n", "written\n"]) expect(stderr).toContain(line);
  }
});

test("an agent that ends the process: exit 1, and it is said", async () => {
  const agent = `import { defineAgent } from "flowsheet";
export const leaver = defineAgent(() => process.exit(0));
`;
  const cwd = createFolder({ "a.csv": "graph,node,agent,output\nG,A,leaver,x\n", "agents/leaver.js": agent });
  for (const args of [
    ["run", "a.csv", "--json"],
    ["run", "a.csv"],
  ]) {
    const { stdout, stderr, code } = await flowsheet(args, { cwd });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(
      "error: an agent ended the process: nothing is known of what it did not finish\n",
    );
  }
});

test("an agent that listens to the end cannot take the exit code back", async () => {
  const undo = 'process.prependListener("exit", () => { process.exitCode = 0; });';
  const agent = `import { defineAgent } from "flowsheet";
${undo}
process.on("exit", () => { process.exitCode = 0; });
process.on("exit", () => process.exit(0));
export const leaver = defineAgent(() => process.exit(0));
export const thrower = defineAgent(() => { throw new Error("no"); });
`;
  const cwd = createFolder({
    "a.csv": "graph,node,agent,output\nLeave,A,leaver,x\nThrow,A,thrower,x\n",
    "agents/agents.js": agent,
  });
  for (const graph of ["Leave", "Throw"]) {
    const { code } = await flowsheet(["run", "a.csv", "--graph", graph], { cwd });
    expect([graph, code]).toEqual([graph, 1]);
  }
});

test("what programs that agents start write to their stdout goes to stderr", async () => {
  const agent = `import { execFileSync, execSync, fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { defineAgent } from "flowsheet";
export const starter = defineAgent(async () => {
  const program = ["-e", "console.log('out', process.argv[1])"];
  const { execPath } = process;
  await once(spawn(execPath, [...program, "spawn"], { stdio: "inherit" }), "close");
  await once(spawn(execPath, [...program, "list"], { stdio: ["ignore", 1, 2] }), "close");
  await once(fork("agents/child.mjs"), "close");
  spawnSync(execPath, [...program, "spawnSync"], { stdio: "inherit" });
  execFileSync(execPath, [...program, "execFileSync"], { stdio: [0, "inherit", "inherit"] });
  execSync("echo out execSync", { stdio: "inherit" });
  return String(execFileSync(execPath, [...program, "kept"])).trim();
});
`;
  const cwd = createFolder({
    "a.csv": "graph,node,agent,output\nG,A,starter,x\n",
    "agents/starter.mjs": agent,
    "agents/child.mjs": "console.log('out', 'fork');\n",
  });
  const { stdout, stderr, code } = await flowsheet(["run", "a.csv"], { cwd });
  expect([code, JSON.parse(stdout)]).toEqual([0, { x: "out kept" }]);
  const told = ["spawn", "list", "fork", "spawnSync", "execFileSync", "execSync"];
  for (const one of told) expect(stderr).toMatch(new RegExp(`^out ${one}$`, "m"));
});

test("also in tests, whose report is read by programs", async () => {
  const agent = `import { execSync } from "node:child_process";
import { defineAgent } from "flowsheet";
export const starter = defineAgent(() => { execSync("echo out", { stdio: "inherit" }); return "x"; });
`;
  const cwd = createFolder({
    "a.csv": "graph,node,agent,output\nG,A,starter,x\n",
    "a.test.csv": 'graph_name,case,expect_state\nG,starts,"{""x"":""x""}"\n',
    "agents/starter.mjs": agent,
  });
  const { stdout, stderr, code } = await flowsheet(["test", "--json"], { cwd });
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { passed: 1, failed: 0 }]);
  expect(stderr).toMatch(/^out$/m);
});

test("a disk that is full is no bug of ours: exit 2", () => {
  const cwd = createFolder({ "a.csv": BROKEN });
  const { status, stderr } = spawnSync(
    "sh",
    ["-c", '"$0" "$1" validate a.csv > /dev/full', process.execPath, BIN],
    { cwd },
  );
  expect(status).toBe(2);
  expect(stderr.toString()).toMatch(/^error: cannot write the output: ENOSPC/);
});

test("Ctrl-C ends with 130", async () => {
  const ended = await flowsheet(["validate", "-", "--verbose"], {
    input: null,
    // What it tells first shows that it has begun; then it waits for its input.
    started: (child) => child.stderr?.once("data", () => setTimeout(() => child.kill("SIGINT"), 200)),
  });
  expect([ended.code, ended.stdout]).toEqual([130, ""]);
});

describe("a bug of ours", () => {
  const silent: Output = { write: () => {}, isTerminal: () => false, columns: () => null };
  const run = (): Promise<number> => Promise.reject(new TypeError("x is \x1b[31mundefined"));

  async function runBroken(verbose: boolean): Promise<readonly [exit: number, said: string]> {
    let said = "";
    const stderr: Output = { ...silent, write: (text) => (said += text) };
    const around = {
      stdout: silent,
      stderr,
      stdin: { isTerminal: () => false, chunks: () => process.stdin },
      env: {},
      cwd: "/",
    };
    const exit = await runCall({ run, globals: {} }, createContext(around, { verbose }));
    return [exit, said];
  }

  test("exits with 70 and asks for a report, without a stack", async () => {
    const [exit, said] = await runBroken(false);
    expect(exit).toBe(70);
    expect(said).toBe(
      "error: this is a bug of flowsheet, not of your sheet: TypeError: x is \\x1b[31mundefined\n" +
        "  = help: please report it, with the command; --verbose shows where it happened\n",
    );
  });

  test("shows the stack with --verbose, harmless too", async () => {
    const [exit, said] = await runBroken(true);
    expect(exit).toBe(70);
    expect(said).toContain("process.test.ts");
    expect(said).not.toContain("\x1b");
  });

  test("may be anything that is thrown", () => {
    for (const thrown of [undefined, null, "text", 7, { a: 1 }])
      expect(bugText(thrown, true)).toContain("bug of flowsheet");
  });
});

describe("V41: escapes of a sheet or a file name never reach the terminal", () => {
  const escapes = "\x1b[2J\x1b]8;;http://x\x07\u202e\u009b";
  const sheet = sheetOf(
    HEADER,
    `Supp${escapes}ort,As${escapes}k,No${escapes}where,,input,,,,question,{x${escapes}}`,
  );

  test.each([
    ["as text", ["a.csv"]],
    ["with colours", ["a.csv", "--color"]],
    ["as JSON", ["a.csv", "--json"]],
    ["as annotations", ["a.csv", "--format", "github"]],
    ["as SARIF", ["a.csv", "--format", "sarif"]],
  ])("%s", async (_name, args) => {
    const { code, stdout, stderr } = await flowsheet(["validate", ...args], {
      cwd: createFolder({ "a.csv": sheet }),
    });
    expect(code).toBe(1);
    const colors = args.includes("--color") ? /\x1b\[[\d;]*m/g : /$^/;
    expect(stdout.replace(colors, "") + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
  });

  test("file names", async () => {
    const name = `a\n${"\x1b[31m"}b.csv`;
    const cwd = createFolder({ [name]: MERGED });
    for (const args of [[name], [`${name}x`], ["--fix", "."], ["."]]) {
      const { stdout, stderr } = await flowsheet(["validate", ...args], { cwd });
      expect(stdout + stderr).not.toContain("\x1b");
    }
  });
});

describe("V42: validation runs nothing, changes nothing, and goes nowhere", () => {
  const files = {
    "a.csv": sheetOf(
      HEADER,
      "Support,Ask,,,weather,,,,question,prompt:ask",
      "Support,B,,,openai,,,,x,file:ask.md",
    ),
    "b.csv": CLEAN,
    "flowsheet.yaml": "workflows: .\n",
    "agents/weather.js": "process.exit(9);\nexport class WeatherAgent extends Agent {}\n",
    "prompts/ask.md": "Hello",
    "prompts/prompts.yaml": "ask: Hello\n",
  };

  test("it works where node forbids to write, to start programs, and to use threads", async () => {
    const cwd = createFolder(files);
    const before = snapshot(cwd);
    const flag = process.allowedNodeEnvironmentFlags.has("--permission")
      ? "--permission"
      : "--experimental-permission";
    const free = await flowsheet(["validate", "a.csv", "b.csv"], { cwd });
    const bound = await flowsheet(["validate", "a.csv", "b.csv"], {
      cwd,
      node: [flag, "--allow-fs-read=*", "--no-warnings"],
    });
    expect(bound).toEqual(free);
    expect(snapshot(cwd)).toEqual(before);
  });

  test("no module of the network, of processes or of evaluation is imported", async () => {
    const { stderr } = await flowsheet(["validate", "b.csv", "--json"], {
      cwd: createFolder(files),
      node: TRACING,
    });
    const loaded = loadedModules(stderr);
    expect(loaded).toContainEqual(expect.stringContaining("dist/cli/bin.js"));
    const forbidden =
      /^node:(net|http|https|http2|dgram|dns|tls|child_process|cluster|vm|worker_threads|inspector)\b/;
    expect(loaded.filter((module) => forbidden.test(module))).toEqual([]);
  });

  test("no code of the bundles that it loads could do so later", () => {
    const text = bundlesOf(BIN)
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    expect(text).not.toMatch(
      /["'](node:)?(net|http|https|http2|dgram|dns|tls|child_process|vm|worker_threads)["']/,
    );
    expect(text).not.toMatch(/\beval\(|new Function\(/);
  });
});

describe("what is loaded", () => {
  const heavy =
    /node_modules\/(yaml|ts-morph|typescript|esbuild|zod|tinyglobby|write-file-atomic|express|handlebars|@dagrejs)\//;

  test.each([
    ["the version", ["--version"]],
    ["a sheet", ["validate", "a.csv"]],
    ["a sheet with problems", ["validate", "b.csv"]],
    ["a folder", ["validate", "."]],
    ["a picture as text", ["inspect", "a.csv"]],
    ["an explanation", ["explain", "unknown-node"]],
  ])("nothing that is not needed: %s", async (_name, args) => {
    const cwd = createFolder({ "a.csv": CLEAN, "b.csv": BROKEN });
    const { stderr } = await flowsheet(args, { cwd, node: TRACING });
    expect(loadedModules(stderr).filter((module) => heavy.test(module))).toEqual([]);
  });

  test.each([
    ["validate", "examples/hello.csv"],
    ["run", "examples/hello.csv", "--input", "name=Ada", "--quiet"],
  ])("none of Node's streams for %s: they take a tenth of the time in which Node starts", (...args) => {
    const told = "process.on('exit', () => require('fs').writeSync(2, process.moduleLoadList.join('\\n')))";
    const folder = createFolder({ "told.cjs": told });
    const { stderr } = spawnSync(process.execPath, ["-r", `${folder}/told.cjs`, BIN, ...args], {
      encoding: "utf8",
    });
    expect(stderr).toContain("NativeModule fs");
    expect(stderr).not.toMatch(/NativeModule (?:stream|net|internal\/fs\/streams|fs\/promises)$/m);
  });

  test("the version needs two files", async () => {
    const { stderr } = await flowsheet(["--version"], { node: TRACING });
    expect(loadedModules(stderr).filter((module) => module.startsWith("file:")).length).toBeLessThanOrEqual(
      3,
    );
  });

  test("yaml comes with a configuration, globbing with a pattern", async () => {
    const cwd = createFolder({ "a.csv": CLEAN });
    const { stderr } = await flowsheet(["validate", "*.csv"], { cwd, node: TRACING });
    expect(loadedModules(stderr).filter((module) => heavy.test(module))).toContainEqual(
      expect.stringContaining("tinyglobby"),
    );
  });
});

/** A bundle and all that it imports outright. */
function bundlesOf(entry: string): readonly string[] {
  const found = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, path = ""] of text.matchAll(/(?:from|import) ?\(?"(\.[^"]+)"/g)) {
      if (!/program|compile|inspect|svg|run-/.test(path)) waiting.push(resolve(dirname(file), path));
    }
  }
  return [...found];
}
