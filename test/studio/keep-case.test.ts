import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startStudio, type TestStudio } from "./local.js";
import { post } from "./stream.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const SECRET = "fsk_nobody-reads-this-key-of-ours";
const DICE = `graph,node,next,agent,on_success,on_failure,inputs,output
Dice,Throw,Again,dice,,,word,pips
Dice,Again,Say,dice,,,word,more
Dice,Say,,echo,,,pips|more,said
Crash,Fall,,fall,,,word,said
Clock,Look,,success,,,day=$now,seen
`;
const AGENT = `import { defineAgent } from "flowsheet";
export const DiceAgent = defineAgent(({ word }) => word + " " + Math.random());
export const FallAgent = defineAgent(({ word }) => { throw new Error("it fell: " + word); });
`;

async function open(files: { readonly [path: string]: string } = {}): Promise<TestStudio> {
  const all = { "workflows/support.csv": SUPPORT, "workflows/dice.csv": DICE, "agents/dice.js": AGENT };
  const studio = await startStudio({ files: { ...all, ...files } });
  onTestFinished(() => studio.stop());
  return studio;
}

const body = async (studio: TestStudio, path: string): Promise<{ readonly [name: string]: unknown }> =>
  JSON.parse((await studio.ask(`GET /runs/${path}`)).body);

async function run(studio: TestStudio, graph_name: string, initial_state: object): Promise<string> {
  const begun = await studio.ask(
    "POST /execute",
    ["Content-Type: application/json"],
    JSON.stringify({ graph_name, initial_state, options: { detach: true } }),
  );
  const id = String(JSON.parse(begun.body).run_id);
  await expect.poll(async () => (await body(studio, id))["status"]).not.toMatch(/queued|running/);
  return id;
}

async function answer(studio: TestStudio, id: string, answers: object): Promise<void> {
  const text = JSON.stringify({ answers, options: { detach: true } });
  await studio.ask(`POST /runs/${id}/resume`, ["Content-Type: application/json"], text);
  await expect.poll(async () => (await body(studio, id))["status"]).toBe("completed");
}

const keep = (studio: TestStudio, sheet: string, run_id: string, name: string) =>
  post(studio, "tests/cases", { sheet, run_id, case: name });
const testsOf = (studio: TestStudio, name: string): string =>
  readFileSync(join(studio.folder, "workflows", name), "utf8");

test("a run is kept with its answers and its end, passes at once, and has no secret", async () => {
  const studio = await open();
  const id = await run(studio, "Support", { customer: SECRET, question: "I want a refund" });
  await answer(studio, id, { ApproveRefund: "approve" });
  const kept = await keep(studio, "support.csv", id, "a refund, as it was");
  expect(kept).toMatchObject({
    status: 201,
    body: { file: "support.test.csv", outcome: { status: "passed" } },
  });
  const text = testsOf(studio, "support.test.csv");
  expect(text.split("\n")[0]).toBe(
    "case,given,mocks,answers,expect_status,expect_path,expect_state,expect_absent,expect_error",
  );
  expect(text).toContain('"{""ApproveRefund"":""approve""}"');
  expect(text).toContain("Ask>IsRefund>DraftRefund>ApproveRefund>SendRefund>Close");
  expect(text).not.toContain(SECRET);
  expect(studio.log()).not.toContain("refund, as it was");
  const again = await keep(studio, "support.csv", id, "a refund, as it was");
  expect(again).toMatchObject({ status: 422, body: { detail: expect.stringContaining("already") } });
  expect(testsOf(studio, "support.test.csv")).toBe(text);
});

test("what agents gave stands in for them; a sheet of several graphs names the one", async () => {
  const studio = await open();
  const id = await run(studio, "Dice", { word: "pips" });
  expect(await keep(studio, "dice.csv", id, "a throw")).toMatchObject({
    status: 201,
    body: { outcome: { status: "passed", graph: "Dice" } },
  });
  const { state } = (await body(studio, id)) as { readonly state: { readonly pips: string } };
  const text = testsOf(studio, "dice.test.csv");
  expect(text).toContain(`""Throw"":""${state.pips}""`);
  expect(text).toMatch(/^graph_name,case,/);
});

test("a run that failed, and one that waits, are cases, too", async () => {
  const studio = await open();
  const failed = await run(studio, "Crash", { word: "hard" });
  expect(await keep(studio, "dice.csv", failed, "it falls")).toMatchObject({
    body: { outcome: { status: "passed" } },
  });
  expect(testsOf(studio, "dice.test.csv")).toContain('""throw"":""it fell: hard""');
  const waiting = await run(studio, "Support", { customer: "Ada", question: "I want a refund" });
  expect(await keep(studio, "support.csv", waiting, "it waits")).toMatchObject({
    body: { outcome: { status: "passed" } },
  });
  expect(testsOf(studio, "support.test.csv")).toContain(",suspended,Ask>");
});

test("the clock of a case is that of its run", async () => {
  const studio = await open();
  const id = await run(studio, "Clock", {});
  expect(await keep(studio, "dice.csv", id, "a look")).toMatchObject({
    body: { outcome: { status: "passed" } },
  });
});

test("it comes behind the cases that are there, and brings the columns that are lacking", async () => {
  const before =
    '\ufeffcase;given;#why\r\n# known cases\r\nfirst;"{""customer"":""Ada""}";"he said ""so"""\r\n';
  const studio = await open({ "workflows/support.test.csv": before });
  const id = await run(studio, "Support", { customer: "Ada", question: "Where is it?" });
  const kept = await keep(studio, "support.csv", id, "an answer; plain");
  expect(kept).toMatchObject({ body: { outcome: { status: "passed" } } });
  const lines = testsOf(studio, "support.test.csv").split("\r\n");
  expect(lines[0]).toBe("\ufeffcase;given;#why;expect_path;expect_state");
  expect(lines[1]).toBe("# known cases");
  expect(lines[2]).toBe('first;"{""customer"":""Ada""}";"he said ""so""";;');
  expect(lines[3]).toMatch(/^"an answer; plain";"\{/);
  expect(lines).toHaveLength(5);
});

test("a name that would be a comment, a formula or not to be seen is refused in words", async () => {
  const studio = await open();
  const id = await run(studio, "Dice", { word: "pips" });
  for (const name of [
    "# note",
    "#",
    "// x",
    "=A1",
    "+1",
    "-1",
    "@sum",
    "a\nb",
    "a\u202eb",
    "a\u0007b",
    "\ud800",
  ])
    expect(await keep(studio, "dice.csv", id, name), JSON.stringify(name)).toMatchObject({
      status: 422,
      body: {
        errors: [{ pointer: "/case", message: expect.stringContaining("the name of a case begins with") }],
      },
    });
  expect(existsSync(join(studio.folder, "workflows/dice.test.csv"))).toBe(false);
  for (const name of ["#4711", "a = b", 'say "hi", Ägypten 👩‍👩‍👧'])
    expect(await keep(studio, "dice.csv", id, name), name).toMatchObject({
      status: 201,
      body: { case: name, outcome: { status: "passed" } },
    });
});

test("what is no end, no run and no test sheet is refused in words, and nothing is written", async () => {
  const studio = await open({ "workflows/dice.test.csv": "a,b\n1,2\n" });
  const id = await run(studio, "Support", { customer: "Ada", question: "I want a refund" });
  expect((await keep(studio, "dice.csv", id, "x")).status).toBe(404);
  expect((await keep(studio, "support.csv", "none", "x")).status).toBe(404);
  expect((await keep(studio, "none.csv", id, "x")).status).toBe(404);
  await studio.ask(`POST /runs/${id}/cancel`);
  await expect.poll(async () => (await body(studio, id))["status"]).toBe("cancelled");
  expect(await keep(studio, "support.csv", id, "x")).toMatchObject({
    status: 422,
    body: { detail: "the run was stopped: it has no end to expect" },
  });
  const thrown = await run(studio, "Dice", { word: "pips" });
  expect(await keep(studio, "dice.csv", thrown, "x")).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining("dice.test.csv is no test sheet") },
  });
  expect(existsSync(join(studio.folder, "workflows/support.test.csv"))).toBe(false);
  expect(testsOf(studio, "dice.test.csv")).toBe("a,b\n1,2\n");
});
