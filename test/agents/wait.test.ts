import { expect, onTestFinished, test, vi } from "vitest";
import { AgentRegistry } from "../../runtime/agents/registry.js";
import { link } from "../../runtime/graph/link/link.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { understandText } from "../world.js";
import { sheetText } from "./sheet.js";

const rows = (context: object, inputs = "when?") => [
  { node: "Rest", agent: "wait", next: "Say", inputs, outputs: "rested", context },
  { node: "Say", agent: "echo", inputs: "rested", outputs: "told", prompt: "On we go" },
];
const graphOf = (context: object, inputs?: string) =>
  link(understandText(sheetText(rows(context, inputs))).graphs[0]!, new AgentRegistry());

test.each([
  [{ for: "20ms" }, {}],
  [{ for: "0s" }, {}],
  [{ until: "when" }, { when: "2020-01-01" }],
  [{ until: "when" }, { when: "2020-01-01 10:30" }],
  [{ until: "when" }, { when: "2020-01-01T10:30:00+02:00" }],
])("%j of %j is over soon", async (context, given) => {
  const { status, state } = await graphOf(context).run(given as never);
  expect(status).toBe("completed");
  expect(state).toMatchObject({ told: "On we go", rested: expect.stringMatching(/^\d{4}-.*Z$/) });
});

test.each([
  [{ for: "2h" }, {}],
  [{ until: "when" }, { when: new Date(Date.now() + 7_200_000).toISOString() }],
])("%j suspends the run until its time, and takes no answer", async (context, given) => {
  const graph = graphOf(context);
  const waits = await graph.run(given as never);
  if (waits.status !== "suspended") throw new Error(waits.status);
  expect(waits.waiting).toMatchObject([{ node: "Rest", prompt: "", options: null }]);
  const until = waits.checkpoint.regions[0]?.asleep?.until ?? 0;
  expect(Math.abs(until - Date.now() - 7_200_000)).toBeLessThan(60_000);
  await expect(graph.resume(waits.checkpoint, { Rest: "now" })).rejects.toThrow("takes no answer");
  const early = await graph.resume(waits.checkpoint, {}, { waitsAt: until - 1 });
  expect(early.status).toBe("suspended");
  const over = await graph.resume(waits.checkpoint, {}, { waitsAt: until });
  expect([over.status, over.state["told"]]).toEqual(["completed", "On we go"]);
});

test.each([
  [{ until: "when" }, { when: "soon" }, "is to be a time such as"],
  [{ until: "when" }, {}, "is to be a time such as"],
])("%j of %j throws", async (context, given, message) => {
  expect((await graphOf(context).run(given as never)).error?.message).toMatch(message);
});

test("a kept run waits without a process, and a later worker goes on with it", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const cwd = createFolder({
    "flowsheet.yaml": "workflows: workflows\n",
    "workflows/rest.csv": sheetText(rows({ for: "2h" }, "")),
  });
  const { stdout } = await flowsheet(["run", "--graph", "Main", "--detach", "--json"], { cwd });
  const { run_id: runId } = JSON.parse(stdout);
  const show = async () => JSON.parse((await flowsheet(["runs", "show", runId, "--json"], { cwd })).stdout);
  await flowsheet(["work", "--drain", "--quiet"], { cwd });
  const waiting = await show();
  expect(waiting).toMatchObject({
    status: "waiting",
    waiting: [{ node: "Rest", prompt: "", until: expect.stringMatching(/Z$/) }],
  });
  const refused = await flowsheet(["resume", runId, "--answer", "Rest=now"], { cwd });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("takes no answer")]);
  vi.setSystemTime(Date.parse(waiting.waiting[0].until) + 1);
  await flowsheet(["work", "--drain", "--quiet"], { cwd });
  expect(await show()).toMatchObject({ status: "completed", state: { told: "On we go" } });
});

test("a run that waits for its time says until when, and asks for no answer", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": "workflows: .\n",
    "main.csv": sheetText(rows({ for: "2h" }, "")),
  });
  const { code, stderr } = await flowsheet(["run"], { cwd });
  expect(code).toBe(3);
  expect(stderr).toMatch(/^waits: Rest {2}until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m);
  expect(stderr).toContain("= help: flowsheet work  goes on with it when its time has come");
  expect(stderr).not.toContain("--answer");
});
