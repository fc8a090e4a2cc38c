import type { ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";
import { type RawAnswer, request } from "../http/raw.js";
import { authentication, KEYS, startService } from "../http/service.js";
import { until } from "./executors.js";
import { smallDisk } from "./small-disk.js";

const FILES = {
  "workflows/asking.csv":
    "graph_name,node_name,agent_type,output_field,prompt\nAsking,Ask,input,word,Which?\n",
  "workflows/slow.csv": "graph_name,node_name,agent_type,output_field\nSlow,Wait,gate,x\n",
};

/** A project whose calls of `gate` end when there is a file `open`. */
function createProject(more: { readonly [path: string]: string } = {}): string {
  const cwd = createFolder({ ...FILES, ...more });
  mkdirSync(join(cwd, "agents"));
  writeFileSync(
    join(cwd, "agents/gate.ts"),
    `import { existsSync } from "node:fs";
import { defineAgent } from "flowsheet";
export const gate = defineAgent(async () => {
  while (!existsSync(${JSON.stringify(join(cwd, "open"))})) await new Promise((resolve) => setTimeout(resolve, 20));
  return "x".repeat(20_000);
});
`,
  );
  return cwd;
}

const RUNS = "workflows: workflows\nruns: disk/runs\n";
const FULL = /the run store \S+ cannot be written: (?:the disk is full|\S.*)/g;

const told = (text: string): number => text.match(FULL)?.length ?? 0;

test("commands begin and change nothing on a full disk; a worker's runs stay, and go on when there is room", async (context) => {
  const cwd = createProject({ "flowsheet.yaml": RUNS });
  const disk = smallDisk(join(cwd, "disk"), 3_000, context);
  const started = async (graph: string): Promise<string> => {
    const { stdout } = await flowsheet(["run", "--graph", graph, "--detach", "--json"], { cwd });
    return JSON.parse(stdout).run_id;
  };
  const statusOf = async (): Promise<readonly string[]> => {
    const { stdout } = await flowsheet(["runs", "--status", "all", "--json"], { cwd });
    return JSON.parse(stdout).runs.map(({ status }: { readonly status: string }) => status);
  };
  const [asked, cancelled] = [await started("Asking"), await started("Asking")];
  for (let i = 0; i < 3; i++) await started("Slow");
  let worker: ChildProcess | null = null;
  const ended = flowsheetProcess(["work"], { cwd, started: (child) => (worker = child) });
  onTestFinished(() => void worker?.kill("SIGKILL"));
  const before = ["running", "running", "running", "waiting", "waiting"];
  await until(async () => `${await statusOf()}` === `${before}`);
  disk.fill();
  const calls = [
    ["run", "--graph", "Asking"],
    ["run", "--graph", "Asking", "--detach"],
    ["resume", asked, "--answer", "Ask=yes"],
    ["resume", asked, "--answer", "Ask=yes", "--detach"],
    ["runs", "cancel", cancelled],
  ];
  for (const call of calls) {
    const { code, stdout, stderr } = await flowsheet(call, { cwd });
    expect([call[0], code, stdout]).toEqual([call[0], 1, ""]);
    expect(stderr).toMatch(/^error: .*disk\/runs\/runs\.db cannot be written: /);
    expect([told(stderr), stderr.split("\n").length]).toEqual([1, 3]);
  }
  writeFileSync(join(cwd, "open"), "");
  // The calls have ended, and what they gave finds no room.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await statusOf()).toEqual(before);
  disk.free();
  const end = ["completed", "completed", "completed", "waiting", "waiting"];
  await until(async () => `${await statusOf()}` === `${end}`);
  const resumed = await flowsheet(["resume", asked, "--answer", "Ask=yes"], { cwd });
  expect([resumed.code, JSON.parse(resumed.stdout)]).toEqual([0, { word: "yes" }]);
  expect(await flowsheet(["runs", "cancel", cancelled], { cwd })).toMatchObject({ code: 0, stderr: "" });
  worker!.kill("SIGTERM");
  const { code, stderr } = await ended;
  expect([code, told(stderr)]).toEqual([0, 1]);
  expect(stderr).toContain("can be written again");
});

test("a server answers 507 and is degraded; what was accepted goes on when there is room", async (context) => {
  const cwd = createProject();
  const disk = smallDisk(join(cwd, "disk"), 3_000, context);
  const service = await startService({ folder: cwd, files: {}, config: `${authentication()}${RUNS}` });
  onTestFinished(() => service.stop());
  const headers = [`X-API-Key: ${KEYS.admin}`, "Content-Type: application/json"];
  const call = (line: string, body: object | null = null): Promise<RawAnswer> =>
    request(service.port, line, headers, body === null ? undefined : JSON.stringify(body));
  const ask = async (): Promise<unknown> =>
    (await call("POST /execute", { graph_name: "Asking" })).json?.["run_id"];
  const [asked, cancelled] = [await ask(), await ask()];
  const slow = call("POST /execute", { graph_name: "Slow" });
  await until(async () => (await call("GET /runs?status=running")).json?.["total"] === 1);
  expect((await call("GET /health")).json).toMatchObject({ status: "ok" });
  disk.fill();
  const refused = [
    await call("POST /execute", { graph_name: "Asking" }),
    await call("POST /execute", { graph_name: "Asking", options: { detach: true } }),
    await call(`POST /runs/${asked}/resume`, { answers: { Ask: "yes" } }),
    await call(`POST /runs/${cancelled}/cancel`),
  ];
  for (const { status, json, body } of refused) {
    expect([status, json?.["code"]]).toEqual([507, "store_unwritable"]);
    expect(body).not.toContain(cwd);
  }
  expect(await call("GET /health")).toMatchObject({ status: 200, json: { status: "degraded" } });
  const { status, json } = await call("GET /ready");
  expect([status, JSON.stringify(json)]).toEqual([503, expect.stringContaining("with room on its disk")]);
  writeFileSync(join(cwd, "open"), "");
  const { status: later, json: accepted } = await slow;
  expect([later, accepted?.["run_id"]]).toEqual([202, expect.stringMatching(/^[0-9a-f]{32}$/)]);
  expect(told(service.log())).toBe(1);
  disk.free();
  await until(async () => (await call("GET /health")).json?.["status"] === "ok");
  await until(async () => {
    const run = await call(`GET /runs/${accepted?.["run_id"]}`);
    return run.json?.["status"] === "completed";
  });
  expect(await call(`POST /runs/${asked}/resume`, { answers: { Ask: "yes" } })).toMatchObject({
    status: 200,
    json: { status: "completed", state: { word: "yes" } },
  });
  expect((await call(`POST /runs/${cancelled}/cancel`)).status).toBe(202);
  expect(service.log()).toContain("can be written again");
});
