import { expect, test } from "vitest";
import { openSqliteStore } from "../../runtime/durable/sqlite/store.js";
import { createFlowsheetServer } from "../../runtime/http/server.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { until } from "./executors.js";

const REPORT = `graph_name,node_name,agent_type,input_fields,output_field,prompt
Report,Write,echo,day,report,Report of {day}
`;
const EACH_SECOND = `schedules: { often: { graph: Report, cron: "* * * * * *", input: { day: today } } }\n`;

test("two servers of a project begin each time of a schedule once", async () => {
  const cwd = createFolder({ "flowsheet.yaml": EACH_SECOND, "workflows/report.csv": REPORT });
  const options = { cwd, config: null, env: {}, console: () => {}, host: "127.0.0.1", port: 0 };
  const servers = await Promise.all([
    createFlowsheetServer(options).listen(),
    createFlowsheetServer(options).listen(),
  ]);
  const store = await openSqliteStore(`${cwd}/.flowsheet/runs/runs.db`);
  await until(async () => (await store.list({ status: ["completed"] })).runs.length >= 3);
  await Promise.all(servers.map((server) => server.stop(1_000)));
  const { runs } = await store.list({});
  const keys = runs.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(runs[0]).toMatchObject({ graph: "Report", userId: null, startedBy: "schedule:often" });
  for (const key of keys) expect(key).toMatch(/^schedule:often:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect((await store.run(runs.at(-1)?.runId ?? ""))?.result).toMatchObject({
    state: { report: "Report of today" },
  });
  await store.close();
});

test("a schedule that skips begins nothing while its run waits for somebody", async () => {
  const often = `{ graph: Ask, cron: "* * * * * *", overlap: skip }`;
  const cwd = createFolder({
    "flowsheet.yaml": `schedules: { often: ${often}, each: { graph: Report, cron: "* * * * * *", input: { day: today } } }\n`,
    "workflows/ask.csv": "graph_name,node_name,agent_type,output_field,prompt\nAsk,Wait,input,answer,Well?\n",
    "workflows/report.csv": REPORT,
  });
  const options = { cwd, config: null, env: {}, console: () => {}, host: "127.0.0.1", port: 0 };
  const server = await createFlowsheetServer(options).listen();
  const store = await openSqliteStore(`${cwd}/.flowsheet/runs/runs.db`);
  const many = async (graph: string): Promise<number> => (await store.list({ graphs: [graph] })).runs.length;
  await until(async () => (await many("Ask")) > 0);
  const before = await many("Report");
  await until(async () => (await many("Report")) >= before + 3);
  expect(await many("Ask")).toBe(1);
  await server.stop(1_000);
  await store.close();
});

test("what a drain begins for a minute does not overlap either", async () => {
  const entry = (overlap: string): string =>
    `  ${overlap}: { graph: Ask, cron: "0 9 * * *", overlap: ${overlap} }\n`;
  const cwd = createFolder({
    "flowsheet.yaml": `schedules:\n${entry("allow")}${entry("skip")}${entry("queue")}`,
    "workflows/ask.csv": "graph_name,node_name,agent_type,output_field,prompt\nAsk,Wait,input,answer,Well?\n",
  });
  for (const day of ["01", "02"]) {
    const { code } = await flowsheet(["work", "--drain", "--now", `2027-03-${day}T09:00:00Z`, "--quiet"], {
      cwd,
    });
    expect(code).toBe(0);
  }
  const store = await openSqliteStore(`${cwd}/.flowsheet/runs/runs.db`);
  const { runs } = await store.list({ order: "oldest" });
  await store.close();
  expect(runs.map(({ key }) => key)).toEqual([
    ...["allow", "skip", "queue"].map((name) => `schedule:${name}:2027-03-01T09:00:00Z`),
    "schedule:allow:2027-03-02T09:00:00Z",
  ]);
});

test.each([
  ["that several sheets have", "Report", { "workflows/other.csv": REPORT }, "several sheets have a graph"],
  ["that is not there", "Reprot", {}, 'did you mean "Report"?'],
])("a schedule of a graph %s keeps servers and workers from starting", async (_, graph, files, message) => {
  const config = `schedules:\n  often:\n    graph: ${graph}\n    cron: "0 2 * * *"\n`;
  const cwd = createFolder({ "flowsheet.yaml": config, "workflows/report.csv": REPORT, ...files });
  for (const command of [["serve", "--port", "0"], ["work"]]) {
    const { code, stderr } = await flowsheet(command, { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("flowsheet.yaml:3:12: schedules.often.graph");
    expect(stderr).toContain(message);
  }
});

test.each([
  ["cron", "61 2 * * *", "schedules.often.cron must be a time whose minute is"],
  ["cron", "0 2 30 2 *", "schedules.often.cron must be a date that comes"],
  ["timezone", "Europe/Berlim", "schedules.often.timezone must be the name of a time zone"],
])("a %s that cannot be is told with its place", async (key, value, message) => {
  const given = { graph: "Report", cron: "0 2 * * *", [key]: value };
  const lines = Object.entries(given).map(([name, text]) => `    ${name}: "${text}"\n`);
  const cwd = createFolder({
    "flowsheet.yaml": `schedules:\n  often:\n${lines.join("")}`,
    "workflows/report.csv": REPORT,
  });
  const { code, stderr, stdout } = await flowsheet(["validate", "--config", "flowsheet.yaml"], { cwd });
  expect(code).toBe(1);
  expect(stderr + stdout).toContain(message);
  expect(stderr + stdout).toContain(key === "cron" ? "flowsheet.yaml:4" : "flowsheet.yaml:5");
});
