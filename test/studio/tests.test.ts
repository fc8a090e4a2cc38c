import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { startStudio, type TestStudio } from "./local.js";
import { post, readStream } from "./stream.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const CASES = readFileSync("examples/support.test.csv", "utf8");
const WRONG = CASES.replace("Ask>IsRefund>IsUrgent>Escalate>Close", "Ask>IsRefund>Escalate>Close").replace(
  "duty team",
  "nobody",
);

async function open(files: { readonly [path: string]: string }): Promise<TestStudio> {
  const studio = await startStudio({ files });
  onTestFinished(() => studio.stop());
  return studio;
}

test("the cases of a sheet's test sheet are listed, also where there is none", async () => {
  const studio = await open({
    "workflows/team/support.csv": SUPPORT,
    "workflows/team/support.test.csv": `${CASES}a broken one,{,,,,,,\n`,
    "workflows/bare.csv": SUPPORT.replaceAll("Support", "Bare"),
  });
  const { body } = await studio.ask("GET /studio/api/tests?sheet=team/support.csv");
  const { file, cases, problems } = JSON.parse(body);
  expect(file).toBe("team/support.test.csv");
  expect(cases).toHaveLength(9);
  expect(cases[1]).toEqual({ case: "a refund is declined", graph: "Support", line: 3, cell: "A3" });
  expect(problems).toEqual([expect.objectContaining({ severity: "error", cell: "B11" })]);
  const bare = await studio.ask("GET /studio/api/tests?sheet=bare.csv");
  expect(JSON.parse(bare.body)).toEqual({ file: null, cases: [], problems: [] });
  expect((await studio.ask("GET /studio/api/tests?sheet=../x.csv")).status).toBe(404);
});

test("cases are run one after the other, with what differs of each, and the coverage", async () => {
  const studio = await open({ "workflows/support.csv": SUPPORT, "workflows/support.test.csv": WRONG });
  const body = JSON.stringify({ sheet: "support.csv" });
  const { told, ended } = await readStream(studio, "tests", { method: "POST", body });
  await ended;
  expect(told.filter(({ type }) => type === "case_start")).toHaveLength(9);
  const ends = told.filter(({ type }) => type === "case_end").map(({ data }) => data);
  expect(ends.map(({ status }) => status).filter((one) => one === "failed")).toHaveLength(1);
  const failed = ends.find(({ status }) => status === "failed");
  const reply = "Dear Ada, our duty team reads this now: It is urgent!";
  expect(failed).toMatchObject({
    ...{ case: "an urgent matter is escalated", graph: "Support", cell: "A5" },
    expected: {
      expect_path: ["Ask", "IsRefund", "Escalate", "Close"],
      expect_state: { reply: { $match: "nobody" } },
    },
    actual: { expect_path: ["Ask", "IsRefund", "IsUrgent", "Escalate", "Close"], expect_state: { reply } },
  });
  expect(ends[0]).toMatchObject({ status: "passed", expected: {}, actual: {}, failures: [] });
  const last = told.at(-1);
  expect(last).toMatchObject({ type: "tests_end", data: { passed: 8, failed: 1, problems: [] } });
  const [coverage] = last!.data["coverage"] as [{ nodes: object; graph: string }];
  expect(coverage).toMatchObject({ graph: "Support", nodes: { total: 11, taken: 11, missed: [] } });
});

test("one case is run by its name, and says what the sheet lacks", async () => {
  const studio = await open({ "workflows/support.csv": SUPPORT, "workflows/support.test.csv": CASES });
  const body = JSON.stringify({ sheet: "support.csv", case: "a refund is declined" });
  const { told, ended } = await readStream(studio, "tests", { method: "POST", body });
  await ended;
  expect(told.map(({ type }) => type)).toEqual(["case_start", "case_end", "tests_end"]);
  const [coverage] = told[2]!.data["coverage"] as readonly [
    { readonly nodes: { readonly missed: readonly string[] } },
  ];
  expect(coverage.nodes.missed).toContain("Escalate");
});

test("agents of the project run in cases", async () => {
  const studio = await open({
    "workflows/own.csv": "graph,node,next,agent,inputs,output\nOwn,Shout,,shout,word,loud\n",
    "workflows/own.test.csv": 'case,given,expect_state\nloud,"{""word"":""hi""}","{""loud"":""HI""}"\n',
    "agents/shout.js": `import { defineAgent } from "flowsheet";
export const ShoutAgent = defineAgent(({ word }) => word.toUpperCase());
`,
  });
  const body = JSON.stringify({ sheet: "own.csv" });
  const { told, ended } = await readStream(studio, "tests", { method: "POST", body });
  await ended;
  expect(told[1]?.data).toMatchObject({ status: "passed", failures: [] });
});

test("what cannot be tested is refused in words", async () => {
  const studio = await open({ "workflows/bare.csv": SUPPORT });
  expect(await post(studio, "tests", { sheet: "none.csv" })).toMatchObject({ status: 404 });
  expect(await post(studio, "tests", { sheet: "bare.csv" })).toMatchObject({
    status: 404,
    body: { detail: "the sheet has no test sheet" },
  });
  expect(await post(studio, "tests", { shet: "bare.csv" })).toMatchObject({ status: 422 });
});
