import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../../cli/folder.js";
import { flowsheet } from "../../cli/run.js";
import { DECLARED } from "./declared.js";

const BIN = join(import.meta.dirname, "../../../dist/cli/bin.js");
const NODE = JSON.stringify(process.execPath);
const TOKEN = "tok-canary-0123456789";
const env = { TOOL_TOKEN: TOKEN, PATH: process.env["PATH"] ?? "" };
const CRM = `mcp:
  servers:
    crm: {command: ${NODE}, args: [server.mjs], env: {TOKEN: env:TOOL_TOKEN}}
`;
const sheet = (tool: string, inputs: string, outputs: string): string =>
  `graph_name,node_name,agent_type,input_fields,output_field,context
Find,Look,mcp,${inputs},${outputs},"{""server"": ""crm"", ""tool"": ""${tool}""}"
`;

function project(files: { readonly [path: string]: string } = {}) {
  const cwd = createFolder({
    "flowsheet.yaml": CRM,
    "server.mjs": DECLARED,
    "found.json": '{"type": "number"}',
    "workflows/find.csv": sheet("find_customer", "customer|most?", "orders|names|level"),
    ...files,
  });
  const run = (...args: readonly string[]) => flowsheet(args, { cwd, env });
  const stored = () => readFileSync(join(cwd, ".flowsheet/mcp.json"), "utf8");
  const find = async () => (await run("compile", "--out", "-", "--target", "schema")).stdout;
  return { cwd, run, stored, find };
}

test("signs that a reviewer would not see are written as escapes", async () => {
  const properties = { "a\u202eb\u{e0041}\u2028": { type: "number" } };
  const { run, stored } = project({ "found.json": JSON.stringify({ type: "object", properties }) });
  expect((await run("types", "--mcp")).code).toBe(0);
  expect(stored()).toContain('"a\\u202eb\\udb40\\udc41\\u2028"');
  expect(stored()).toMatch(/^[\n\x20-\x7e]*$/);
  expect(JSON.parse(stored())).toHaveProperty(
    ["servers", "crm", "find_customer", "output", "properties", "orders"],
    {
      properties,
      type: "object",
    },
  );
});

test("what tools declare is kept, and types the nodes that call them", async () => {
  const { cwd, run, stored, find } = project();
  expect(JSON.parse(await find())).not.toHaveProperty("state.properties.orders.type");
  expect(await run("types", "--mcp")).toMatchObject({ code: 0, stdout: "" });
  expect(stored()).not.toContain(TOKEN);
  expect(Object.keys(JSON.parse(stored()).servers.crm)).toEqual(["find_customer", "say"]);
  await run("compile");
  const module = readFileSync(join(cwd, "generated/find.gen.ts"), "utf8");
  expect(module).toMatch(/customer: string/);
  expect(module).toMatch(/most\?: number/);
  expect(module).toMatch(/orders\??: number/);
  expect(module).toMatch(/names\??: readonly string\[\]/);
  expect(module).toMatch(/level\??: "gold" \| "none"/);
  const called = await run("run", "--graph", "Find", "--input", "customer=Ada", "--json");
  expect(JSON.parse(called.stdout)).toMatchObject({ state: { orders: 12, names: ["Ada"], level: "gold" } });
});

test("a run holds the tool to what it declared, and a row's own type comes first", async () => {
  const { cwd, run } = project();
  await run("types", "--mcp");
  writeFileSync(join(cwd, ".flowsheet/mcp.json"), JSON.stringify({ servers: { crm: tools("string") } }));
  const bad = await run("run", "--graph", "Find", "--input", "customer=Ada", "--json");
  expect(JSON.parse(bad.stdout)).toMatchObject({ error: { code: "bad_value", node: "Look" } });
  writeFileSync(
    join(cwd, "workflows/find.csv"),
    sheet("find_customer", "customer", "orders:number|names|level"),
  );
  const good = await run("run", "--graph", "Find", "--input", "customer=Ada", "--json");
  expect(JSON.parse(good.stdout)).toMatchObject({ state: { orders: 12 } });
});

const tools = (orders: string) => ({
  find_customer: {
    input: null,
    output: { type: "object", properties: { orders: { type: orders } }, required: ["orders"] },
  },
});

test("a reader of another type is told of before anything is run", async () => {
  const { run } = project({
    "workflows/find.csv": `${sheet("find_customer", "customer", "names|orders|level").replace("node_name,", "node_name,next_node,").replace("Find,Look,", "Find,Look,Add,")}Find,Add,,formula,names:number,sum,
`,
  });
  expect((await run("validate")).stdout).not.toContain("type-mismatch");
  await run("types", "--mcp");
  expect((await run("validate")).stdout).toContain("type-mismatch");
});

test("--check writes nothing, and fails when a server declares something else", async () => {
  const { cwd, run, stored } = project();
  expect(await run("types", "--mcp", "--check")).toMatchObject({ code: 1 });
  await run("types", "--mcp");
  const before = stored();
  expect(await run("types", "--mcp", "--check")).toMatchObject({ code: 0 });
  writeFileSync(join(cwd, "found.json"), '{"type": "string"}');
  const { code, stderr } = await run("types", "--mcp", "--check");
  expect([code, stored() === before]).toEqual([1, true]);
  expect(stderr).toContain("mcp.json is out of date");
});

test("workflows of another project are tools with types, too", async () => {
  const theirs = createFolder({
    "flowsheet.yaml": "",
    "workflows/hi.csv": "graph_name,node_name,input_fields,output_field\nHi,Say,name:string,greeting\n",
  });
  const config = `mcp: {servers: {crm: {command: ${NODE}, args: ${JSON.stringify([BIN, "mcp", "--cwd", theirs])}}}}\n`;
  const { cwd, run } = project({
    "flowsheet.yaml": config,
    "workflows/find.csv": sheet("hi", "name", "status|state"),
  });
  expect((await run("types", "--mcp")).code).toBe(0);
  await run("compile");
  const module = readFileSync(join(cwd, "generated/find.gen.ts"), "utf8");
  expect(module).toMatch(/name: string/);
  expect(module).toMatch(/status\??: string/);
});

test.each([
  [["types"], CRM, 2, "--mcp is the tools of mcp.servers"],
  [["types", "--mcp"], "", 2, "no server stands under mcp.servers"],
  [["types", "--mcp"], "mcp: {servers: {crm: {command: /no/such}}}\n", 1, "its command cannot be started"],
  [["types", "--mcp"], `mcp: {servers: {crm: {command: ${NODE}, args: [no.mjs]}}}\n`, 1, "has ended"],
  [
    ["types", "--mcp"],
    "mcp: {servers: {crm: {url: https://127.0.0.1:1/mcp}}}\n",
    1,
    "mcp.servers.crm: 127.0.0.1:1 cannot be reached",
  ],
])("%j with %j", async (args, config, code, why) => {
  const { run } = project({ "flowsheet.yaml": config });
  const answer = await run(...args);
  expect(answer).toMatchObject({ code, stdout: "" });
  expect(answer.stderr).toContain(why);
  expect(answer.stderr).not.toMatch(/\n\s+at /);
});

test("a file of somebody else is left alone; one that is damaged says nothing", async () => {
  const { run, stored, find } = project({ ".flowsheet/mcp.json": "{broken" });
  expect(await find()).toContain("orders");
  const { code, stderr } = await run("types", "--mcp");
  expect([code, stored()]).toEqual([2, "{broken"]);
  expect(stderr).toContain("was not written by flowsheet");
});
