import { createRequire } from "node:module";
import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, expect, test } from "vitest";
import { authentication, KEYS, startService, type TestService } from "../http/service.js";
import { callTool, connect, ERAS, type Era } from "./assistant.js";
import { BROKEN, DESK, WRITER } from "./sheets.js";

const eras = Object.keys(ERAS) as readonly Era[];
const files = { "workflows/desk.csv": DESK, "workflows/team/store.csv": WRITER };
const LIMITED = "fsk_limited-0123456789-0123456789-0123456";
const ANSWERER = "fsk_answerer-0123456789-0123456789-012345";
const more = `    limited: {key: ${LIMITED}, permissions: [execute], user_id: limited, graphs: [Refund]}
    answerer: {key: ${ANSWERER}, permissions: [answer], user_id: answerer}
`;
const config = (extra = ""): string => `${authentication(more)}server:\n  mcp: {enabled: true${extra}}\n`;

const STATE_KEY = "state-key-0123456789-0123456789-0123456789";
const { createRequestStateCodec } = createRequire(import.meta.url)(
  "@modelcontextprotocol/server",
) as typeof import("@modelcontextprotocol/server");

const services: TestService[] = [];
afterAll(() => Promise.all(services.map((one) => one.stop())));
async function service(setup: Parameters<typeof startService>[0] = {}): Promise<TestService> {
  const made = await startService({ files, config: config(), ...setup });
  services.push(made);
  return made;
}

interface Caller {
  readonly url: string;
  readonly key?: string;
  readonly era?: Era;
  readonly ask?: Parameters<typeof connect>[1]["ask"];
}

function client({ url, key = KEYS.executor, era = "2026-07-28", ask }: Caller): Promise<Client> {
  const headers = { "X-API-Key": key };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  return connect(transport, ask === undefined ? { era } : { era, ask });
}

const shared = service();

test.each(eras)("%s: tools are listed and called, and progress is told", async (era) => {
  const { url } = await shared;
  const one = await client({ url, era });
  const { tools } = await one.listTools();
  expect(tools.map(({ name }) => name).slice(0, 5)).toEqual([
    ...["hello_andern", "refund", "survey", "hello_andern_2", "store"],
  ]);
  const seen: unknown[] = [];
  const { structuredContent } = await one.callTool(
    { name: "hello_andern", arguments: { name: "Ada" } },
    { onprogress: ({ message }) => seen.push(message) },
  );
  expect(structuredContent).toMatchObject({ status: "completed", state: { greeting: "Hello Ada" } });
  expect(seen).toEqual(["Greet"]);
  const wrong = await callTool(one, "refund", { customer: 7 });
  expect([wrong.isError, wrong.data["code"]]).toEqual([true, "input_invalid"]);
  expect((await callTool(one, "flowsheet_validate", { csv: DESK })).data["valid"]).toBe(true);
  const bad = await callTool(one, "flowsheet_validate", { csv: DESK.replace(",Pay,", ",Pai,") });
  expect(bad.data["valid"]).toBe(false);
  expect((await callTool(one, "flowsheet_inspect", { csv: DESK, graph: "Survey" })).text).toContain("Ask");
  expect((await callTool(one, "flowsheet_inspect", { csv: DESK, graph: "Survei" })).text).toContain(
    "did you mean",
  );
  await one.close();
});

test("2026-07-28: a run that waits asks the user", async () => {
  const { url } = await shared;
  const ask = () => ({ action: "accept" as const, content: { answer: "approve" } });
  const one = await client({ url, ask });
  expect((await callTool(one, "refund", { customer: "Ada", amount: 9 })).data).toMatchObject({
    status: "completed",
    state: { answer: "Paid 9" },
  });
  await one.close();
});

test("2025-11-25: without sessions nobody can be asked, so the run waits for flowsheet_resume", async () => {
  const { url } = await shared;
  const ask = () => ({ action: "accept" as const, content: { answer: "approve" } });
  const one = await client({ url, era: "2025-11-25", ask });
  const { data } = await callTool(one, "refund", { customer: "Ada", amount: 9 });
  expect(data).toMatchObject({ status: "suspended", waiting: [{ node: "Check" }] });
  const done = await callTool(one, "flowsheet_resume", {
    run_id: data["run_id"],
    answers: { Check: "approve" },
  });
  expect(done.data).toMatchObject({ status: "completed" });
  await one.close();
});

test("no credential, a wrong one and an expired one are refused before the body is read", async () => {
  const { url } = await shared;
  for (const headers of [{}, { "X-API-Key": "fsk_no" }, { "X-API-Key": KEYS.expired }]) {
    const answer = await fetch(`${url}/mcp`, { method: "POST", headers, body: "{" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toContain("ApiKey");
  }
});

test("the text of sheets is for those who may write; other graphs of a limited key are not there", async () => {
  const { url } = await shared;
  const uris = async (key: string): Promise<readonly string[]> => {
    const one = await client({ url, key });
    const { resources } = await one.listResources();
    await one.close();
    return resources.map(({ uri }) => uri);
  };
  expect(await uris(KEYS.developer)).toContain("flowsheet://sheets/desk.csv");
  expect(await uris(KEYS.executor)).not.toContain("flowsheet://sheets/desk.csv");
  expect(await uris(LIMITED)).toEqual(["flowsheet://diagnostics/desk.csv", "flowsheet://graphs/Refund.mmd"]);
  expect(await uris(ANSWERER)).toEqual([]);
  const limited = await client({ url, key: LIMITED });
  for (const uri of ["flowsheet://sheets/desk.csv", "flowsheet://graphs/Survey.mmd"])
    await expect(limited.readResource({ uri })).rejects.toMatchObject({ code: expect.any(Number) });
  const { data } = await callTool(limited, "flowsheet_inspect", { graph: "Survey" });
  expect(data["code"]).toBe("workflow_not_found");
  await limited.close();
});

test("who may only answer goes on with a run, and is told no value of it", async () => {
  const { url } = await shared;
  const starter = await client({ url });
  const { data } = await callTool(starter, "refund", { customer: "Ada Canary", amount: 9 });
  await starter.close();
  const answerer = await client({ url, key: ANSWERER });
  const args = { run_id: data["run_id"], answers: { Check: "approve" } };
  const done = await callTool(answerer, "flowsheet_resume", args);
  expect(done.data).toMatchObject({ status: "completed", path: ["Check", "Pay"] });
  expect(JSON.stringify(done)).not.toContain("Canary");
  await answerer.close();
});

test("a state is of no use to another user, nor one that was forged or has expired", async () => {
  const { url } = await service({
    config: `${config()}mcp: {state_key: env:STATE_KEY}\n`,
    env: { STATE_KEY },
  });
  const post = async (key: string, params: object) => {
    const headers = {
      "X-API-Key": key,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": "refund",
    };
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    };
    const call = { name: "refund", arguments: { customer: "Ada", amount: 1 }, _meta, ...params };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call });
    const answer = await fetch(`${url}/mcp`, { method: "POST", headers, body });
    return (await answer.json()) as { readonly result?: { readonly [name: string]: unknown } };
  };
  const { result } = await post(KEYS.executor, {});
  expect(result).toMatchObject({ resultType: "input_required" });
  const answers = { Check: { action: "accept", content: { answer: "approve" } } };
  const again = { requestState: result?.["requestState"], inputResponses: answers };
  expect(await post(KEYS.admin, again)).toMatchObject({ error: { code: -32_602 } });
  const { requestState } = again as { readonly requestState: string };
  const payload = JSON.parse(Buffer.from(requestState.split(".")[1] ?? "", "base64url").toString());
  const mint = (key: string, ttlSeconds: number) =>
    createRequestStateCodec({ key, ttlSeconds, bind: () => JSON.stringify(["api_key", "executor"]) }).mint(
      payload.p,
      {} as never,
    );
  for (const state of [
    await mint(STATE_KEY, -1),
    await mint("k".repeat(40), 60),
    `${requestState}x`,
    "v1.e30.x",
  ])
    expect(await post(KEYS.executor, { ...again, requestState: state }), state).toMatchObject({
      error: { code: -32_602, message: "Invalid or expired requestState" },
    });
  expect(await post(KEYS.executor, { ...again, requestState: await mint(STATE_KEY, 60) })).toMatchObject({
    result: { structuredContent: { status: "completed" } },
  });
});

test("pages of other sites and other hosts are refused; so is what is no message", async () => {
  const { url, port } = await shared;
  const post = (headers: { readonly [name: string]: string }, body = "{}") =>
    fetch(`${url}/mcp`, {
      method: "POST",
      headers: { "X-API-Key": KEYS.executor, "Content-Type": "application/json", ...headers },
      body,
    });
  expect((await post({ Origin: "https://evil.example" })).status).toBe(403);
  expect((await post({ Origin: `http://127.0.0.1:${port}` })).status).not.toBe(403);
  const { rawRequest } = await import("./raw.js");
  expect(await rawRequest(port, "evil.example", KEYS.executor)).toContain(" 421 ");
  for (const body of ["{", "[]", "7", "", "[".repeat(10_000), '{"__proto__": {}}'])
    expect((await post({}, body)).status, body.slice(0, 20)).toBeGreaterThanOrEqual(400);
  expect((await post({ "Content-Type": "text/plain" })).status).toBe(415);
  expect((await post({}, `{"a": "${"x".repeat(2_000_000)}"}`)).status).toBe(413);
  for (const method of ["GET", "DELETE"]) {
    const answer = await fetch(`${url}/mcp`, { method, headers: { "X-API-Key": KEYS.executor } });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  }
});

test("it is off unless it is turned on, may be elsewhere, and offers what it is told to", async () => {
  const off = await service({ config: authentication() });
  const headers = { "X-API-Key": KEYS.executor };
  expect((await fetch(`${off.url}/mcp`, { method: "POST", headers })).status).toBe(404);
  const { url } = await service({ config: config(', path: /ai/tools, workflows: ["Refund", "team/*"]') });
  expect((await fetch(`${url}/mcp`, { method: "POST", headers })).status).toBe(404);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/ai/tools`), {
    requestInit: { headers },
  });
  const one = await connect(transport, {});
  const names = (await one.listTools()).tools.map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual(["refund", "store"]);
  await one.close();
});

test("what is not offered is in no list, no picture, no problem and no suggestion", async () => {
  const { url } = await service({
    files: { ...files, "workflows/broken.csv": BROKEN },
    config: config(', workflows: ["Survey", "team/*", "Secret"]'),
  });
  const one = await client({ url, key: KEYS.admin });
  const { resources } = await one.listResources();
  expect(resources.map(({ uri }) => uri).sort()).toEqual([
    ...["flowsheet://diagnostics/desk.csv", "flowsheet://diagnostics/team%2Fstore.csv"],
    ...["flowsheet://graphs/Store.mmd", "flowsheet://graphs/Survey.mmd"],
    ...["flowsheet://sheets/desk.csv", "flowsheet://sheets/team%2Fstore.csv"],
  ]);
  for (const uri of ["graphs/Refund.mmd", "graphs/Secret.mmd", "diagnostics/broken.csv", "sheets/broken.csv"])
    await expect(one.readResource({ uri: `flowsheet://${uri}` }), uri).rejects.toMatchObject({
      code: expect.any(Number),
    });
  for (const graph of ["Refund", "Secret", "Brokn", "Refnd"]) {
    const { isError, text } = await callTool(one, "flowsheet_inspect", { graph });
    expect([isError, /did you mean/.test(text)], graph).toEqual([true, false]);
  }
  expect((await callTool(one, "flowsheet_inspect", { graph: "Survey" })).isError).toBe(false);
  await one.close();
});

test("a client that goes takes its run with it, and frees its slot", async () => {
  const agent = `import { defineAgent } from "flowsheet";
export const slow = defineAgent(
  (_inputs, { signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
);`;
  const sheet = "graph_name,node_name,agent_type,output_field\nSlow,Wait,slow,done\n";
  const { url } = await service({
    files: { "workflows/slow.csv": sheet, "agents/slow.js": agent },
    config: `${config()}execution: {concurrency: 1}\n`,
  });
  const watcher = await client({ url });
  const untilCancelled = async (wanted: number): Promise<void> => {
    for (;;) {
      const { data } = await callTool(watcher, "flowsheet_runs", { status: "all" });
      if ((data["counts"] as { readonly cancelled: number }).cancelled === wanted) return;
      await new Promise((go) => setTimeout(go, 20));
    }
  };
  for (const [index, era] of eras.entries()) {
    const one = await client({ url, era });
    const stop = new AbortController();
    const call = one.callTool({ name: "slow" }, { signal: stop.signal, onprogress: () => stop.abort() });
    await expect(call).rejects.toThrow();
    await one.close();
    await untilCancelled(index + 1);
  }
  await watcher.close();
});
