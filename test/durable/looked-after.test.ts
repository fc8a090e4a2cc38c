import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSqliteStore } from "../../runtime/durable/sqlite/store.js";
import { CONTRACT } from "../../runtime/graph/contract/define.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { request } from "../http/raw.js";
import { ASKING, HELLO, KEYS, startService } from "../http/service.js";
import { onEachStore, until } from "./executors.js";
import { projectOf, runsOf } from "./projects.js";
import { newRun } from "./store/stores.js";

const FILES = {
  "flowsheet.yaml": "workflows: workflows\n",
  "workflows/asking.csv": ASKING,
  "workflows/charge.csv": "graph_name,node_name,agent_type,output_field\nCharge,Pay,charge,paid\n",
  "agents/charge.ts":
    'import { defineAgent } from "flowsheet";\nexport const charge = defineAgent(async () => "paid");\n',
};
const FILE = ".flowsheet/runs/runs.db";

interface Check {
  readonly about: string;
  readonly status: string;
  readonly message: string;
  readonly help: string | null;
}

const look = async (cwd: string): Promise<readonly unknown[]> => {
  const { stdout } = await flowsheet(["doctor", "--json"], { cwd });
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly Check[] };
  return checks.filter(({ about }) => about === "runs").map(({ status, message }) => [status, message]);
};

test("doctor tells what is kept, what nobody works on, what is held, and what is stuck", async () => {
  const cwd = createFolder(FILES);
  expect(await look(cwd)).toEqual([["ok", "no run waits"]]);
  const started = async (graph: string): Promise<string> =>
    JSON.parse((await flowsheet(["run", "--graph", graph, "--detach", "--json"], { cwd })).stdout).run_id;
  await started("Asking");
  const charge = await started("Charge");
  expect(await look(cwd)).toEqual([
    ["ok", "kept: 2 queued (flowsheet runs)"],
    ["warning", "nobody is at work here: 2 runs to go on with"],
  ]);
  renameSync(join(cwd, "agents/charge.ts"), join(cwd, "charge.ts"));
  await flowsheet(["work", "--drain"], { cwd });
  expect(await look(cwd)).toEqual(
    expect.arrayContaining([
      ["ok", "kept: 1 queued, 1 waiting (flowsheet runs)"],
      ["warning", "1 run held: agent charge is not here"],
    ]),
  );
  const store = await openSqliteStore(join(cwd, FILE));
  const [claimed] = await store.claim({
    owner: "x",
    now: Date.now() + 60_000,
    limit: 1,
    contract: CONTRACT,
    runId: charge,
  });
  expect(claimed?.run.runId).toBe(charge);
  await store.sweep({ isGone: (owner) => owner === "x", now: Date.now(), recoveries: 0 });
  await store.close();
  expect(await look(cwd)).toEqual([
    ["ok", "kept: 1 stuck, 1 waiting (flowsheet runs)"],
    ["warning", expect.stringMatching(/^1 run stuck: its worker died$/)],
  ]);
  // A page that no command has looked at yet.
  const other = createFolder(FILES);
  await flowsheet(["run", "--graph", "Asking", "--detach"], { cwd: other });
  const healthy = join(other, FILE);
  const bytes = readFileSync(healthy);
  const copy = createFolder({ ...FILES, [FILE]: bytes.fill(0x5a, bytes.length - 4_096) });
  expect(await look(copy)).toEqual([["problem", expect.stringContaining("is damaged")]]);
  expect((await flowsheet(["doctor"], { cwd: copy })).stdout).toContain("runs export --salvage");
});

onEachStore("a run that only workers of another version go on with says so everywhere", async () => {
  const cwd = await projectOf(FILES);
  await flowsheet(["run", "--graph", "Asking", "--detach"], { cwd });
  const store = await runsOf(cwd);
  const { run } = await store.start(newRun({ contract: 99, options: { maxSteps: null, timeoutMs: null } }));
  const why = `another version of flowsheet began it (contract 99, here ${CONTRACT}), and only its workers go on with it`;
  const call = (...args: readonly string[]) => flowsheet([...args, "--quiet"], { cwd });
  expect((await call("runs", "list", "--graph", "Orders")).stdout).toContain(`  held: ${why}\n`);
  const listed = JSON.parse((await call("runs", "list", "--json")).stdout).runs as { held: string | null }[];
  expect(listed.map(({ held }) => held).sort()).toEqual([why, null]);
  const { stdout } = await call("runs", "show", run.runId);
  expect(stdout).toContain(`held   ${why}\n`);
  expect(stdout).not.toContain("flowsheet work");
  expect(await look(cwd)).toContainEqual(["warning", `1 run held: ${why}`]);
  await store.cancel(run.runId, { at: Date.now(), events: [] });
  expect((await call("runs", "list", "--status", "all", "--graph", "Orders")).stdout).not.toContain("held");
});

test("metrics tell of the store: runs by status, what is due, the oldest question, and whether anybody works", async () => {
  const files = { "workflows/hello.csv": HELLO, "workflows/asking.csv": ASKING };
  const service = await startService({ files, works: false });
  onTestFinished(() => service.stop());
  const headers = [`X-API-Key: ${KEYS.admin}`, "Content-Type: application/json"];
  const figures = async (): Promise<{ readonly [name: string]: number }> => {
    const { body } = await request(service.port, "GET /metrics", headers);
    const lines = [...body.matchAll(/^flowsheet_(kept_runs\{status="\w+"\}|\w+) ([\d.e+-]+)$/gm)];
    return Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, Number(value)]));
  };
  expect(Object.keys(await figures()).some((name) => name.startsWith("kept_runs"))).toBe(false);
  const start = (graph: string) =>
    request(
      service.port,
      "POST /execute",
      headers,
      JSON.stringify({
        graph_name: graph,
        initial_state: graph === "Hello" ? { name: "Ada" } : {},
        options: { detach: true },
      }),
    );
  await start("Hello");
  await start("Asking");
  expect(await figures()).toMatchObject({
    ...{ 'kept_runs{status="queued"}': 2, 'kept_runs{status="waiting"}': 0 },
    ...{ due_runs: 2, has_workers: 0, oldest_wait_seconds: 0 },
  });
  const worker = await startService({ folder: service.folder, files: {} });
  onTestFinished(() => worker.stop());
  await until(async () => (await figures())['kept_runs{status="waiting"}'] === 1);
  await until(async () => (await figures())["oldest_wait_seconds"]! > 0);
  expect(await figures()).toMatchObject({
    ...{ 'kept_runs{status="completed"}': 1, 'kept_runs{status="stuck"}': 0 },
    ...{ due_runs: 0, has_workers: 1 },
  });
});

test("metrics count each end once: of runs that a request waits for, of the own worker, and of cancelled ones", async () => {
  const service = await startService({
    files: { "workflows/hello.csv": HELLO, "workflows/asking.csv": ASKING },
  });
  onTestFinished(() => service.stop());
  const headers = [`X-API-Key: ${KEYS.admin}`, "Content-Type: application/json"];
  const post = (path: string, body: object) =>
    request(service.port, `POST ${path}`, headers, JSON.stringify(body));
  const counted = async (): Promise<readonly string[]> => {
    const { body } = await request(service.port, "GET /metrics", headers);
    return [...body.matchAll(/^flowsheet_runs_total\{graph="(\w+)",status="(\w+)"\} (\d+)$/gm)]
      .map(([, ...words]) => words.join(" "))
      .sort();
  };
  const hello = { graph_name: "Hello", initial_state: { name: "Ada" } };
  await post("/execute", hello);
  await post("/execute", { ...hello, options: { detach: true } });
  const asking = await post("/execute", { graph_name: "Asking" });
  await until(async () => (await counted()).includes("Hello completed 2"));
  await request(service.port, `POST /runs/${String(asking.json?.["run_id"])}/cancel`, headers);
  expect(await counted()).toEqual(["Asking cancelled 1", "Asking suspended 1", "Hello completed 2"]);
});
