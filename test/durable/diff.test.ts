import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const HEAD =
  "graph_name,node_name,agent_type,next_node,next_on_failure,input_fields,output_field,prompt,description,context";
const SHEET = `${HEAD}
Orders,Fetch,echo,Price|Notify,,id,order,order {id},,
Orders,Price,echo,Ask,,order,total,total of {order},,
Orders,Notify,echo,Ask,,order,told,told of {order},,
Orders,Ask,input,Line,,total,paid,Is it paid?,,
Orders,Line,graph,,,order,word,,,"{""graph"": ""Line""}"
Line,Say,echo,,,order,word,{order}!,,
`;

async function begun(): Promise<{ readonly cwd: string; readonly diff: Diff }> {
  const cwd = createFolder({ "flowsheet.yaml": "workflows: workflows\n", "workflows/orders.csv": SHEET });
  expect((await flowsheet(["run", "--graph", "Orders", "--input", "id=1"], { cwd })).code).toBe(3);
  const diff: Diff = async (sheet, ...more) => {
    writeFileSync(join(cwd, "workflows/orders.csv"), sheet);
    const { code, stdout, stderr } = await flowsheet(["diff", ...more], { cwd });
    return { code, stdout: steady(stdout), stderr };
  };
  return { cwd, diff };
}

type Diff = (
  sheet: string,
  ...more: readonly string[]
) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;

const steady = (text: string): string =>
  text
    .replace(/since the run \S+ of .* UTC/g, "since RUN")
    .replace(/\b[0-9a-f]{4} → [0-9a-f]{4}\b/g, "OLD → NEW")
    .replace(/\b[0-9a-f]{4} → gone/, "OLD → gone")
    .replace(/ {2}[0-9a-f]{4} {2}/g, "  VERSION  ");

test("a sheet that is as it was has not changed, whatever the order of its rows", async () => {
  const { diff } = await begun();
  const nothing = [
    "Orders  VERSION  workflows/orders.csv  since RUN",
    "  nothing has changed",
    "",
    "Line  VERSION  workflows/orders.csv  since RUN",
    "  nothing has changed",
    "",
  ].join("\n");
  expect(await diff(SHEET)).toEqual({ code: 0, stdout: nothing, stderr: "" });
  const [head, first, ...others] = SHEET.trim().split("\n");
  const turned = [head, first, ...others.slice(0, -1).reverse(), others.at(-1), ""].join("\n");
  expect((await diff(turned)).stdout).toBe(nothing);
});

test("it tells nodes that came, went and have another name, and columns, settings and edges", async () => {
  const { diff } = await begun();
  const edited = SHEET.replaceAll("Price", "Cost")
    .replace("Cost|Notify", "Cost")
    .replace("Orders,Notify,echo,Ask,,order,told,told of {order},,\n", "")
    .replace(
      "echo,Ask,,order,total,total of {order},,",
      'echo,Tax,,order,total,total of {order},,"{""timeout_ms"": 5000}"',
    )
    .replace("Is it paid?,,", '"Is it paid?\nReally?",Asks,')
    .concat("Orders,Tax,echo,Ask,Ask,total,tax,tax of {total},,\n");
  const { code, stdout, stderr } = await diff(edited);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.split("\n\n")[0]?.split("\n")).toEqual([
    "Orders  OLD → NEW  workflows/orders.csv  since RUN",
    "  ~ Fetch",
    "      next_node  - Cost|Notify",
    "                 + Cost",
    "  ~ Cost  was Price",
    "      next_node   - Ask",
    "                  + Tax",
    "      timeout_ms  + 5000",
    "  ~ Ask",
    "      description  + Asks",
    "      prompt       - Is it paid?",
    "                   + Is it paid?",
    "                   + Really?",
    "  + Tax  echo  Cost → Tax → Ask",
    "  - Notify",
  ]);
});

test("of a graph that only others run, and of their callers", async () => {
  const { diff } = await begun();
  const { stdout } = await diff(SHEET.replace("{order}!", "{order}?"));
  expect(stdout.split("\n")).toEqual([
    "Orders  OLD → NEW  workflows/orders.csv  since RUN",
    "  nothing has changed but graphs that it runs",
    "",
    "Line  VERSION  workflows/orders.csv  since RUN",
    "  ~ Say",
    "      prompt  - {order}!",
    "              + {order}?",
    "",
  ]);
});

test("as JSON, with the runs that an edit leaves behind, which are the exit code", async () => {
  const { diff } = await begun();
  const { code, stdout } = await diff(SHEET.replaceAll(",Ask,", ",Sure,"), "--check-runs", "--json");
  const { graphs, runs } = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(graphs[0]).toMatchObject({
    ...{ graph: "Orders", sheet: "workflows/orders.csv" },
    last_run: { run_id: expect.stringMatching(/^[0-9a-f]{32}$/) },
    changes: [{ kind: "renamed", node: "Sure", was: "Ask" }],
  });
  expect(runs).toMatchObject([{ graph: "Orders", fits: false, node: "Ask" }]);
  expect(graphs[0]).toMatchObject({ from: runs[0].from, to: runs[0].to });
});

test("a graph that is gone, another entry, a sheet without runs, and one with errors are told", async () => {
  const { cwd, diff } = await begun();
  const [head, fetch, price] = SHEET.split("\n");
  const small = await diff(`${head}\n${price}\nOrders,Ask,input,,,total,paid,Is it paid?,,\n`);
  expect(small.stdout).toContain("  ~ entry  Fetch → Price\n");
  expect(small.stdout).toContain("\nLine  gone  workflows/orders.csv  since RUN\n");
  const other = await diff(`${head}\n${fetch?.replace("Orders", "Others").replace("Price|Notify", "")}\n`);
  expect(other.stdout).toContain("Others  workflows/orders.csv\n  no run of it is kept");
  expect(other.stdout).toContain("\nOrders  OLD → gone  workflows/orders.csv  since RUN\n");
  expect(await diff(SHEET.replace("Ask,,order,total", "Nobody,,order,total"))).toMatchObject({
    ...{ code: 1, stdout: "" },
    stderr: expect.stringContaining("unknown-node"),
  });
  rmSync(join(cwd, ".flowsheet"), { recursive: true });
  expect((await diff(SHEET)).stdout).toContain("no run of it is kept");
});
