import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Flowsheet } from "../../runtime/index.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const HEADER = "graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt\n";
const rows = (ask: string): string =>
  `graph_name,node_name,agent_type,next_node,context,input_fields,output_field,prompt
Orders,Draft,echo,${ask},,name,draft,file:draft.md
Orders,${ask},input,Total,,draft,word,"Is it right?"
Orders,Total,graph,,"{""graph"": ""Sums""}",word,total,
`;
const SUMS = `graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt
Sums,Say,echo,,word,total,"sum of {word}"
`;

const project = (): string =>
  createFolder({
    "flowsheet.yaml": "workflows: workflows\n",
    "workflows/orders.csv": rows("Ask"),
    "workflows/sums.csv": SUMS,
    "prompts/draft.md": "Dear {name}",
  });

const run = async (cwd: string) =>
  new Flowsheet({ cwd }).runWorkflow({
    csvPath: "workflows/orders.csv",
    initialState: { name: "Ada" },
  });

test("a run of a project is kept, and goes on in another process", async () => {
  const cwd = project();
  const first = await run(cwd);
  expect(first).toMatchObject({ status: "suspended", state: { draft: "Dear Ada" } });
  const other = new Flowsheet({ cwd });
  expect(await other.runs()).toMatchObject([
    { runId: first.runId, status: "waiting", sheet: "workflows/orders.csv" },
  ]);
  const second = await other.resume(first.runId, { Ask: "one" });
  expect(second).toMatchObject({
    status: "completed",
    state: { total: "sum of one" },
    path: ["Draft", "Ask", "Total"],
  });
  expect(await other.runs()).toEqual([]);
});

test.each([
  [
    "its node was renamed",
    (cwd: string) => writeFileSync(join(cwd, "workflows/orders.csv"), rows("Approve")),
  ],
  ["its prompt was edited", (cwd: string) => writeFileSync(join(cwd, "prompts/draft.md"), "Hello {name}")],
  ["its sheet is gone", (cwd: string) => rmSync(join(cwd, "workflows/orders.csv"))],
  ["the sheet that it calls is gone", (cwd: string) => rmSync(join(cwd, "workflows/sums.csv"))],
  [
    "all of its texts are gone",
    (cwd: string) => {
      for (const one of ["workflows", "prompts"]) rmSync(join(cwd, one), { recursive: true });
    },
  ],
])("a run ends as it began when %s", async (_what, edit) => {
  const cwd = project();
  const { runId } = await run(cwd);
  edit(cwd);
  expect(await new Flowsheet({ cwd }).resume(runId, { Ask: "two" })).toMatchObject({
    status: "completed",
    state: { draft: "Dear Ada", total: "sum of two" },
  });
});

test("a run whose agent is gone is held, and goes on when it is back", async () => {
  const agent = [
    'import { defineAgent } from "flowsheet";',
    'export const greet = defineAgent(({ name }: { name: string }) => "dear " + name);',
  ].join("\n");
  const cwd = createFolder({
    "flowsheet.yaml": "",
    "agents/greet.ts": agent,
    "workflows/a.csv": `${HEADER}Greet,Ask,input,Say,,name,who\nGreet,Say,greet,,name,text,\n`,
  });
  const { runId } = await new Flowsheet({ cwd }).runWorkflow({ csvPath: "workflows/a.csv" });
  rmSync(join(cwd, "agents/greet.ts"));
  await expect(new Flowsheet({ cwd }).resume(runId, { Ask: "Ada" })).rejects.toThrow(/greet/);
  writeFileSync(join(cwd, "agents/greet.ts"), agent);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  expect(await new Flowsheet({ cwd }).resume(runId)).toMatchObject({ state: { text: "dear Ada" } });
});

test("the command line lists and resumes what a process has kept", async () => {
  const cwd = project();
  const { runId } = await run(cwd);
  const listed = await flowsheet(["runs", "--json"], { cwd });
  expect(JSON.parse(listed.stdout)).toMatchObject({ runs: [{ run_id: runId, status: "waiting" }], total: 1 });
  const resumed = await flowsheet(["resume", runId, "--answer", "Ask=three"], { cwd });
  expect([resumed.code, JSON.parse(resumed.stdout)]).toMatchObject([0, { total: "sum of three" }]);
  expect((await flowsheet(["resume", runId, "--answer", "Ask=three"], { cwd })).code).toBe(1);
});
