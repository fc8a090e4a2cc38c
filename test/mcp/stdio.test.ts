import { expect, test } from "vitest";
import { ERAS, type Era, project, startAssistant } from "./assistant.js";
import { BROKEN, DESK, WRITER } from "./sheets.js";

const files = {
  "workflows/desk.csv": DESK,
  "workflows/team/store.csv": WRITER,
  "workflows/broken.csv": BROKEN,
};
const eras = Object.keys(ERAS) as readonly Era[];
const RUN_ID = /^[0-9a-f]{32}$/;

test("every valid workflow is a tool, in the same order and with the same schemas for both eras", async () => {
  const folder = project(files);
  const lists = [];
  for (const era of eras) {
    const { client, leave } = await startAssistant({ folder, era, args: ["--authoring"] });
    lists.push((await client.listTools()).tools);
    expect(await leave()).toBe(0);
  }
  const [first, second] = lists;
  expect(second).toEqual(first);
  await expect(JSON.stringify(first, null, 2)).toMatchFileSnapshot("golden/tools.json");
});

test.each(eras)("%s: a run completes, and says which node it is at", async (era) => {
  const { client, leave } = await startAssistant({ folder: project(files), era });
  const seen: unknown[] = [];
  const { structuredContent } = await client.callTool(
    { name: "hello_andern", arguments: { name: "Ada" } },
    { onprogress: ({ message }) => seen.push(message) },
  );
  expect(structuredContent).toMatchObject({ status: "completed", state: { greeting: "Hello Ada" } });
  expect(seen).toEqual(["Greet"]);
  await leave();
});

test.each(eras)("%s: a run that waits asks the user, by choices and by types", async (era) => {
  const asked: unknown[] = [];
  const answers = [{ answer: "approve" }, { count: 3, sure: true }];
  const ask = (message: string, schema: unknown) => {
    asked.push([message, schema]);
    return { action: "accept" as const, content: answers.shift() ?? {} };
  };
  const { call, leave } = await startAssistant({ folder: project(files), era, ask });
  const paid = await call("refund", { customer: "Ada", amount: 12 });
  expect(paid.data).toMatchObject({ status: "completed", path: ["Check", "Pay"] });
  const told = await call("survey");
  expect(told.data).toMatchObject({
    status: "completed",
    state: { count: 3, sure: true, said: "You said 3" },
  });
  expect(asked).toMatchObject([
    ["Refund 12 to Ada?", { properties: { answer: { type: "string", enum: ["approve", "reject"] } } }],
    ["How many?", { properties: { count: { type: "number" }, sure: { type: "boolean" } } }],
  ]);
  await leave();
});

test.each(eras)("%s: an answer that does not fit is asked for again", async (era) => {
  const asked: string[] = [];
  const answers = ["perhaps", "approve"];
  const ask = (message: string) => {
    asked.push(message);
    return { action: "accept" as const, content: { answer: answers.shift() ?? "" } };
  };
  const { call, leave } = await startAssistant({ folder: project(files), era, ask });
  expect((await call("refund", { customer: "Ada", amount: 12 })).data).toMatchObject({ status: "completed" });
  expect(asked).toHaveLength(2);
  expect(asked[1]).toContain("expected one of approve, reject");
  await leave();
});

test.each(eras)(
  "%s: who declines leaves the run waiting, and flowsheet_resume goes on with it",
  async (era) => {
    const ask = () => ({ action: "decline" as const });
    const { call, leave } = await startAssistant({ folder: project(files), era, ask });
    const { data, isError } = await call("refund", { customer: "Ada", amount: 12 });
    expect(isError).toBe(false);
    expect(data).toMatchObject({ status: "suspended", waiting: [{ node: "Check" }] });
    const gone = await call("flowsheet_resume", { run_id: data["run_id"], answers: { Check: "approve" } });
    expect(gone.data).toMatchObject({ status: "completed", state: { answer: "Paid 12" } });
    await leave();
  },
);

test.each(eras)("%s: a client that cannot be asked gets what the run waits for", async (era) => {
  const { call, leave } = await startAssistant({ folder: project(files), era });
  const { data } = await call("refund", { customer: "Ada", amount: 12 });
  expect(data).toMatchObject({ status: "suspended", run_id: expect.stringMatching(RUN_ID) });
  const listed = await call("flowsheet_runs");
  expect(listed.data).toMatchObject({ total: 1, runs: [{ run_id: data["run_id"], status: "waiting" }] });
  const one = await call("flowsheet_runs", { run_id: data["run_id"] });
  expect(one.data).toMatchObject({ graph_name: "Refund", visits: [{ node: "Check" }] });
  const bad = await call("flowsheet_resume", { run_id: data["run_id"], answers: { Check: 7 } });
  expect([bad.isError, bad.data["code"]]).toEqual([true, "input_invalid"]);
  const done = await call("flowsheet_resume", { run_id: data["run_id"], answers: { Check: "reject" } });
  expect(done.data).toMatchObject({ status: "completed", path: ["Check", "Refuse"] });
  const late = await call("flowsheet_resume", { run_id: data["run_id"], answers: { Check: "approve" } });
  expect([late.isError, late.data["code"]]).toEqual([true, "already_ended"]);
  await leave();
});

test("wrong input is an error of the tool with the field, no error of the protocol", async () => {
  const { call, client, leave } = await startAssistant({ folder: project(files) });
  const missing = await call("refund", { amount: 3 });
  expect(missing.isError).toBe(true);
  expect(missing.text).toContain('input "customer" is missing');
  const wrong = await call("refund", { customer: "Ada", amount: "many" });
  expect(wrong.data).toMatchObject({ code: "input_invalid", errors: [{ pointer: "/arguments/amount" }] });
  const unknown = await call("flowsheet_resume", { run_id: "0".repeat(32) });
  expect(unknown.data["code"]).toBe("run_not_found");
  expect((await call("flowsheet_inspect", { form: "svg" })).text).toContain("/form: is unknown");
  await expect(client.callTool({ name: "secret", arguments: {} })).rejects.toMatchObject({ code: -32_602 });
  await expect(client.callTool({ name: "broken", arguments: {} })).rejects.toMatchObject({ code: -32_602 });
  await leave();
});

test.each(eras)("%s: a field that no node reads is told of beside the result", async (era) => {
  const { client, leave } = await startAssistant({ folder: project(files), era });
  const { content, structuredContent } = await client.callTool({
    name: "hello_andern",
    arguments: { name: "Ada", nmae: "Bob" },
  });
  expect(structuredContent).toMatchObject({ status: "completed", state: { greeting: "Hello Ada" } });
  expect(content.map((part) => (part.type === "text" ? part.text : ""))).toEqual([
    JSON.stringify(structuredContent),
    expect.stringMatching(/^note: graph "Hello Ändern" knows no field "nmae"/),
  ]);
  await leave();
});

test("sheets, their problems and pictures are resources; prompts say how sheets are written", async () => {
  const { client, leave } = await startAssistant({ folder: project(files) });
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain("flowsheet://sheets/team%2Fstore.csv");
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    return content !== undefined && "text" in content ? content.text : "";
  };
  expect(await read("flowsheet://sheets/team%2Fstore.csv")).toBe(WRITER);
  expect(JSON.parse(await read("flowsheet://diagnostics/broken.csv"))).toMatchObject({
    valid: false,
    diagnostics: [{ code: "unknown-node" }],
  });
  expect(await read("flowsheet://graphs/Refund.mmd")).toContain("flowchart");
  for (const uri of [
    "flowsheet://sheets/..%2Fflowsheet.yaml",
    "flowsheet://sheets/%ff",
    "file:///etc/passwd",
  ])
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: expect.any(Number) });
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(["write-workflow", "mend-sheet"]);
  const prompt = await client.getPrompt({ name: "write-workflow", arguments: { task: "greets people" } });
  expect(JSON.stringify(prompt)).toContain("greets people");
  for (const name of ["write-workflow", "mend-sheet"])
    await expect(client.getPrompt({ name, arguments: {} })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining(`the prompt ${name} needs `),
    });
  await leave();
});

test("--workflows offers some graphs, and refuses names that there are none of", async () => {
  const folder = project(files);
  const { client, leave } = await startAssistant({ folder, args: ["--workflows", "Refund, team/*"] });
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names.filter((name) => !name.startsWith("flowsheet_"))).toEqual(["refund", "store"]);
  await leave();
  const { startStdio } = await import("./assistant.js");
  const refused = startStdio({ folder, args: ["--workflows", "Refond"] });
  expect(await refused.leave()).toBe(2);
  expect(refused.stderr()).toContain("did you mean Refund?");
});
