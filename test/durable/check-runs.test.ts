import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Flowsheet } from "../../runtime/index.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { suspendInFile } from "../run/old-file.js";

const HEADER = "graph_name,node_name,agent_type,next_node,context,input_fields,output_field,prompt";
const orders = (...rows: readonly string[]): string => `${[HEADER, ...rows].join("\n")}\n`;

const FETCH = "Orders,Fetch,writer,Approve,,id,order,Fetch {id}";
const APPROVE = "Orders,Approve,input,Ship,,order,word,Is it right?";
const SHIP = "Orders,Ship,echo,,,word,shipped,Shipped: {word}";
const BEGUN = orders(FETCH, APPROVE, SHIP);

const AGENT = `import { defineAgent } from "flowsheet";
export const writer = defineAgent((_inputs: object, { prompt }) => "<" + prompt + ">");
`;

async function begin(count = 1) {
  const cwd = createFolder({
    "flowsheet.yaml": "",
    "agents/writer.ts": AGENT,
    "workflows/orders.csv": BEGUN,
  });
  const ids: string[] = [];
  for (let id = 0; id < count; id += 1) {
    const initialState = { id: `${id}` };
    const run = await new Flowsheet({ cwd }).runWorkflow({ csvPath: "workflows/orders.csv", initialState });
    expect(run).toMatchObject({ status: "suspended", error: null });
    ids.push(run.runId);
  }
  const edit = (text: string): void => writeFileSync(join(cwd, "workflows/orders.csv"), text);
  return { cwd, edit, ids };
}

const EDITS: readonly (readonly [what: string, edit: string, fits: boolean, why: string | null])[] = [
  ["its prompt", orders(FETCH, APPROVE.replace("right", "wrong"), SHIP), true, null],
  [
    "a node that was called is renamed",
    orders(FETCH.replace("Fetch,", "Get,"), APPROVE, SHIP),
    false,
    '"Fetch", which was called, is gone',
  ],
  [
    "a node put before",
    orders(FETCH.replace("Approve,", "Tax,"), "Orders,Tax,writer,Approve,,,tax,Tax", APPROVE, SHIP),
    false,
    '"Approve" would be called anew (Tax was put before it)',
  ],
  [
    "a node put after",
    orders(FETCH, APPROVE.replace("Ship", "Pack"), "Orders,Pack,writer,Ship,,,packed,Pack", SHIP),
    true,
    null,
  ],
  [
    "the waiting node is removed",
    orders(FETCH.replace("Approve", "Ship"), SHIP.replace("word,", "order,").replace("{word}", "{order}")),
    false,
    '"Approve", which it waits for, is gone',
  ],
];

test.each(EDITS)("an edit is told by whether its runs fit: %s", async (_what, edited, fits, why) => {
  const { cwd, edit, ids } = await begin();
  edit(edited);
  const { code, stdout } = await flowsheet(["validate", "--check-runs", "--json"], { cwd });
  const { runs } = JSON.parse(stdout);
  const from = expect.stringMatching(/^[0-9a-f]{32}$/);
  expect(runs).toMatchObject([{ graph: "Orders", from, to: from, run_id: ids[0], fits, why }]);
  expect(runs[0].to).not.toBe(runs[0].from);
  expect(code).toBe(fits ? 0 : 1);
});

test.each(EDITS)("a run ends as it began, whatever is edited: %s", async (_what, edited) => {
  const { cwd, edit, ids } = await begin();
  edit(edited);
  const listed = await flowsheet(["runs", "--json"], { cwd });
  expect(JSON.parse(listed.stdout)).toMatchObject({
    runs: [{ run_id: ids[0], waiting: [{ node: "Approve", prompt: "Is it right?" }] }],
  });
  const ended = await flowsheet(["resume", ids[0]!, "--answer", "Approve=yes", "--json"], { cwd });
  expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([
    0,
    { state: { order: "<Fetch 0>", shipped: "Shipped: yes" }, path: ["Fetch", "Approve", "Ship"] },
  ]);
});

test("a run ends as it began when its sheet is deleted, and is told to stay", async () => {
  const { cwd, ids } = await begin();
  rmSync(join(cwd, "workflows/orders.csv"));
  writeFileSync(join(cwd, "workflows/other.csv"), "graph_name,node_name,agent_type\nOther,Say,echo\n");
  const { code, stdout } = await flowsheet(["validate", "--check-runs", "--json"], { cwd });
  expect([code, JSON.parse(stdout).runs]).toMatchObject([1, [{ run_id: ids[0], fits: false, to: null }]]);
  const ended = await flowsheet(["resume", ids[0]!, "--answer", "Approve=yes"], { cwd });
  expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([0, { shipped: "Shipped: yes" }]);
});

const move = async (cwd: string, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await flowsheet(["runs", "move", ...args, "--json"], { cwd });
  return { code, stderr, json: stdout === "" ? null : JSON.parse(stdout) };
};

test("a run that fits is moved, keeps its question, and goes on with the new sheet", async () => {
  const { cwd, edit, ids } = await begin(2);
  edit(
    orders(
      FETCH,
      APPROVE.replace("right", "wrong").replace("Ship", "Pack"),
      "Orders,Pack,writer,Ship,,,packed,Pack",
      SHIP,
    ),
  );
  const [first, second] = ids as [string, string];
  expect(await move(cwd, "--all", "--dry-run")).toMatchObject({
    code: 0,
    json: { moved: expect.any(Array), stay: [] },
  });
  const before = await flowsheet(["validate", "--check-runs", "--json"], { cwd });
  expect(JSON.parse(before.stdout).runs).toHaveLength(2);
  expect(await move(cwd, first.slice(0, 8))).toMatchObject({ code: 0, json: { moved: [first], stay: [] } });
  expect(await move(cwd, "--all", "--graph", "Other")).toMatchObject({
    code: 0,
    json: { moved: [], stay: [] },
  });
  expect(await move(cwd, "--all", "--graph", "Orders")).toMatchObject({ code: 0, json: { moved: [second] } });
  const shown = JSON.parse((await flowsheet(["runs", "list", "--json"], { cwd })).stdout);
  expect(shown.runs[0].waiting).toMatchObject([{ node: "Approve", prompt: "Is it right?" }]);
  const after = await flowsheet(["validate", "--check-runs", "--json"], { cwd });
  expect(JSON.parse(after.stdout).runs).toEqual([]);
  const ended = await flowsheet(["resume", first, "--answer", "Approve=yes", "--json"], { cwd });
  expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([
    0,
    { state: { order: "<Fetch 0>", packed: "<Pack>" }, path: ["Fetch", "Approve", "Pack", "Ship"] },
  ]);
});

test("a run that does not fit stays: exit code 1 by its id, 0 with --all", async () => {
  const { cwd, edit, ids } = await begin();
  edit(EDITS[2]![1]);
  const why = '"Approve" would be called anew (Tax was put before it)';
  const stay = [{ run_id: ids[0], node: "Approve", why }];
  expect(await move(cwd, ids[0]!)).toMatchObject({ code: 1, json: { moved: [], stay } });
  expect(await move(cwd, "--all")).toMatchObject({ code: 0, json: { moved: [], stay } });
  const text = await flowsheet(["runs", "move", "--all"], { cwd });
  expect(text.stdout).toBe(`${ids[0]}  stays  ${why}\n`);
});

test.each([
  [["ffff0000"], "no run has the id"],
  [[], "needs the id of a run"],
  [["ffff0000", "--all"], "not both"],
  [["ffff0000", "--graph", "Orders"], "--graph goes with --all"],
])("a move that is asked for wrongly is refused: %j", async (args, message) => {
  const { cwd } = await begin();
  expect(await move(cwd, ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

test("a run in a file of an earlier version cannot be moved, and is told to be stale", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": "runs:\n  keep: waiting\n",
    "agents/writer.ts": AGENT,
    "workflows/orders.csv": BEGUN,
  });
  const run = { runId: await suspendInFile(cwd, "workflows/orders.csv", { id: "1" }) };
  writeFileSync(join(cwd, "workflows/orders.csv"), EDITS[0]![1]);
  const { code, stdout } = await flowsheet(["validate", "--check-runs", "--json"], { cwd });
  const why = '"Orders" has changed its meaning';
  expect([code, JSON.parse(stdout).runs]).toMatchObject([1, [{ run_id: run.runId, fits: false, why }]]);
  expect(await move(cwd, run.runId)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("cannot be moved"),
  });
});

test("a run whose agent is gone is held and shown so, never failed, and goes on when it is back", async () => {
  const { cwd, ids } = await begin();
  rmSync(join(cwd, "agents/writer.ts"));
  const held = await flowsheet(["resume", ids[0]!, "--answer", "Approve=yes"], { cwd });
  expect([held.code, held.stderr]).toEqual([
    1,
    expect.stringContaining('there is no agent "writer" any more'),
  ]);
  const listed = JSON.parse((await flowsheet(["runs", "list", "--json"], { cwd })).stdout);
  expect(listed.runs).toMatchObject([
    { run_id: ids[0], status: "queued", held: "agent writer", error: null },
  ]);
  expect((await flowsheet(["runs"], { cwd })).stdout).toContain("  held: agent writer is not here\n");
  const shown = (await flowsheet(["runs", "show", ids[0]!], { cwd })).stdout;
  expect(shown).toContain("\nheld   agent writer is not here\n");
  writeFileSync(join(cwd, "agents/writer.ts"), AGENT);
  // Whoever cannot go on with a run leaves it for two seconds.
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  const ended = await flowsheet(["resume", ids[0]!, "--json"], { cwd });
  expect(JSON.parse(ended.stdout)).toMatchObject({ status: "completed", state: { shipped: "Shipped: yes" } });
});

test("compile writes, and says which runs stay", async () => {
  const { cwd, edit, ids } = await begin(2);
  expect((await flowsheet(["compile", "--check-runs"], { cwd })).code).toBe(0);
  edit(EDITS[2]![1]);
  const { code, stdout } = await flowsheet(["compile", "workflows/orders.csv", "--check-runs"], { cwd });
  const shown = stdout.replace(/\b[0-9a-f]{4}\b/g, "0000").split("\n");
  expect(shown).toEqual([
    expect.stringContaining("orders.gen.ts"),
    ...(shown[1]!.startsWith("Orders") ? [] : [expect.anything()]),
    "Orders  0000 → 0000   2 open runs",
    '   2 stay       "Approve" would be called anew (Tax was put before it)     0000…  0000…',
    "Runs that stay go on with the sheet as it was (0000): nothing is lost.",
    "",
  ]);
  expect(code).toBe(1);
  for (const id of ids) expect(stdout).toContain(id.slice(0, 4));
});

test("runs of other sheets are told only when all sheets are looked at, or when they call the edited one", async () => {
  const call = `${HEADER}\nMain,Ask,input,Call,,,word,Which?\nMain,Call,graph,,"{""graph"": ""Sums""}",word,total,\n`;
  const sums = `${HEADER}\nSums,Say,echo,,,word,total,Sum of {word}\n`;
  const cwd = createFolder({
    "flowsheet.yaml": "",
    "workflows/main.csv": call,
    "workflows/sums.csv": sums,
    "workflows/other.csv": "graph_name,node_name,agent_type\nOther,Say,echo\n",
  });
  const { runId } = await new Flowsheet({ cwd }).runWorkflow({ csvPath: "workflows/main.csv" });
  writeFileSync(join(cwd, "workflows/sums.csv"), sums.replace("Sum of", "Total of"));
  const told = async (...sheets: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await flowsheet(["validate", ...sheets, "--check-runs", "--json"], { cwd });
    return JSON.parse(stdout).runs.map((one: { readonly run_id: string }) => one.run_id);
  };
  expect(await told()).toEqual([runId]);
  expect(await told("workflows/sums.csv")).toEqual([runId]);
  expect(await told("workflows/other.csv")).toEqual([]);
});

test("a project without runs has nothing to tell, and no store is made for it", async () => {
  const cwd = createFolder({ "flowsheet.yaml": "", "workflows/orders.csv": SHIP && orders(SHIP) });
  const { code, stdout, stderr } = await flowsheet(["validate", "--check-runs"], { cwd });
  expect([code, stderr]).toEqual([0, expect.stringContaining("every open run is of a sheet as it now is")]);
  expect(stdout).not.toContain("open run");
  expect((await flowsheet(["validate", "--section", "llm", "--check-runs"], { cwd })).code).toBe(2);
});

test.each([
  ["its sheet has errors", "workflows/orders.csv has errors", "unknown", BEGUN.replace("{word}", "{wort}")],
  ["it is gone from its sheet", 'the graph "Orders" is gone', "gone", BEGUN.replaceAll("Orders,", "Others,")],
  ["its sheet is gone", "there is no such file", "gone", null],
])("what became of a graph is told as it is: %s", async (_what, why, now, edited) => {
  const { cwd, edit } = await begin();
  writeFileSync(join(cwd, "workflows/others.csv"), BEGUN.replaceAll("Orders,", "Another,"));
  if (edited === null) rmSync(join(cwd, "workflows/orders.csv"));
  else edit(edited);
  const { stdout, code } = await flowsheet(["validate", "--check-runs"], { cwd });
  expect([code, stdout]).toEqual([1, expect.stringMatching(RegExp(`^Orders {2}[0-9a-f]{4} → ${now} `, "m"))]);
  expect(stdout).toContain(why);
});
