import { expect, test } from "vitest";
import { createFolder } from "./folder.js";
import { flowsheet } from "./run.js";

const FILES = {
  "flowsheet.yaml": "workflows: .\n",
  "a.csv": "graph_name,node_name,agent_type,output_field,prompt\nHello,Ask,input,name,Your name?\n",
  "a.test.csv": `case,given\ngreets,"{""name"": ""Ada""}"\n`,
};

test("a run that waits names the command that answers, as it was started", async () => {
  const cwd = createFolder(FILES);
  const alone = await flowsheet(["run", "--graph", "Hello"], { cwd });
  expect(alone.stderr).toMatch(/= help: flowsheet resume [0-9a-f]+ --answer Ask=…\n/);
  const byNpx = await flowsheet(["run", "--graph", "Hello"], { cwd, env: { npm_command: "exec" } });
  expect(byNpx.stderr).toMatch(/= help: npx flowsheet resume [0-9a-f]+ --answer Ask=…\n/);
});

test.each([
  ["run", ["--graph", "Hello", "--input", "name=Ada"], false],
  ["inspect", [], false],
  ["validate", [], true],
] as const)("%s %j tells of test sheets only where that is news", async (verb, args, isTold) => {
  const cwd = createFolder(FILES);
  const note = "note: passed over a.test.csv: a test sheet";
  const { code, stderr } = await flowsheet([verb, ...args], { cwd });
  expect([code, stderr.includes(note)]).toEqual([0, isTold]);
  const named = await flowsheet([verb, "*.test.csv", ...args], { cwd });
  expect([named.code, named.stderr.includes(note)]).toEqual([2, true]);
});

test.each(["run", "validate", "compile", "inspect"])(
  "%s names the folder of a sheet that is one below",
  async (verb) => {
    const cwd = createFolder({ "workflows/a.csv": FILES["a.csv"] });
    const { code, stderr } = await flowsheet([verb, "a.csv"], { cwd });
    expect([code, stderr]).toEqual([
      2,
      "error: cannot open a.csv: there is no such file\n  = help: did you mean workflows/a.csv?\n",
    ]);
  },
);
