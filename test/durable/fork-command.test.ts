import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const ORDERS = `graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt
Orders,Price,price,Charge,,total:number,
Orders,Charge,pay,,total:number,paid,
`;
const AGENTS = {
  "agents/price.js": `import { defineAgent } from "flowsheet";
export const PriceAgent = defineAgent(async () => 129.5);
`,
  "agents/pay.js": `import { defineAgent } from "flowsheet";
export const PayAgent = defineAgent(async ({ total }) => {
  if (total > 100) throw new Error("card_declined");
  return \`paid \${total}\`;
});
`,
};

/** A project with a run that failed at Charge, and its id. */
async function failed(): Promise<{ readonly cwd: string; readonly id: string }> {
  const cwd = createFolder({
    "flowsheet.yaml": "workflows: workflows\n",
    "workflows/orders.csv": ORDERS,
    ...AGENTS,
  });
  expect((await flowsheet(["run", "--graph", "Orders"], { cwd })).code).toBe(1);
  const { stdout } = await flowsheet(["runs", "list", "--status", "failed", "--json"], { cwd });
  return { cwd, id: (JSON.parse(stdout) as { runs: { run_id: string }[] }).runs[0]!.run_id };
}

test("a run is forked with another value, and the new run says what was set, and where", async () => {
  const { cwd, id } = await failed();
  const args = ["runs", "fork", id.slice(0, 8), "--from", "Charge", "--set", "total=99"];
  const forked = await flowsheet(args, { cwd });
  expect([forked.code, forked.stdout, forked.stderr]).toEqual([
    0,
    expect.stringMatching(/^[0-9a-f]{32} {2}queued\n$/),
    "note: nobody is at work here: flowsheet work\n",
  ]);
  const child = forked.stdout.slice(0, 32);
  await flowsheet(["work", "--drain", "--quiet"], { cwd });
  const { stdout } = await flowsheet(["runs", "show", child], { cwd });
  expect(stdout).toContain(`forked from ${id.slice(0, 8)} at Charge#1`);
  expect(stdout).toMatch(/^set {4}total = 99 {2}before Charge#1$/m);
  expect(stdout).toMatch(/1 Price .* total = 129.5\n.*2 Charge .* paid = "paid 99"\n/);
  const json = JSON.parse((await flowsheet(["runs", "show", child, "--json"], { cwd })).stdout);
  expect(json).toMatchObject({
    ...{ status: "completed", state: { paid: "paid 99" } },
    forked_from: { run_id: id, at: "Charge#1" },
  });
});

test("the same key once more begins nothing", async () => {
  const { cwd, id } = await failed();
  const args = ["runs", "fork", id, "--from", "Charge", "--key", "k", "--json"];
  const [first, again] = [await flowsheet(args, { cwd }), await flowsheet(args, { cwd })];
  const { run_id, status, created } = JSON.parse(first.stdout);
  expect([first.code, status, created]).toEqual([0, "queued", true]);
  expect(JSON.parse(again.stdout)).toEqual({ run_id, status: "queued", created: false });
  const other = await flowsheet([...args, "--set", "total=1"], { cwd });
  expect([other.code, other.stdout, other.stderr]).toEqual([2, "", expect.stringContaining(run_id)]);
});

test.each([
  [2, "needs --from", []],
  [2, "did you mean", ["--from", "Charg"]],
  [2, `no visit of "${"x".repeat(63)}…"\n`, ["--from", "x".repeat(50_000)]],
  [2, `field=json, not "${"x".repeat(63)}…"\n`, ["--from", "Charge", "--set", "x".repeat(50_000)]],
  [2, '"total" must be number', ["--from", "Charge", "--set", "total=much"]],
  [2, 'did you mean "total"?', ["--from", "Charge", "--set", "totl=1"]],
  [2, "--set takes field=json", ["--from", "Charge", "--set", "total"]],
  [2, "--key takes", ["--from", "Charge", "--key", "a b"]],
  [2, "runs fork has no option --node", ["--from", "Charge", "--node", "A"]],
])("ends with %d and says %j", async (code, message, more) => {
  const { cwd, id } = await failed();
  const ended = await flowsheet(["runs", "fork", id, ...more], { cwd });
  expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, "", expect.stringContaining(message)]);
});

test("an id that nobody knows is told", async () => {
  const { cwd } = await failed();
  const ended = await flowsheet(["runs", "fork", "0123456789", "--from", "Charge"], { cwd });
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining("no run has the id")]);
});

test("a fork takes the sheet as it now is when what was recorded before fits it", async () => {
  const { cwd, id } = await failed();
  const sheet = join(cwd, "workflows/orders.csv");
  const fork = (...more: readonly string[]) =>
    flowsheet(["runs", "fork", id, "--from", "Charge", "--set", "total=50", ...more], { cwd });
  writeFileSync(
    sheet,
    ORDERS.replace("pay,,total", "pay,Thank,total").concat("Orders,Thank,echo,,paid,thanks,{paid}!\n"),
  );
  const child = (await fork("--current")).stdout.slice(0, 32);
  await flowsheet(["work", "--drain", "--quiet"], { cwd });
  const { stdout } = await flowsheet(["runs", "show", child, "--json"], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ state: { thanks: "paid 50!" } });
  writeFileSync(sheet, ORDERS.replaceAll("Price", "Cost"));
  const refused = await fork("--current");
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `error: the run ${id} does not fit its graph as it now is: "Price", which was called, is gone\n`,
  ]);
  expect((await fork()).code).toBe(0);
});
