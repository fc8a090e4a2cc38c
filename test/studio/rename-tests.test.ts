import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startStudio, type TestStudio } from "./local.js";
import { post } from "./stream.js";

const SHEET = `graph,node,next,agent,output
Main,A,B,echo,one
Main,B,,echo,two
`;
const TESTS = `\ufeffcase;mocks;expect_path
# B is named here
first;"{""B"": ""x""}";A>B
`;

async function open(files: { readonly [path: string]: string } = {}): Promise<TestStudio> {
  const all = { "workflows/main.csv": SHEET, "workflows/main.test.csv": TESTS, ...files };
  const studio = await startStudio({ files: all, compiles: true });
  onTestFinished(() => studio.stop());
  return studio;
}
const rename = (studio: TestStudio, from: string, to: string, sheet = "main.csv") =>
  post(studio, "tests/rename", { sheet, graph: "Main", from, to });
const onDisk = (studio: TestStudio): string =>
  readFileSync(join(studio.folder, "workflows/main.test.csv"), "utf8");

test("a node gets its other name in the test sheet, whether its sheet has it already or not", async () => {
  const studio = await open();
  expect(await rename(studio, "B", "Last")).toMatchObject({
    status: 200,
    body: { file: "main.test.csv", cells: 2 },
  });
  expect(onDisk(studio)).toBe(TESTS.replace('""B""', '""Last""').replace("A>B", "A>Last"));
  expect(await rename(studio, "Last", "B")).toMatchObject({ body: { cells: 2 } });
  expect(onDisk(studio)).toBe(TESTS);
  studio.write("workflows/main.csv", SHEET.replaceAll("B", "Last"));
  expect(await rename(studio, "B", "Last")).toMatchObject({ body: { cells: 2 } });
  expect(onDisk(studio)).toContain("A>Last");
});

test("what cannot be is said, and nothing is written", async () => {
  const studio = await open({ "workflows/bare.csv": SHEET.replaceAll("Main", "Bare") });
  expect(await rename(studio, "B", "A")).toMatchObject({ status: 422, body: { code: "edit_invalid" } });
  expect(await rename(studio, "B", "Last", "bare.csv")).toMatchObject({ body: { file: null, cells: 0 } });
  expect((await rename(studio, "B", "Last", "none.csv")).status).toBe(404);
  expect(onDisk(studio)).toBe(TESTS);
});
