import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { connect, project, startAssistant, startStdio } from "./assistant.js";
import { DESK } from "./sheets.js";

const { createRequestStateCodec } = createRequire(import.meta.url)(
  "@modelcontextprotocol/server",
) as typeof import("@modelcontextprotocol/server");

const SLOW = `graph_name,node_name,agent_type,output_field
Slow,Wait,slow,done
`;
const AGENT = `import { defineAgent } from "flowsheet";
export const slow = defineAgent(
  (_inputs, { signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
);
export const leaky = defineAgent(() => {
  throw new Error("the token is tok-canary-0123456789");
});
`;
const LEAKY = `graph_name,node_name,agent_type,output_field
Leaky,Call,leaky,done
`;
const slow = { "workflows/slow.csv": SLOW, "workflows/leaky.csv": LEAKY, "agents/slow.js": AGENT };

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((go) => setTimeout(go, 5));
};

test("what is no message is answered with an error, and the next one is served", async () => {
  const stdio = startStdio({ folder: project({ "workflows/desk.csv": DESK }) });
  const bad = [
    "{",
    "[]",
    "7",
    "\u0000",
    '{"a":"\\ud800"',
    "[".repeat(100_000),
    `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{"polluted":true}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"x","params":${'{"a":'.repeat(70)}1${"}".repeat(70)}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":"${"x".repeat(10_000_001)}"}}`,
  ];
  for (const line of bad) stdio.type(`${line}\n`);
  await until(() => stdio.lines().length >= bad.length);
  for (const line of stdio.lines())
    expect(JSON.parse(line)).toMatchObject({ id: null, error: { code: -32_700 } });
  expect(({} as { readonly polluted?: boolean }).polluted).toBeUndefined();
  const client = await connect(stdio.transport, {});
  expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  expect(await stdio.leave()).toBe(0);
});

test("what is JSON and no request is answered, so that nobody waits for it", async () => {
  const stdio = startStdio({ folder: project({ "workflows/desk.csv": DESK }) });
  const ping = { jsonrpc: "2.0", method: "ping" };
  const bad: readonly (readonly [unknown, unknown])[] = [
    [{ ...ping, id: 1.5 }, 1.5],
    [{ ...ping, id: null }, null],
    [{ ...ping, id: true }, null],
    [{ ...ping, id: [1] }, null],
    [{ ...ping, id: "a", jsonrpc: "1.0" }, "a"],
    [{ id: 2, method: "ping" }, 2],
    [{ ...ping, id: 3, method: 7 }, 3],
    [{ ...ping, id: 4, params: [1] }, 4],
    [{ ...ping, id: 5, params: "x" }, 5],
    [{ ...ping, id: 6, params: { _meta: { progressToken: {} } } }, 6],
    [{ jsonrpc: "2.0", id: 7 }, 7],
    [{}, null],
  ];
  for (const [message] of bad) stdio.type(`${JSON.stringify(message)}\n`);
  stdio.type('{"jsonrpc":"2.0","id":{},"result":{}}\n{"jsonrpc":"2.0","id":[],"error":{}}\n');
  const client = await connect(stdio.transport, {});
  await client.listTools();
  const told = stdio.lines().map((line) => JSON.parse(line) as { readonly id: unknown });
  expect(told.slice(0, bad.length)).toMatchObject(bad.map(([, id]) => ({ id, error: { code: -32_600 } })));
  expect(told.slice(bad.length)).not.toContainEqual(expect.objectContaining({ id: null }));
  expect(await stdio.leave()).toBe(0);
});

test("a message may come byte by byte, and end with CR LF", async () => {
  const stdio = startStdio({ folder: project({ "workflows/desk.csv": DESK }) });
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "ö", version: "1" } };
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  for (const sign of `\r\n${text}\r\n`) stdio.type(sign);
  await until(() => stdio.lines().length > 0);
  expect(JSON.parse(stdio.lines()[0] ?? "")).toMatchObject({
    id: 1,
    result: { serverInfo: { name: "flowsheet" } },
  });
  await stdio.leave();
});

test("a call that is cancelled cancels its run, and so does the end of standard input", async () => {
  const folder = project(slow);
  const first = await startAssistant({ folder, era: "2025-11-25" });
  const stop = new AbortController();
  const call = { name: "slow", arguments: {} };
  const begun = first.client.callTool(call, { signal: stop.signal, onprogress: () => stop.abort("enough") });
  await expect(begun).rejects.toThrow();
  const second = await startAssistant({ folder });
  let isBegun = false;
  second.client.callTool(call, { onprogress: () => (isBegun = true) }).catch(() => {});
  await until(() => isBegun);
  expect(await second.leave()).toBe(0);
  expect(await first.leave()).toBe(0);
  const { call: ask, leave } = await startAssistant({ folder });
  const { data } = await ask("flowsheet_runs", { status: "all" });
  expect(data).toMatchObject({ total: 2, counts: { cancelled: 2, running: 0, queued: 0 } });
  await leave();
});

test("a suspended run outlives the client", async () => {
  const folder = project({ "workflows/desk.csv": DESK });
  const first = await startAssistant({ folder });
  const { data } = await first.call("refund", { customer: "Ada", amount: 1 });
  await first.leave();
  const second = await startAssistant({ folder });
  const resumed = await second.call("flowsheet_resume", {
    run_id: data["run_id"],
    answers: { Check: "approve" },
  });
  expect(resumed.data).toMatchObject({ status: "completed" });
  await second.leave();
});

test("a run that fails is an error with its node; secrets are in no answer", async () => {
  const folder = project({
    ...slow,
    "flowsheet.yaml": "connections:\n  api: {kind: bearer, token: env:API_TOKEN, host: api.example.com}\n",
  });
  const env = { API_TOKEN: "tok-canary-0123456789" };
  const { call, leave, stdio } = await startAssistant({ folder, env });
  const { isError, data } = await call("leaky");
  expect(isError).toBe(true);
  expect(data).toMatchObject({ status: "failed", error: { code: "agent_failed", node: "Call" } });
  await leave();
  expect(stdio.lines().join("\n") + stdio.stderr()).not.toContain("tok-canary");
});

const KEY = "k".repeat(40);
const call = (args: object, more: object) => ({
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: {
    name: "refund",
    arguments: args,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    },
    ...more,
  },
});

test("a state that was tampered with, has expired, or is of another user or tool goes on with no run", async () => {
  const folder = project({
    "workflows/desk.csv": DESK,
    "flowsheet.yaml": "mcp:\n  state_key: env:STATE_KEY\n",
  });
  const stdio = startStdio({ folder, env: { STATE_KEY: KEY } });
  const send = async (args: object, more: object): Promise<{ readonly [name: string]: unknown }> => {
    const count = stdio.lines().length;
    stdio.type(`${JSON.stringify(call(args, more))}\n`);
    await until(() => stdio.lines().length > count);
    return JSON.parse(stdio.lines().at(-1) ?? "{}") as { readonly [name: string]: unknown };
  };
  const input = { customer: "Ada", amount: 5 };
  const { result } = await send(input, {});
  const { requestState, resultType } = result as {
    readonly requestState: string;
    readonly resultType: string;
  };
  expect(resultType).toBe("input_required");
  const runId = /"run_id":"([0-9a-f]{32})"/.exec(
    Buffer.from(requestState.split(".")[1] ?? "", "base64url").toString(),
  )?.[1];
  const answers = { inputResponses: { Check: { action: "accept", content: { answer: "approve" } } } };
  const mint = (key: string, user: string, tool: string, ttlSeconds = 60) =>
    createRequestStateCodec({ key, ttlSeconds, bind: () => JSON.stringify(["local", user]) }).mint(
      { run_id: runId, tool },
      {} as never,
    );
  const { userInfo } = await import("node:os");
  const me = `os:${userInfo().username}`;
  const forged = [
    `${requestState.slice(0, -2)}AA`,
    requestState.replace(/^v1/, "v2"),
    "",
    "x".repeat(100_000),
    await mint("another-key-another-key-another-key-", me, "refund"),
    await mint(KEY, "os:somebody-else", "refund"),
    await mint(KEY, me, "refund", -1),
  ];
  for (const state of forged)
    expect(await send(input, { requestState: state, ...answers }), state.slice(0, 80)).toMatchObject({
      error: { code: -32_602, message: "Invalid or expired requestState" },
    });
  const other = await send(input, { requestState: await mint(KEY, me, "survey"), ...answers });
  expect(other).toMatchObject({ result: { isError: true, structuredContent: { code: "run_not_found" } } });
  const right = await send(input, { requestState: await mint(KEY, me, "refund"), ...answers });
  expect(right).toMatchObject({ result: { structuredContent: { run_id: runId, status: "completed" } } });
  // It is of no use a second time.
  const again = await send(input, { requestState, ...answers });
  expect(again).toMatchObject({ result: { isError: true, structuredContent: { code: "already_ended" } } });
  await stdio.leave();
});

test("a folder of 200 graphs is listed within a second of the processor", async () => {
  const rows = Array.from(
    { length: 200 },
    (_, i) =>
      `Graph ${i},One,echo,name:string|amount?:number,said,"Hello {name}",Two\nGraph ${i},Two,echo,said,end,,END\n`,
  );
  const header = "graph_name,node_name,agent_type,input_fields,output_field,prompt,next_node\n";
  const { client, leave } = await startAssistant({
    folder: project({ "workflows/many.csv": header + rows.join("") }),
  });
  const before = process.cpuUsage();
  const { tools } = await client.listTools();
  const { user } = process.cpuUsage(before);
  expect(tools).toHaveLength(206);
  expect(user / 1_000).toBeLessThan(10_000);
  await leave();
});
