import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess as flowsheet } from "../cli/process.js";
import { CLEAN, HEADER, sheetOf } from "../cli/sheets.js";
import { startWatch } from "./watching.js";

const saying = (words: string): string => CLEAN.replace("You asked", words);

test("a saved sheet is compiled again, soon after", async () => {
  const cwd = createFolder({ "a.csv": CLEAN });
  const { until, child, ended, output } = startWatch(cwd);
  await until("watching .; Ctrl-C ends it");
  expect(output()).toMatch(/^created {3}generated\/support\.gen\.ts \(\d+ ms\)\ncreated {3}generated\/index/);
  const took: number[] = [];
  for (const words of ["One", "Two", "Three", "Four", "Five"]) {
    const began = performance.now();
    writeFileSync(join(cwd, "a.csv"), saying(words));
    while (!readFileSync(join(cwd, "generated/support.gen.ts"), "utf8").includes(words)) {
      if (performance.now() - began > 30_000) throw new Error(`never compiled; it said:\n${output()}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    took.push(performance.now() - began);
    await until(/updated {3}generated\/support\.gen\.ts \(\d+ ms\)/);
  }
  // On an idle machine it takes some 50 ms; the goal is 150. Here only what is far off fails.
  expect(Math.min(...took)).toBeLessThan(5_000);
  if (process.env["MEASURE"] !== undefined)
    process.stderr.write(`save to module, ms: ${took.map(Math.round).join(" ")}\n`);
  child.kill("SIGINT");
  expect(await ended).toBe(130);
});

test("an editor that puts a new file in its place, and one that takes the old one away first", async () => {
  const cwd = createFolder({ "a.csv": CLEAN });
  const { until } = startWatch(cwd, ["a.csv"]);
  await until("watching a.csv");
  const path = join(cwd, "a.csv");
  writeFileSync(`${path}.tmp`, saying("Renamed"));
  renameSync(`${path}.tmp`, path);
  await until("updated   generated/support.gen.ts");
  renameSync(path, `${path}~`);
  writeFileSync(path, saying("Moved"));
  await until("updated   generated/support.gen.ts");
  expect(readFileSync(join(cwd, "generated/support.gen.ts"), "utf8")).toContain("Moved");
});

test("errors are shown with their place, the module stays, and the watch goes on", async () => {
  const cwd = createFolder({ "a.csv": CLEAN });
  const { until, output } = startWatch(cwd);
  await until("watching");
  const before = readFileSync(join(cwd, "generated/support.gen.ts"), "utf8");
  writeFileSync(join(cwd, "a.csv"), CLEAN.replace("Ask,Answer", "Ask,Anwser"));
  await until("error unknown-node");
  await until("waiting   for a.csv to be mended");
  expect(output()).toContain("cell C2");
  expect(readFileSync(join(cwd, "generated/support.gen.ts"), "utf8")).toBe(before);
  rmSync(join(cwd, "a.csv"));
  await until("error: there is no sheet here");
  writeFileSync(join(cwd, "a.csv"), saying("Mended"));
  await until("updated   generated/support.gen.ts");
});

test("new and removed sheets, also in a folder that is made meanwhile; test sheets are none", async () => {
  const cwd = createFolder({ "flowsheet.yaml": "", "workflows/a.csv": CLEAN });
  const { until, output } = startWatch(cwd, ["--clean"]);
  await until("watching workflows");
  writeFileSync(join(cwd, "workflows/a.test.csv"), "graph_name,case\nSupport,x\n");
  mkdirSync(join(cwd, "workflows/more"));
  writeFileSync(join(cwd, "workflows/more/b.csv"), CLEAN.replaceAll("Support,", "Second,"));
  await until("created   generated/second.gen.ts");
  rmSync(join(cwd, "workflows/more/b.csv"));
  await until("removed   generated/second.gen.ts");
  expect(output()).not.toMatch(/waiting|by workflows\/a\.test\.csv/);
});

test("prompts that a sheet refers to, and agents that it names", async () => {
  const row = (agent: string): string => `Support,Ask,,,${agent},,,,question,file:ask.md`;
  const cwd = createFolder({
    "flowsheet.yaml": "workflows: .\n",
    "a.csv": sheetOf(HEADER, row("echo")),
    "prompts/ask.md": "First",
  });
  const { until } = startWatch(cwd);
  await until("watching");
  writeFileSync(join(cwd, "prompts/ask.md"), "Second");
  await until("updated   generated/support.gen.ts");
  expect(readFileSync(join(cwd, "generated/support.gen.ts"), "utf8")).toContain("Second");
  writeFileSync(join(cwd, "a.csv"), sheetOf(HEADER, row("weather")));
  await until("error unknown-agent");
  expect(await flowsheet(["scaffold", "--agent", "Weather"], { cwd })).toMatchObject({ code: 0 });
  await until("updated   generated/support.gen.ts");
});

test("changes that come together are compiled once", async () => {
  const cwd = createFolder({ "a.csv": CLEAN });
  const { until, output } = startWatch(cwd);
  await until("watching");
  for (let i = 0; i < 40; i++) writeFileSync(join(cwd, "a.csv"), saying(`Word${i}.`));
  await until("updated");
  writeFileSync(join(cwd, "a.csv"), saying("Last."));
  while (!readFileSync(join(cwd, "generated/support.gen.ts"), "utf8").includes("Last."))
    await new Promise((resolve) => setTimeout(resolve, 5));
  expect(output().match(/updated/g)?.length).toBeLessThan(20);
});

test.each([
  [["--check"], "--watch writes, --check does not"],
  [["-"], "standard input cannot be watched"],
])("%j is wrong usage", async (args, message) => {
  const { code, stderr } = await flowsheet(["compile", "--watch", ...args], {
    cwd: createFolder({ "a.csv": CLEAN }),
  });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
