import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { project, startAssistant } from "./assistant.js";

/** As a model would write it at first: a misspelt target, a list in Python's words. */
const DRAFT = `graph_name,node_name,agent_type,context,input_fields,output_field,prompt,next_node,next_on_success,next_on_failure
Triage,Urgent,branching,"{'success_field': 'priority', 'success_values': ['high']}",priority,,,,Escalat,Queue
Triage,Escalate,echo,,customer,message,Call {customer} now,END,,
Triage,Queue,echo,,customer,message,{customer} waits,END,,
`;
const TESTS = `case,given,expect_path,expect_state
high,"{""priority"": ""high"", ""customer"": ""Ada""}",Urgent > Escalate,"{""message"": ""Call Ada now""}"
low,"{""priority"": ""low"", ""customer"": ""Bob""}",Urgent > Queue,"{""message"": ""Call Bob now""}"
`;

test("an assistant writes a sheet, validates it, mends it, tests it and runs it", async () => {
  const folder = project({ "workflows/other.csv": "graph_name,node_name\nOther,One\n" });
  const { call, client, leave } = await startAssistant({ folder, args: ["--authoring"] });
  const agents = await call("flowsheet_agents", { type: "branching" });
  expect(JSON.stringify(agents.data)).toContain("success_values");
  const found = await call("flowsheet_validate", { csv: DRAFT });
  expect(found.data["valid"]).toBe(false);
  const codes = (found.data["diagnostics"] as { readonly code: string }[]).map(({ code }) => code);
  expect(codes).toEqual(["python-literal", "unknown-node"]);
  expect((await call("flowsheet_explain", { code: codes[1] })).text).toContain("unknown-node");
  const fixed = await call("flowsheet_fix", { csv: DRAFT });
  expect(fixed.data).toMatchObject({ valid: true, fixed: ["write it as JSON", 'write "Escalate"'] });
  const csv = String(fixed.data["csv"]);
  expect((await call("flowsheet_validate", { csv })).data["valid"]).toBe(true);
  expect((await call("flowsheet_inspect", { csv, graph: "Triage" })).text).toContain("flowchart");
  writeFileSync(join(folder, "workflows/triage.csv"), csv);
  writeFileSync(join(folder, "workflows/triage.test.csv"), TESTS);
  const tested = await call("flowsheet_test", { sheet: "triage.csv" });
  expect(JSON.stringify(tested.data)).toContain("Bob waits");
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("triage");
  const run = await call("triage", { priority: "high", customer: "Ada" });
  expect(run.data).toMatchObject({ status: "completed", state: { message: "Call Ada now" } });
  await leave();
});

test("flowsheet_test opens sheets of the project alone", async () => {
  const folder = project({ "workflows/other.csv": "graph_name,node_name\nOther,One\n" });
  const { call, leave } = await startAssistant({ folder, args: ["--authoring"] });
  for (const sheet of ["../flowsheet.yaml", "/etc/passwd", "flowsheet.yaml", ""])
    expect((await call("flowsheet_test", { sheet })).data["code"], sheet).toBe("input_invalid");
  expect((await call("flowsheet_test", { sheet: "other" })).text).toContain("has no test sheet");
  await leave();
});

test("without --authoring there are no tools for it", async () => {
  const { client, leave } = await startAssistant({ folder: project({}) });
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).not.toContain("flowsheet_fix");
  expect(names).not.toContain("flowsheet_test");
  await leave();
});
