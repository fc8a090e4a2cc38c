import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";

const ORDERS = `graph_name,node_name,agent_type,next_node,next_on_failure,input_fields,output_field,prompt,context
Orders,Fetch,echo,Price|Notify,,id,order,order {id},
Orders,Price,echo,Charge,,order,total,total of {order},
Orders,Notify,echo,Charge,,order,told,told of {order},
Orders,Charge,input,END,,,paid,Is it paid?,
`;
const BROKEN = `graph_name,node_name,agent_type,input_fields,output_field,context
Broken,Charge,charge,id,paid,"{""retry"": {""attempts"": 2}}"
`;
const CHARGE = `import { existsSync } from "node:fs";
import { defineAgent } from "flowsheet";
export const charge = defineAgent(({ id }: { id: string }) => {
  if (!existsSync(process.env.PAID ?? "-")) throw new Error("card_declined");
  return id;
});
`;

const project = (): string =>
  createFolder({
    "flowsheet.yaml": "workflows: workflows\n",
    "workflows/orders.csv": ORDERS,
    "workflows/broken.csv": BROKEN,
    "agents/charge.ts": CHARGE,
  });

const json = async (cwd: string, ...args: string[]) => {
  const { code, stdout, stderr } = await flowsheet([...args, "--json"], { cwd });
  return { code, stderr, ...JSON.parse(stdout === "" ? "{}" : stdout) };
};

const detached = async (cwd: string, graph = "Orders", ...more: string[]): Promise<string> => {
  const { run_id: runId } = await json(cwd, "run", "--graph", graph, "--input", "id=17", "--detach", ...more);
  expect(runId).toMatch(/^[0-9a-f]{32}$/);
  return runId;
};

const drain = async (cwd: string, ...more: string[]): Promise<void> => {
  const { code, stdout, stderr } = await flowsheet(["work", "--drain", ...more], { cwd });
  expect([code, stdout]).toEqual([0, ""]);
  expect(stderr).toContain("at work: .flowsheet/runs, 10 at a time");
};

test("a detached run is stored, a worker drives it until it waits, and the answer ends it", async () => {
  const cwd = project();
  const { code, stdout, stderr } = await flowsheet(
    ["run", "--graph", "Orders", "--input", "id=17", "--detach", "--key", "order-17"],
    { cwd },
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^[0-9a-f]{32} {2}queued {2}\(key order-17\)\n$/);
  expect(stderr).toBe("note: nobody is at work here: flowsheet work\n");
  const runId = stdout.slice(0, 32);
  await drain(cwd);
  const { runs, total, next_cursor: cursor } = await json(cwd, "runs");
  expect([total, cursor]).toEqual([1, null]);
  expect(runs).toMatchObject([
    {
      run_id: runId,
      status: "waiting",
      key: "order-17",
      waiting: [{ node: "Charge", prompt: "Is it paid?" }],
    },
  ]);
  expect(runs[0].started_by).toMatch(/^os:./);
  const answered = await json(cwd, "resume", runId.slice(0, 8), "--answer", "Charge=yes");
  expect(answered).toMatchObject({ code: 0, status: "completed" });
  expect(await json(cwd, "runs", "show", runId)).toMatchObject({
    ...{ run_id: runId, status: "completed", waiting: [], path: ["Fetch", "Price", "Notify", "Charge"] },
    state: { paid: "yes", total: "total of order 17" },
  });
});

test("the same key once more begins nothing, and with other input it is refused", async () => {
  const cwd = project();
  const runId = await detached(cwd, "Orders", "--key", "k");
  const again = ["run", "--graph", "Orders", "--detach", "--key", "k"];
  expect(await json(cwd, ...again, "--input", "id=17")).toMatchObject({ run_id: runId, created: false });
  const text = await flowsheet([...again, "--input", "id=17"], { cwd });
  expect(text.stdout).toMatch(/^[0-9a-f]{32} {2}queued {2}since .* nothing new was begun\)\n$/);
  expect(await json(cwd, ...again, "--input", "id=18")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("has begun a run with other input"),
  });
});

test("the picture of a run shows branches one after the other, and what can be done next", async () => {
  const cwd = project();
  const runId = await detached(cwd);
  await drain(cwd);
  const { stdout } = await flowsheet(["runs", "show", runId.slice(0, 6)], { cwd });
  const steady = stdout
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, "DAY")
    .replace(/\d\d:\d\d:\d\d +\d+ ms/g, "CLOCK TOOK")
    .replace(/\d\d:\d\d:\d\d/g, "CLOCK")
    .replace(/@[0-9a-f]{4}/, "@VERS")
    .replace(/by os:\S+/, "by os:me")
    .replaceAll(/ {2,}/g, "  ")
    .replace(runId, "ID")
    .replace(runId.slice(0, 8), "ID8");
  expect(steady).toBe(
    [
      "ID  Orders  waiting  workflows/orders.csv@VERS",
      "  started DAY UTC  by os:me",
      '  1 Fetch  CLOCK TOOK  ok  order = "order 17"',
      '  2 branch 1 Price  CLOCK TOOK  ok  total = "total of order 17"',
      '  3 branch 2 Notify  CLOCK TOOK  ok  told = "told of order 17"',
      "  4 Charge  CLOCK  waits  Is it paid?",
      "next  flowsheet resume ID8 --answer Charge=…",
      "",
    ].join("\n"),
  );
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  const node = await flowsheet(["runs", "show", runId, "--node", "Price"], { cwd });
  expect(node.stdout).toMatch(/^Price#1 .* ok\n {2}inputs\n {4}\{\n {6}"order": "order 17"\n/);
  const unknown = await flowsheet(["runs", "show", runId, "--node", "Prise"], { cwd });
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("did you mean Price?")]);
});

test("a failed run is retried by its id, once what made it fail is mended", async () => {
  const cwd = project();
  const runId = await detached(cwd, "Broken");
  await drain(cwd);
  const shown = await flowsheet(["runs", "show", runId], { cwd });
  expect(shown.stdout).toMatch(/1 Charge .* threw {2}card_declined \(2 attempts\)\n/);
  expect(shown.stdout).toContain("error  agent_failed at Charge: card_declined");
  expect(shown.stdout).toContain(`next   flowsheet runs retry ${runId.slice(0, 8)}`);
  expect(await json(cwd, "runs", "list", "--status", "failed")).toMatchObject({
    runs: [{ error: { code: "agent_failed", message: "card_declined", node: "Charge" } }],
  });
  expect(await json(cwd, "runs", "retry", runId)).toMatchObject({
    code: 0,
    runs: [{ run_id: runId, status: "queued" }],
  });
  const early = await flowsheet(["runs", "retry", runId], { cwd });
  expect([early.code, early.stdout]).toEqual([1, ""]);
  const env = { PAID: `${cwd}/flowsheet.yaml` };
  expect((await flowsheet(["work", "--drain"], { cwd, env })).code).toBe(0);
  expect(await json(cwd, "runs", "show", runId)).toMatchObject({
    status: "completed",
    state: { paid: "17" },
  });
  expect((await flowsheet(["runs", "retry", runId], { cwd })).code).toBe(1);
});

test("of several runs those that can be cancelled are, and the worst problem is the exit code", async () => {
  const cwd = project();
  const [a, b] = [await detached(cwd), await detached(cwd)];
  const both = await json(cwd, "runs", "cancel", a, "ffffffff", b.slice(0, 10));
  expect(both).toMatchObject({
    code: 2,
    runs: [
      { run_id: a, status: "cancelled" },
      { run_id: b, status: "cancelled" },
    ],
  });
  expect(both.stderr).toContain('no run has the id "ffffffff"');
  expect(await json(cwd, "runs", "cancel", a)).toMatchObject({ code: 1, runs: [] });
  const listed = await json(cwd, "runs", "list", "--status", "cancelled");
  expect(listed.runs[0].error).toEqual({ code: "cancelled", message: "the run was cancelled", node: null });
  const { stdout } = await flowsheet(["runs", "list", "--status", "cancelled"], { cwd });
  expect(stdout).not.toContain("cancelled:");
  expect((await flowsheet(["runs", "cancel", "ff"], { cwd })).code).toBe(2);
});

test("lists are filtered and go on at a cursor", async () => {
  const cwd = project();
  const ids = [
    await detached(cwd),
    await detached(cwd, "Broken"),
    await detached(cwd, "Orders", "--key", "x"),
  ];
  const listed = async (...args: string[]): Promise<string[]> =>
    (await json(cwd, "runs", "list", ...args)).runs.map((run: { run_id: string }) => run.run_id);
  expect(await listed()).toEqual([...ids].reverse());
  expect(await listed("--graph", "Broken")).toEqual([ids[1]]);
  expect(await listed("--key", "x")).toEqual([ids[2]]);
  expect(await listed("--status", "completed,failed")).toEqual([]);
  expect(await listed("--status", "all", "--since", "1h")).toHaveLength(3);
  const { version } = (await json(cwd, "runs", "show", ids[1]!)) as { version: string };
  expect(await listed("--version", version)).toEqual([ids[1]]);
  // As pictures show it.
  expect(await listed("--version", version.slice(0, 4))).toEqual([ids[1]]);
  const page = await json(cwd, "runs", "list", "--limit", "2");
  expect(page).toMatchObject({ total: 3, runs: [{ run_id: ids[2] }, { run_id: ids[1] }] });
  expect(await listed("--limit", "2", "--cursor", page.next_cursor)).toEqual([ids[0]]);
});

test.each([
  [["runs", "list", "--limit", "0"], "--limit takes a whole number from 1 to 200"],
  [["runs", "list", "--limit", "x"], "--limit takes a whole number from 1 to 200"],
  [["runs", "list", "--status", "open"], "--status takes queued, running"],
  [["runs", "list", "--since", "yesterday"], "--since takes a time such as"],
  [["runs", "list", "--from", "Price"], "runs list has no option --from"],
  [["runs", "show"], "runs show needs the id of a run"],
  [["runs", "show", "abcd1234"], 'no run has the id "abcd1234"'],
  [["runs", "prune", "--older", "soon"], "--older takes a time such as 30d"],
  [["work", "--graph", "Order"], 'no sheet has a graph "Order"'],
  [["work", "--concurrency", "0"], "--concurrency takes a whole number"],
  [["run", "--graph", "Orders", "--detach", "--trace"], "--trace needs a run in this process"],
  [["run", "--graph", "Orders", "--detach", "--key", "a b"], "--key takes 1 to 255"],
  [["run", "--graph", "Orders", "--detach", "--deadline", "2020-01-01"], "is in the past"],
  [["run", "--graph", "Orders", "--detach", "--at", "9"], "--at takes a time such as"],
  [
    ["run", "--graph", "Orders", "--detach", "--at", "2h", "--deadline", "1h"],
    "is over before the run begins",
  ],
  [["run", "--graph", "Orders", "--input", "id=1", "--key", "k", "--no-keep"], "= help: leave out --no-keep"],
  [["runs", "list", "--status", "all,open"], "--status takes queued, running"],
])("%j is wrong usage", async (args, message) => {
  const { code, stdout, stderr } = await flowsheet(args, { cwd: project() });
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
});

test("a run with a time to begin stays queued until then", async () => {
  const cwd = project();
  const runId = await detached(cwd, "Orders", "--at", "2999-01-31T09:00:00Z");
  const { stdout } = await flowsheet(["runs"], { cwd });
  expect(stdout).toContain("  begins 2999-01-31 09:00:00 UTC\n");
  await drain(cwd);
  expect(await json(cwd, "runs")).toMatchObject({
    runs: [{ run_id: runId, status: "queued", due_at: "2999-01-31T09:00:00.000Z" }],
  });
});

test("a list says until when a question waits", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": "workflows: .\n",
    "ask.csv":
      "graph_name,node_name,agent_type,output_field,prompt,context.timeout_ms\nAsk,Ask,input,a,Well?,86400000\n",
  });
  await flowsheet(["run", "ask.csv"], { cwd });
  const { runs } = await json(cwd, "runs");
  const until = String(runs[0].waiting[0].until).slice(0, 19).replace("T", " ");
  for (const args of [["runs"], ["runs", "show", runs[0].run_id]])
    expect((await flowsheet(args, { cwd, columns: 200 })).stdout).toContain(`Well?  until ${until} UTC\n`);
});

test("a run that ended at its deadline waits no more, in its history either", async () => {
  const cwd = project();
  const runId = await detached(cwd, "Orders", "--deadline", "3s");
  const end = Date.now() + 60_000;
  for (let status = ""; status !== "failed" && Date.now() < end; await pause(50)) {
    await drain(cwd);
    status = (await json(cwd, "runs", "show", runId)).status;
  }
  const { error, visits } = await json(cwd, "runs", "show", runId);
  const { stdout } = await flowsheet(["runs", "show", runId], { cwd });
  expect(error.code).toBe("run_timeout");
  expect(visits.map(({ outcome }: { outcome: string }) => outcome)).not.toContain("waiting");
  expect(stdout).not.toContain("waits");
});

test("what has ended is forgotten, first only counted", async () => {
  const cwd = project();
  const runId = await detached(cwd, "Orders", "--key", "k");
  expect(await json(cwd, "runs", "prune", "--older", "0d")).toMatchObject({ pruned: 0 });
  await flowsheet(["runs", "cancel", runId], { cwd });
  expect(await json(cwd, "runs", "prune")).toMatchObject({ pruned: 0 });
  const dry = await flowsheet(["runs", "prune", "--older", "0d", "--dry-run"], { cwd });
  expect(dry.stdout).toBe("would forget 1 run\n");
  expect(await json(cwd, "runs", "prune", "--older", "0d")).toMatchObject({ pruned: 1 });
  expect((await json(cwd, "runs", "list", "--status", "all")).runs).toEqual([]);
  // The key is free again.
  expect(await detached(cwd, "Orders", "--key", "k")).not.toBe(runId);
});

test("in the foreground, too, a key begins one run, and --no-keep keeps none", async () => {
  const cwd = project();
  const run = ["run", "--graph", "Orders", "--input", "id=17"];
  const first = await json(cwd, ...run, "--key", "k");
  expect(first).toMatchObject({ code: 3, status: "suspended" });
  const { run_id: runId } = first as unknown as { run_id: string };
  expect(await json(cwd, ...run, "--key", "k")).toMatchObject({ code: 3, run_id: runId });
  const { runs } = await json(cwd, "runs");
  expect(runs).toMatchObject([{ run_id: runId, key: "k", started_by: expect.stringMatching(/^os:./) }]);
  const refused = await flowsheet([...run, "--key", "k", "--no-keep"], { cwd });
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining("--key needs a run that is kept"),
  ]);
  await flowsheet(["run", "--graph", "Broken", "--input", "id=1", "--no-keep"], { cwd });
  expect(await json(cwd, "runs", "list", "--status", "all")).toMatchObject({ total: 1 });
});

test("Ctrl-C leaves a kept run to others: exit 130", async () => {
  const slow = `import { defineAgent } from "flowsheet";
export const slow = defineAgent(async (_: object, { signal }) => {
  if (process.env.FAST === undefined) {
    console.error("at work");
    const busy = setInterval(() => {}, 1_000);
    signal.addEventListener("abort", () => clearInterval(busy));
    await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
  }
  return "done";
});
`;
  const cwd = createFolder({
    "flowsheet.yaml": "workflows: workflows\n",
    "workflows/s.csv": "graph_name,node_name,agent_type,output_field\nSlow,Wait,slow,out\n",
    "agents/slow.ts": slow,
  });
  const stopped = await flowsheetProcess(["run", "--graph", "Slow"], {
    cwd,
    started: (child) => {
      let seen = "";
      child.stderr?.on("data", (data: Buffer) => {
        const before = seen.includes("at work\n");
        seen += data.toString();
        if (!before && seen.includes("at work\n")) child.kill("SIGINT");
      });
    },
  });
  expect([stopped.code, stopped.stdout, stopped.stderr]).toEqual([
    130,
    "",
    expect.stringContaining("stopped: the run stays"),
  ]);
  const [, runId = ""] = /^run ([0-9a-f]{32})$/m.exec(stopped.stderr) ?? [];
  expect(stopped.stderr).toContain("stopped: the run stays queued.");
  expect(await json(cwd, "runs")).toMatchObject({ runs: [{ run_id: runId, status: "queued" }] });
  expect((await flowsheet(["work", "--drain"], { cwd, env: { FAST: "1" } })).code).toBe(0);
  expect(await json(cwd, "runs", "show", runId)).toMatchObject({
    status: "completed",
    state: { out: "done" },
  });
});
