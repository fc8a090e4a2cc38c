import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const ORDERS = `graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt
Orders,Draft,echo,Ask,name,draft,Dear {name}
Orders,Ask,input,END,draft,word,Is it right?
`;
const files = { "flowsheet.yaml": "workflows: workflows\n", "workflows/orders.csv": ORDERS };

const exported = async (): Promise<{ cwd: string; text: string; runId: string }> => {
  const cwd = createFolder(files);
  const started = await flowsheet(["run", "--graph", "Orders", "--input", "name=Ada", "--json"], { cwd });
  const { code } = await flowsheet(["runs", "export", "--out", "runs.jsonl"], { cwd });
  expect([started.code, code]).toEqual([3, 0]);
  const text = readFileSync(join(cwd, "runs.jsonl"), "utf8");
  return { cwd, text, runId: JSON.parse(started.stdout).run_id };
};

test("an exported run goes on where it is imported, also without its sheet", async () => {
  const { cwd, text, runId } = await exported();
  expect(statSync(join(cwd, "runs.jsonl")).mode & 0o777).toBe(0o600);
  expect((await flowsheet(["runs", "export"], { cwd })).stdout).toBe(text);
  const other = createFolder({ "flowsheet.yaml": "", "workflows/.keep": "" });
  const taken = await flowsheet(["runs", "import", "-"], { cwd: other, input: text });
  expect([taken.code, taken.stderr]).toMatchObject([0, expect.stringContaining("imported 1 run")]);
  const again = await flowsheet(["runs", "import", "-"], { cwd: other, input: text });
  expect(again.stderr).toContain(`${runId} is passed over`);
  expect(again.stderr).toContain("imported 0 runs");
  const resumed = await flowsheet(["resume", runId, "--answer", "Ask=yes"], { cwd: other });
  expect([resumed.code, JSON.parse(resumed.stdout)]).toMatchObject([0, { draft: "Dear Ada", word: "yes" }]);
});

test("a status chooses runs; without a store nothing is exported", async () => {
  const { cwd } = await exported();
  expect((await flowsheet(["runs", "export", "--status", "failed"], { cwd })).stdout).toBe("");
  expect((await flowsheet(["runs", "export", "--status", "done"], { cwd })).code).toBe(2);
  expect(await flowsheet(["runs", "export"], { cwd: createFolder(files) })).toMatchObject({
    code: 0,
    stdout: "",
  });
});

test("what is no export is refused with its line, and nothing of it is taken", async () => {
  const { text } = await exported();
  const cwd = createFolder(files);
  writeFileSync(join(cwd, "runs.jsonl"), `${text}{"run":{}}\n`);
  const { code, stderr } = await flowsheet(["runs", "import", "runs.jsonl"], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain("line 3 of runs.jsonl is nothing that runs export wrote");
  expect((await flowsheet(["runs", "export"], { cwd })).stdout).toBe("");
  expect((await flowsheet(["runs", "import"], { cwd })).code).toBe(2);
});
