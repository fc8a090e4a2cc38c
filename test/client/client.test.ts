import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { check, createProject } from "../emit/native.js";
import { KEYS, startService, type TestService } from "../http/service.js";

const HEADER =
  "graph_name,node_name,next_node,next_on_success,next_on_failure,agent_type,context,input_fields,output_field,prompt,description\n";
const FILES = {
  "workflows/refund.csv":
    `${HEADER}Refund,Check,Approve,,,echo,,amount:number|customer,note,{customer} wants {amount},"Pays */ money back"\n` +
    `Refund,Approve,,Pay,Refuse,human,"{""interaction"": ""approval"", ""options"": [""pay"", ""refuse""]}",note,verdict,Pay? {note},\n` +
    "Refund,Pay,,,,echo,,note,reply,Paid: {note},\nRefund,Refuse,,,,echo,,note,reply,No: {note},\n",
  "workflows/many.csv":
    `${HEADER}Many,Each,,,,graph,"{""graph"": ""Item"", ""over"": ""items"", ""as"": ""item""}",items:list,answer=answers,,\n` +
    "Item,Ask,,,,input,,item,answer:'yes'/'no',About {item}?,\n",
  "workflows/team/refund.csv": `${HEADER}Other,Say,,,,echo,,,said,hello,\n`,
} as const;

/** A program that uses the client as its author means it. */
const PROGRAM = `import { createClient, FlowsheetError, type RunResult } from "./flows.js";
const [url, key] = process.argv.slice(2);
const client = createClient({ url: url!, key: key! });
const first: RunResult<"Refund"> = await client.run("Refund", { amount: 12, customer: "Ada" });
if (first.status !== "suspended") throw new Error(first.status);
const node: "Approve" = first.waiting[0]!.node;
const last = await client.resume("Refund", first.run_id, { [node]: { answer: "pay", comment: "fine" } });
const reply: string = last.status === "completed" ? last.state.reply : last.status;
const refused = await client.run("Refund", { amount: "much" as never, customer: "Ada" }).catch((e: unknown) => e);
const problem = refused instanceof FlowsheetError ? [refused.status, refused.code, refused.errors.length] : refused;
const items = await client.run("Many", { items: ["tea"] });
const answered = await client.resume("Many", items.run_id, { "Each[0]/Ask": "yes" });
const unknown = await client.run("Other", {}, undefined, "key-1").then(({ status }) => status);
console.log(JSON.stringify([reply, problem, answered.status, unknown]));
`;

let service: TestService;
beforeAll(async () => {
  service = await startService({ files: FILES });
});
afterAll(() => service.stop());

async function clientOf(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await flowsheet(["client", ...args], {
    cwd: service.folder,
    env: { FLOWSHEET_KEY: KEYS.readonly },
  });
  expect([code, stderr.replace(/^note: .*\n/gm, "")]).toEqual([0, ""]);
  return stdout;
}

const NODE = {
  module: "nodenext",
  target: "es2023",
  noUnusedLocals: true,
  noUnusedParameters: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  isolatedDeclarations: true,
  declaration: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  lib: ["es2023", "dom"],
};

/** What the compiler says of a program beside the client. */
async function checked(client: string, program: string): Promise<readonly [said: string, folder: string]> {
  const folder = createProject(NODE);
  writeFileSync(join(folder, "flows.ts"), client);
  writeFileSync(join(folder, "process.d.ts"), "declare const process: { readonly argv: string[] };\n");
  writeFileSync(join(folder, "main.ts"), program);
  return [await check(folder), folder];
}

test("a client of the project and one of its server are the same, and run against it", async () => {
  const [ofProject, ofServer] = [await clientOf(), await clientOf("--server", service.url)];
  const body = (text: string): string => text.split("\n").slice(2).join("\n");
  expect(body(ofServer)).toBe(body(ofProject));
  expect(ofServer).not.toContain(KEYS.readonly);
  const [said, folder] = await checked(ofProject, PROGRAM);
  expect(said).toBe("");
  const { build } = await import("esbuild");
  const outfile = join(folder, "main.mjs");
  await build({
    entryPoints: [join(folder, "main.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
  });
  const { execFile } = await import("node:child_process");
  const { promisify } = await import("node:util");
  const { stdout } = await promisify(execFile)(process.execPath, [outfile, `${service.url}/`, KEYS.executor]);
  expect(JSON.parse(stdout)).toEqual([
    "Paid: Ada wants 12",
    [422, "input_invalid", 1],
    "completed",
    "completed",
  ]);
});

test.each([
  ["a misspelt input", 'await client.run("Refund", { amuont: 1, customer: "Ada" });', "amuont"],
  ["an input of another type", 'await client.run("Refund", { amount: "1", customer: "Ada" });', "string"],
  ["a workflow that is not there", 'await client.run("Refnud", {});', "Refnud"],
  ["an answer to a node that never waits", 'await client.resume("Refund", "x", { Check: "pay" });', "Check"],
  ["an answer that is no option", 'await client.resume("Refund", "x", { Approve: "maybe" });', "maybe"],
  [
    "an answer to an item of another type",
    'await client.resume("Many", "x", { "Each[3]/Ask": 3 });',
    "number",
  ],
])("the compiler refuses %s", async (_, line, word) => {
  const head = 'import { createClient } from "./flows.js";\nconst client = createClient({ url: "" });\n';
  const [said] = await checked(await clientOf(), `${head}${line}\n`);
  expect(said).toContain(word);
  expect(said.match(/error TS/g)).toHaveLength(1);
});

test("a file is kept up to date, and what somebody else wrote is left alone", async () => {
  const { folder } = service;
  const call = (...args: readonly string[]) =>
    flowsheet(["client", "--out", "src/flows.ts", ...args], { cwd: folder });
  expect((await call("--check")).code).toBe(1);
  expect((await call()).code).toBe(0);
  expect((await call("--check")).code).toBe(0);
  const file = join(folder, "src/flows.ts");
  expect(readFileSync(file, "utf8")).toContain("// To make it again: flowsheet client --out src/flows.ts\n");
  writeFileSync(file, "export const mine = 1;\n");
  const refused = await call();
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining("was not written by flowsheet"),
  ]);
  expect(readFileSync(file, "utf8")).toBe("export const mine = 1;\n");
  expect((await flowsheet(["client", "--check"], { cwd: folder })).code).toBe(2);
});

test.each([
  ["no address", "example", "is no address"],
  ["no server", "http://127.0.0.1:9", "cannot be reached"],
  ["a password in the address", "http://ada:secret@127.0.0.1:9", "FLOWSHEET_KEY"],
])("%s is a mistake of the caller", async (_, address, words) => {
  const { code, stderr } = await flowsheet(["client", "--server", address], { cwd: service.folder });
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  expect(stderr).not.toContain("secret");
});

test("a server that wants a key says so", async () => {
  const { code, stderr } = await flowsheet(["client", "--server", service.url], { cwd: service.folder });
  expect([code, stderr]).toEqual([2, expect.stringContaining("FLOWSHEET_KEY")]);
});

test("a sheet with errors makes no client", async () => {
  const cwd = createFolder({ "bad.csv": `${HEADER}Bad,One,Tow,,,echo,,,x,y,\n` });
  const { code, stdout, stderr } = await flowsheet(["client"], { cwd });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("unknown-node");
});

test("compile --target writes the schemas and the document of the server", async () => {
  const { folder: cwd } = service;
  const one = await flowsheet(["compile", "workflows/refund.csv", "--target", "schema"], { cwd });
  const schema = JSON.parse(one.stdout);
  expect(schema.$defs.Input.required).toEqual(["amount", "customer"]);
  expect(schema.$defs.State.properties.reply).toEqual({ type: "string" });
  expect((await flowsheet(["compile", "--target", "openapi", "--check"], { cwd })).code).toBe(1);
  expect((await flowsheet(["compile", "--target", "openapi"], { cwd })).code).toBe(0);
  expect((await flowsheet(["compile", "--target", "openapi", "--check"], { cwd })).code).toBe(0);
  const made = JSON.parse(readFileSync(join(cwd, "generated/openapi.json"), "utf8"));
  const served = await (
    await fetch(`${service.url}/openapi.json`, { headers: { "X-API-Key": KEYS.admin } })
  ).json();
  expect(made.components.schemas).toEqual((served as typeof made).components.schemas);
  const wrong = await flowsheet(["compile", "--target", "schema", "--check-runs"], { cwd });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--check-runs is about modules")]);
});
