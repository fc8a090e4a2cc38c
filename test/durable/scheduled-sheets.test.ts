import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { readProject } from "../../runtime/config/folders.js";
import { openSqliteStore } from "../../runtime/durable/sqlite/store.js";
import { type PlannedRun, PlannedRuns } from "../../runtime/runs/schedules/planned-runs.js";
import { createGeneratedModules } from "../../runtime/workflows/generated-modules.js";
import { createKeptSheets } from "../../runtime/workflows/kept-sheets.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { until } from "./executors.js";
import { beginWork } from "./work.js";

const HEADER =
  "graph_name,node_name,agent_type,input_fields,output_field,prompt,context.schedule,context.timezone\n";
/** Nobody has begun its runs, least of all whoever works on them. */
const sheet = (graph: string, schedule: string, timezone = ""): string =>
  `${HEADER}${graph},Write,echo,day=$today|by=$started_by?,report,Report of {day}{by},${schedule},${timezone}\n`;
const AT_NIGHT = sheet("Report", "30 2 * * *", "Europe/Berlin");

afterEach(() => {
  vi.useRealTimers();
});

/** What a project schedules, and what it warns of. */
async function planned(cwd: string): Promise<{ runs: readonly PlannedRun[]; warned: readonly string[] }> {
  const project = readProject(cwd, null, {});
  const sheets = createKeptSheets({ folders: project, env: {}, registered: {} });
  const warned: string[] = [];
  const warn = (message: string): void => void warned.push(message);
  const log = { debug: warn, info: warn, warn, error: warn };
  const runs = new PlannedRuns({
    ...{ cwd, project, env: {}, encoding: null, warn },
    understand: sheets.understand,
    modules: createGeneratedModules(project, log),
  });
  return { runs: await runs.read(), warned };
}

const short = ({ name, graph, cron, timezone, source, input }: PlannedRun): readonly unknown[] => [
  ...[name, graph, cron, timezone, source.shown, input],
];

test("three workers begin each time of a sheet's schedule once, also in the nights of summer time", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2027-03-27T12:00:00Z") });
  const cwd = createFolder({ "flowsheet.yaml": "", "workflows/report.csv": AT_NIGHT });
  const workers = [beginWork(cwd), beginWork(cwd), beginWork(cwd)];
  const store = await openSqliteStore(join(cwd, ".flowsheet/runs/runs.db"));
  const keys = async (): Promise<readonly (string | null)[]> =>
    (await store.list({ status: ["completed"] })).runs.map(({ key }) => key).sort();
  const next = async (): Promise<number | undefined> => (await store.schedules())[0]?.next;
  await until(async () => (await next()) !== undefined);
  // 02:30 is left out in the first of these nights, and comes twice in the second. The others are made up for.
  for (const [now, many] of [
    ["2027-03-28T01:00:00Z", 1],
    ["2027-10-31T00:30:00Z", 2],
    ["2027-10-31T01:30:00Z", 2],
    ["2027-11-01T01:30:00Z", 3],
  ] as const) {
    vi.setSystemTime(new Date(now));
    await until(async () => (await keys()).length === many && ((await next()) ?? 0) > Date.now());
  }
  for (const worker of workers) expect(await worker.stop()).toMatchObject({ code: 0 });
  expect((await store.list({})).total).toBe(3);
  expect(await keys()).toEqual([
    "schedule:Report:2027-03-28T01:00:00Z",
    "schedule:Report:2027-10-31T00:30:00Z",
    "schedule:Report:2027-11-01T01:30:00Z",
  ]);
  const [run] = (await store.list({})).runs;
  expect(run).toMatchObject({ graph: "Report", startedBy: "schedule:Report", status: "completed" });
  expect((await store.run(run?.runId ?? ""))?.result).toMatchObject({
    state: { report: "Report of 2027-11-01" },
  });
  await store.close();
});

test("a schedule is known by its graph, by its sheet where several have one, and the configuration wins", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": `timezone: Asia/Tokyo
schedules:
  Weekly: { graph: Other, cron: "0 3 * * *", input: { who: me } }
  team/b::Twice: { graph: "team/b::Twice", cron: "0 4 * * *", timezone: UTC }
  more: { graph: Daily, cron: "0 5 * * *" }
`,
    "workflows/report.csv": sheet("Daily", "0 9 * * 1-5", "Europe/Berlin"),
    "workflows/other.csv": sheet("Other", ""),
    "workflows/weekly.csv": sheet("Weekly", "0 0 * * SUN"),
    "workflows/a.csv": sheet("Twice", "0  1 * * *"),
    "workflows/team/b.csv": Buffer.from(
      `\ufeff${sheet("Twice", "0 2 * * *").replace("context.s", "Context. S")}`,
      "utf16le",
    ),
    "workflows/data.csv": "schedule,graph\n0 1 * * *,Data\n",
    "workflows/report.test.csv": "graph_name,case_name,given\nDaily,one,{}\n",
  });
  const { runs, warned } = await planned(cwd);
  expect(warned).toEqual([]);
  expect(runs.map(short)).toEqual([
    ["Weekly", "Other", "0 3 * * *", "Asia/Tokyo", "workflows/other.csv", { who: "me" }],
    ["team/b::Twice", "Twice", "0 4 * * *", "UTC", "workflows/team/b.csv", {}],
    ["more", "Daily", "0 5 * * *", "Europe/Berlin", "workflows/report.csv", {}],
    ["a::Twice", "Twice", "0 1 * * *", "Asia/Tokyo", "workflows/a.csv", {}],
    ["Daily", "Daily", "0 9 * * 1-5", "Europe/Berlin", "workflows/report.csv", {}],
  ]);
});

test("what becomes of missed times has two names", async () => {
  const entry = (name: string, more: string): string =>
    `  ${name}: { graph: Daily, cron: "0 3 * * *"${more} }\n`;
  const cwd = createFolder({
    "flowsheet.yaml": `schedules:\n${[
      entry("a", ""),
      entry("b", ", missed: once"),
      entry("c", ", missed: skip"),
      entry("d", ", catch_up: none"),
      entry("e", ", catch_up: all, missed: skip"),
      entry("f", ", overlap: queue"),
    ].join("")}`,
    "workflows/report.csv": sheet("Daily", ""),
  });
  const { runs } = await planned(cwd);
  expect(runs.map(({ catchUp }) => catchUp)).toEqual(["last", "last", "none", "none", "all", "last"]);
  expect(runs.map(({ overlap }) => overlap)).toEqual([...Array(5).fill("allow"), "queue"]);
});

test("the first row says beside its schedule how it goes on, and so does its module", async () => {
  const row = (settings: string): string =>
    `graph,node,agent,prompt,${settings.replaceAll(/=[^,]*/g, "")}\nOne,Say,echo,now,${settings.replaceAll(/[^,]*=/g, "")}\n`;
  const optionsOf = async (cwd: string): Promise<unknown> =>
    (await planned(cwd)).runs.map(({ catchUp, overlap }) => [catchUp, overlap]);
  for (const [written, options] of [
    ["context.missed=skip,context.overlap=skip", ["none", "skip"]],
    ["context.missed=once,context.overlap=queue", ["last", "queue"]],
    ["context.catch_up=all,context.missed=skip", ["all", "allow"]],
  ] as const) {
    const cwd = createFolder({
      "workflows/one.csv": row(`context.schedule=0 9 * * *,${written}`),
      "flowsheet.yaml": "",
    });
    expect(await optionsOf(cwd)).toEqual([options]);
    expect(await flowsheet(["compile"], { cwd })).toMatchObject({ code: 0 });
    rmSync(join(cwd, "workflows/one.csv"));
    expect(await optionsOf(cwd)).toEqual([options]);
  }
});

test("what says how a schedule goes on stands beside it; an agent of the project has its own settings", async () => {
  const sheet = (agent: string, more: string): string =>
    `graph,node,next,agent,context.overlap,context.schedule\nOne,A,B,${agent},40,\nOne,B,,echo,skip,${more}\n`;
  const cwd = createFolder({
    "built-in.csv": sheet("echo", ""),
    "own.csv": sheet("chunks", "").replace(",skip,", ",,"),
    "agents/chunks.js": "export class Chunks { process() { return {}; } }\n",
  });
  const { stdout } = await flowsheet(["validate", "built-in.csv"], { cwd });
  expect(stdout).toContain('setting "overlap" must be "allow" or "skip" or "queue", not 40');
  expect(stdout).toContain('setting "overlap" must be in the first row of the graph, "A"');
  expect(stdout).toContain("2 errors");
  expect(await flowsheet(["validate", "own.csv"], { cwd })).toMatchObject({ code: 0 });
});

test("a graph with a fault is not begun, and its place is told", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": "",
    "workflows/late.csv": sheet("Late", "61 9 * * *"),
    "workflows/lost.csv": sheet("Lost", "0 9 * * *").replace("$today", "today"),
    "workflows/fine.csv": sheet("Fine", "0 9 * * *"),
  });
  const { runs, warned } = await planned(cwd);
  expect(runs.map(({ name }) => name)).toEqual(["Fine"]);
  expect(warned).toHaveLength(2);
  expect(warned[0]).toMatch(/^the schedule of "Late" begins nothing: workflows\/late\.csv:2:\d+: setting/);
  expect(warned[1]).toContain('"Lost" is scheduled, and nobody gives its runs "today"');
});

test("a generated module begins as its sheet did", async () => {
  const cwd = createFolder({ "flowsheet.yaml": "", "workflows/report.csv": AT_NIGHT });
  const inSheet = (await planned(cwd)).runs.map(({ source: _source, ...run }) => run);
  expect(await flowsheet(["compile"], { cwd })).toMatchObject({ code: 0 });
  expect((await planned(cwd)).runs.map(({ source }) => source.shown)).toEqual(["workflows/report.csv"]);
  writeFileSync(join(cwd, "workflows/report.csv"), sheet("Report", ""));
  expect((await planned(cwd)).runs).toEqual([]);
  rmSync(join(cwd, "workflows/report.csv"));
  const { runs, warned } = await planned(cwd);
  expect(warned).toEqual([]);
  expect(runs.map(({ source: _source, ...run }) => run)).toEqual(inSheet);
  expect(runs.map(({ source }) => source.shown)).toEqual(["generated/report.gen.ts"]);
});
