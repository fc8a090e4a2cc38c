import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Flowsheet } from "flowsheet";
import { afterAll, expect, test } from "vitest";
import { createFolder } from "../../cli/folder.js";
import { flowsheetProcess } from "../../cli/process.js";
import { flowsheet } from "../../cli/run.js";
import { authentication, KEYS, startService, type TestService } from "../../http/service.js";
import { sheetText } from "../sheet.js";
import { PROGRAM } from "./program.js";

const TOKEN = "tok-canary-0123456789";
const SERVER = `mcp:
  servers:
    tools: {command: ${JSON.stringify(process.execPath)}, args: [server.mjs], env: {TOKEN: env:TOOL_TOKEN}}
`;

interface Asked {
  readonly inputs?: string;
  readonly given?: object;
  readonly outputs?: string;
  readonly context?: object;
}

function tools(config = SERVER, env: { readonly [name: string]: string } = {}) {
  const folder = createFolder({
    "flowsheet.yaml": `runs: {keep: waiting}\n${config}`,
    "server.mjs": PROGRAM,
  });
  const flowsheet = new Flowsheet({ cwd: folder, env: { TOOL_TOKEN: TOKEN, ...env } });
  let sheets = 0;
  const call = async (tool: string, asked: Asked = {}) => {
    const { given = {}, inputs = Object.keys(given).join("|"), outputs = "result", context = {} } = asked;
    const settings = { server: "tools", tool, ...context };
    const csvPath = join(folder, `sheet-${++sheets}.csv`);
    writeFileSync(csvPath, sheetText([{ node: "Ask", agent: "mcp", inputs, outputs, context: settings }]));
    const { state, error, runId } = await flowsheet.runWorkflow({
      ...{ csvPath, graphName: "Main", initialState: { ...given } },
    });
    return { state, message: error?.message ?? null, code: error?.code ?? null, runId };
  };
  const calls = (): readonly { readonly [name: string]: unknown }[] =>
    readFileSync(join(folder, "calls.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  return { folder, call, calls };
}

test("inputs are the arguments; entries of the result go to outputs, else its text", async () => {
  const { call, calls } = tools();
  const given = { a: 2, b: 3 };
  expect(
    (await call("add", { given, inputs: "a:number|b:number", outputs: "sum:number|of" })).state,
  ).toMatchObject({
    sum: 5,
    of: [2, 3],
  });
  expect((await call("add", { given, outputs: "sum:number" })).state).toMatchObject({ sum: 5 });
  expect((await call("add", { given })).state).toMatchObject({ result: { sum: 5, of: [2, 3] } });
  const said = await call("say", { given: { what: "it's\n{a} \u00e4" } });
  expect(said.state).toMatchObject({ result: "you said it's\n{a} \u00e4" });
  expect(calls().at(-1)).toMatchObject({
    arguments: { what: "it's\n{a} \u00e4" },
    _meta: { "flowsheet/idempotency-key": `${said.runId}/Ask/1` },
  });
});

test("a program sees PATH and what the configuration names, nothing else", async () => {
  const { call } = tools(SERVER, { OTHER_SECRET: "x", PATH: process.env["PATH"] ?? "" });
  const { state } = await call("env");
  const { names, token } = state["result"] as { readonly names: readonly string[]; readonly token: string };
  expect(names.filter((name) => name !== "__CF_USER_TEXT_ENCODING")).toEqual(["PATH", "TOKEN"]);
  // The value is in the state, which the tool has given on purpose.
  expect(token).toBe(TOKEN);
});

test.each([
  ["refuse", "tools.refuse failed: no such customer"],
  ["leak", "tools.leak failed: the token is [redacted]"],
  ["nothing", "there is no such tool"],
  ["huge", "its message is too long"],
  ["die", "its program has ended: no licence for [redacted] here"],
  ["cut", "its program has ended"],
  ["odd", "its answer is no message"],
  ["both", "its answer is no message"],
  ["deaf", "it reads no answers"],
])("%s: the node fails, and says why", async (tool, why) => {
  const { message, code } = await tools().call(tool);
  expect(code).toBe("agent_failed");
  expect(message).toContain(why);
  expect(message).not.toContain(TOKEN);
});

test("what a program writes for people is told when it fails alone: one line, cut, without what steers a terminal", async () => {
  const long = await tools().call("long");
  const [, words = ""] = (long.message ?? "").split("its program has ended: ");
  expect(words).toMatch(/^\\x1b\[31mred é+$/);
  expect(words.length).toBeLessThanOrEqual(200);
  const edge = await tools().call("edge");
  expect(edge.message).toMatch(/its program has ended: and then \[redacted\]$/);
  const { folder } = tools();
  writeFileSync(
    join(folder, "noisy.csv"),
    sheetText([
      { node: "Ask", agent: "mcp", context: { server: "tools", tool: "noisy" }, outputs: "result" },
    ]),
  );
  const env = { TOOL_TOKEN: TOKEN, PATH: process.env["PATH"] ?? "" };
  for (const more of [[], ["--verbose"]]) {
    const { code, stdout, stderr } = await flowsheet(["run", "noisy.csv", "--json", ...more], {
      cwd: folder,
      env,
    });
    expect([code, JSON.parse(stdout).state]).toEqual([0, { result: "done" }]);
    expect(stdout + stderr).not.toMatch(/the token is|tok-canary/);
  }
});

test("junk between messages is passed over; a value of a wrong type is refused", async () => {
  const { call } = tools();
  expect((await call("junk")).state).toMatchObject({ result: "after junk" });
  expect((await call("wrong", { outputs: "sum:number" })).code).toBe("bad_value");
});

test.skipIf(process.platform === "win32")("what a program has started ends with it", async () => {
  const { state } = await tools().call("child");
  const pid = Number(state["result"]);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

/** A process that has ended stays in the list until its parent asks for it. */
function isRunning(pid: number): boolean {
  try {
    return !/^\s*Z/.test(execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }));
  } catch {
    return false;
  }
}

test("a tool that never answers is left at the node's time-out", async () => {
  const { message, code } = await tools().call("never", { context: { timeout_ms: 300 } });
  expect(code).toBe("node_timeout");
  expect(message).toContain("300");
});

test.each([
  ["", {}, "there are none"],
  [SERVER, { server: "tolls" }, 'did you mean "tools"'],
  ["mcp: {servers: {tools: {command: /no/such/program}}}\n", {}, "cannot be started"],
  ["mcp: {servers: {tools: {command: node, env: {A: env:UNSET}}}}\n", {}, "UNSET, which is not set"],
  ["mcp: {servers: {tools: {command: node, url: https://example.com}}}\n", {}, "either a command or a url"],
  ["mcp: {servers: {tools: {url: https://127.0.0.1:1/mcp}}}\n", {}, "127.0.0.1:1"],
])("a server that is not there: %s", async (config, context, why) => {
  const { message } = await tools(config).call("add", { context });
  expect(message).toContain(why);
});

const services: TestService[] = [];
afterAll(() => Promise.all(services.map((one) => one.stop())));

test("a server at an address is called with its headers, which are in no error", async () => {
  const service = await startService({ config: `${authentication()}server: {mcp: {enabled: true}}\n` });
  services.push(service);
  const config = `mcp: {servers: {tools: {url: "${service.url}/mcp", headers: {X-API-Key: env:REMOTE}}}}\n`;
  const { call } = tools(config, { REMOTE: KEYS.executor });
  const { state } = await call("hello", { given: { name: "Ada" }, outputs: "status|state" });
  expect(state).toMatchObject({ status: "completed", state: { greeting: "Hello Ada" } });
  const failed = await call("hello", { given: { nome: "Ada" } });
  expect(failed.message).toContain('input "name" is missing');
  const refused = await tools(config, { REMOTE: KEYS.expired }).call("hello", { given: { name: "Ada" } });
  expect(refused.code).toBe("agent_failed");
  expect(refused.message).not.toContain(KEYS.expired);
});

test("a redirect to another host is not followed, and headers go nowhere else", async () => {
  const seen: string[] = [];
  const other = createServer((request, response) => {
    seen.push(String(request.headers["x-api-key"]));
    response.end("{}");
  });
  const first = createServer((_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${portOf(other)}/mcp` }).end();
  });
  await Promise.all(
    [other, first].map((one) => new Promise<void>((done) => one.listen(0, "127.0.0.1", done))),
  );
  const url = `http://127.0.0.1:${portOf(first)}/mcp`;
  const { call } = tools(`mcp: {servers: {tools: {url: "${url}", headers: {X-API-Key: env:TOOL_TOKEN}}}}\n`);
  expect((await call("add")).code).toBe("agent_failed");
  expect(seen).toEqual([]);
  for (const one of [other, first]) one.close();
});

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

test("after kill -9 in the middle the second call has the same key", async () => {
  const slow = PROGRAM.replace(
    "never: () => null",
    "never: () => (process.kill(process.ppid, 'SIGKILL'), null)",
  );
  const cwd = createFolder({
    "flowsheet.yaml": `workflows: workflows\n${SERVER}`,
    "server.mjs": slow,
    "workflows/call.csv": `graph_name,node_name,agent_type,output_field,context
Call,Ask,mcp,result,"{""server"": ""tools"", ""tool"": ""never""}"
`,
  });
  const env = { TOOL_TOKEN: TOKEN };
  const begun = await flowsheet(["run", "--graph", "Call", "--detach", "--json"], { cwd, env });
  const { run_id: runId } = JSON.parse(begun.stdout);
  for (const _ of [1, 2])
    expect((await flowsheetProcess(["work", "--drain", "--quiet"], { cwd, env })).signal).toBe("SIGKILL");
  const keys = readFileSync(join(cwd, "calls.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line)._meta["flowsheet/idempotency-key"]);
  expect(keys).toEqual([`${runId}/Ask/1`, `${runId}/Ask/1`]);
});

test("a test sheet does not call it: it is mocked, or the case fails", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": SERVER,
    "server.mjs": PROGRAM,
    "call.csv": `graph_name,node_name,agent_type,input_fields,output_field,context
Call,Ask,mcp,a:number|b:number,sum:number,"{""server"": ""tools"", ""tool"": ""add""}"
`,
    "call.test.csv": `case,given,mocks,expect_state
mocked,"{""a"": 1, ""b"": 2}","{""Ask"": 3}","{""sum"": 3}"
real,"{""a"": 1, ""b"": 2}",,"{""sum"": 3}"
`,
  });
  const { code, stdout } = await flowsheet(["test", "call.csv"], { cwd, env: { TOOL_TOKEN: TOKEN } });
  expect(code).toBe(1);
  expect(stdout).toContain("which a test must not do");
  expect(stdout).toContain("1 passed, 1 failed");
});
