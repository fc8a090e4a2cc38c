import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
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

test("of many runs that are there already ten are named", async () => {
  const cwd = createFolder(files);
  for (let i = 0; i < 12; i++)
    await flowsheet(["run", "--graph", "Orders", "--input", "name=Ada", "--detach"], { cwd });
  const { stdout } = await flowsheet(["runs", "export"], { cwd });
  const { stderr } = await flowsheet(["runs", "import", "-"], { cwd, input: stdout });
  expect(stderr.match(/is passed over: the run or its key is there already/g)).toHaveLength(10);
  expect(stderr).toContain("note: 2 more are passed over\nnote: imported 0 runs\n");
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

type Row = { [key: string]: unknown };
interface Copy {
  readonly run: Row;
  readonly steps: Row[];
  readonly waits: Row[];
  readonly events: Row[];
}

test.each<[string, (run: Copy) => void]>([
  ["run.run.status", ({ run }) => (run["status"] = "done")],
  ["run.run.ended", ({ run }) => (run["status"] = "completed")],
  ["run.run.due", ({ run }) => delete run["due"]],
  // No `Date` can hold these: lists with such a run were answered with 500.
  ["run.run.created", ({ run }) => (run["created"] = -1e16)],
  ["run.events[0].at", ({ events }) => (events[0]!["at"] = 9e15)],
  ["run.waits[0].until", ({ waits }) => (waits[0]!["until"] = 1e300)],
  ["run.run.parent.at", ({ run }) => (run["parent"] = { runId: "x" })],
  ["run.steps[0].branch[0]", ({ steps }) => (steps[0]!["branch"] = ["a"])],
  ["run.steps[0].result", ({ steps }) => delete steps[0]!["result"]],
  ["run.steps[1].id", ({ steps }) => steps.push(...steps.slice(0, 1))],
  ["run.waits[0].waiting.node", ({ waits }) => (waits[0]!["waiting"] = { prompt: "" })],
  ["run.waits[0].ending.kind", ({ waits }) => (waits[0]!["ending"] = { kind: "late" })],
  ["run.events[0].event", ({ events }) => delete events[0]!["event"]],
])("a run with a wrong %s is refused, and no line of its file is taken", async (place, spoil) => {
  const { text } = await exported();
  const [version, line] = text.split("\n") as [string, string];
  const spoiled = JSON.parse(line) as { readonly run: Copy };
  spoiled.run.steps.splice(1);
  spoil(spoiled.run);
  const cwd = createFolder(files);
  const input = [version, line, JSON.stringify(spoiled)].join("\n");
  expect(await flowsheet(["runs", "import", "-"], { cwd, input })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      `line 3 of standard input is nothing that runs export wrote: ${place} is missing or wrong`,
    ),
  });
  expect((await flowsheet(["runs", "export"], { cwd })).stdout).toBe("");
});

test("so is a version without its texts; runs come in their order, whatever signs they hold", async () => {
  const cwd = createFolder(files);
  const run = (name: string) => flowsheet(["run", "--graph", "Orders", "--input", `name=${name}`], { cwd });
  // Signs that separate lines elsewhere, and a line of several pieces.
  for (const name of ["a\u2028b\u0085c\r", "Zoë", "x".repeat(200_000)]) await run(name);
  const { stdout: text } = await flowsheet(["runs", "export"], { cwd });
  const [version] = text.split("\n") as [string];
  const { texts: _, ...rest } = (JSON.parse(version) as { readonly version: Row }).version;
  const other = createFolder(files);
  const refused = await flowsheet(["runs", "import", "-"], {
    ...{ cwd: other, input: JSON.stringify({ version: rest }) },
  });
  expect([refused.code, refused.stderr]).toMatchObject([2, expect.stringContaining("version.texts")]);
  expect((await flowsheet(["runs", "import", "-"], { cwd: other, input: text })).code).toBe(0);
  expect((await flowsheet(["runs", "export"], { cwd: other })).stdout).toBe(text);
  const pipe = await flowsheet(["runs", "import", "workflows"], { cwd });
  expect([pipe.code, pipe.stderr]).toMatchObject([2, expect.stringContaining("cannot open workflows")]);
});

test("a killed import from standard input leaves no file", async () => {
  const cwd = createFolder({ "flowsheet.yaml": "", "tmp/keep": "" });
  const killed = await flowsheetProcess(["runs", "import", "-"], {
    cwd,
    input: null,
    env: { TMPDIR: join(cwd, "tmp") },
    // More than a pipe holds: when all of it is taken, it is being kept.
    started: (child) => void child.stdin?.write("\n".repeat(2_000_000), () => child.kill("SIGKILL")),
  });
  expect([killed.signal, readdirSync(join(cwd, "tmp"))]).toEqual(["SIGKILL", ["keep"]]);
});
