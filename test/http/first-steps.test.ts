import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { freePort } from "./free-port.js";

/** Types a command as it stands, in a shell of its own; the shell and all that it starts end with the test. */
function type(command: string, cwd: string): { readonly child: ChildProcess; readonly told: () => string } {
  const child = spawn("sh", ["-c", command], { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  child.stdout.on("data", (part) => (text += part));
  child.stderr.on("data", (part) => (text += part));
  onTestFinished(() => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  });
  return { child, told: () => text };
}

/** Types a command, and gives what it printed to its standard output. */
function read(command: string, cwd: string): Promise<string> {
  return new Promise((done, fail) => {
    const { child, told } = type(command, cwd);
    let out = "";
    child.stdout?.on("data", (part) => (out += part));
    child.on("close", (code) => (code === 0 ? done(out) : fail(new Error(`${command}: ${code}: ${told()}`))));
  });
}

/** What `npm install` would bring. */
function install(project: string): void {
  const bin = join(project, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(resolve("."), join(project, "node_modules/flowsheet"));
  for (const [name, file] of [
    ["flowsheet", "bin.js"],
    ["flowsheet-server", "server-bin.js"],
  ] as const) {
    chmodSync(resolve("dist/cli", file), 0o755);
    symlinkSync(`../flowsheet/dist/cli/${file}`, join(bin, name));
  }
}

test.each([
  ["server", "Triage", "triage.csv"],
  ["hello", "Hello", "hello.csv"],
])(
  "a fresh project %s, the keys, the server, and the calls, all as they are printed",
  async (template, graph, sheet) => {
    const folder = createFolder();
    await read(`node ${resolve("dist/cli/bin.js")} init demo --template ${template}`, folder);
    const project = join(folder, "demo");
    install(project);
    // Port 8000 may be taken where tests run.
    const config = join(project, "flowsheet.yaml");
    const port = await freePort();
    const written = readFileSync(config, "utf8").replace(/^server:\n(?: .*\n)*/m, "");
    writeFileSync(config, `${written}server:\n  port: ${port}\n`);

    const printed = await read("npx flowsheet auth init --config flowsheet.yaml", project);
    const commands = printed.split("\n").flatMap((line) => (line.startsWith("   ") ? [line.trim()] : []));
    expect(commands.map((command) => command.split(" ").slice(0, 2).join(" "))).toEqual([
      "node_modules/.bin/flowsheet-server",
      "curl -X",
      expect.stringMatching(/^curl http:/),
    ]);

    const [serve = "", run = "", list = ""] = commands;
    const { told } = type(serve, project);
    for (let i = 0; i < 600 && !told().includes("listens on"); i++) await sleep(50);
    expect(told()).toContain(`listens on http://127.0.0.1:${port}\n`);
    expect(told()).toContain("workflows       1 in workflows\n");

    expect(JSON.parse(await read(run, project))).toMatchObject({ status: "completed", graph_name: graph });
    expect(JSON.parse(await read(list, project))).toMatchObject({
      total: 1,
      workflows: [{ name: graph, sheet, valid: true }],
    });
  },
);
