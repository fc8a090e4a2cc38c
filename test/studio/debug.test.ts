import { readFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Json } from "../../compiler/ir.js";
import type { Ask } from "../../runtime/graph/contract/contract.js";
import { DebugRoom } from "../../runtime/studio/debug/debug-room.js";
import { DebugSession } from "../../runtime/studio/debug/debug-session.js";
import { startStudio, type TestStudio } from "./local.js";
import { post, readStream, type Stream } from "./stream.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const LEAKY = `import { defineAgent } from "flowsheet";
export const ShoutAgent = defineAgent(({ word }) => word + " fsk_nobody-reads-this-key-of-ours");
`;
const GIVEN = { customer: "Ada", question: "I want a refund" };

async function open(files: { readonly [path: string]: string } = {}): Promise<TestStudio> {
  const studio = await startStudio({ files: { "workflows/support.csv": SUPPORT, ...files } });
  onTestFinished(() => studio.stop());
  return studio;
}

interface Debugger extends Stream {
  readonly id: string;
  readonly tell: (command: object) => Promise<number>;
}

async function debug(studio: TestStudio, body: object = {}): Promise<Debugger> {
  const started = await post(studio, "debug", { workflow: "Support", given: GIVEN, ...body });
  expect(started).toMatchObject({ status: 201 });
  const id = started.body["id"] as string;
  const stream = await readStream(studio, `debug/${id}/events`);
  const tell = async (command: object): Promise<number> =>
    (await post(studio, `debug/${id}/commands`, command)).status;
  return { ...stream, id, tell };
}

test("a run stops before each node, with what the node gets, and is led to its end", async () => {
  const { take, tell, told, ended } = await debug(await open());
  expect(await take("stop")).toMatchObject({
    ...{ node: "Ask", graph: "Support", visit: 1, branch: [], step: 1 },
    inputs: { customer: "Ada" },
    prompt: "Hello Ada, how can we help?",
    state: GIVEN,
  });
  expect(await tell({ do: "next" })).toBe(200);
  expect(await take("node_end")).toMatchObject({ node: "Ask", outcome: "success" });
  expect(await take("stop")).toMatchObject({ node: "IsRefund" });
  expect(await tell({ do: "set", field: "question", value: "Where is it?" })).toBe(200);
  expect(await take("stop")).toMatchObject({ node: "IsRefund", inputs: { question: "Where is it?" } });
  expect(await tell({ do: "break", node: "Answer" })).toBe(200);
  expect(await tell({ do: "continue" })).toBe(200);
  expect(await take("stop")).toMatchObject({ node: "Answer" });
  expect(await tell({ do: "clear" })).toBe(200);
  expect(await tell({ do: "continue" })).toBe(200);
  expect(await take("run_end")).toMatchObject({ result: { status: "completed" } });
  await ended;
  expect(told.map(({ id }) => id)).toEqual(told.map((_, i) => i + 1));
  expect(await tell({ do: "next" })).toBe(404);
});

test("the time that a run is stopped before a node is no work of the node", async () => {
  const { take, tell } = await debug(await open());
  const start = await take("node_start");
  await take("stop");
  await new Promise((resolve) => setTimeout(resolve, 300));
  await tell({ do: "next" });
  const end = await take("node_end");
  const [from, to, ms] = [start["at_ms"], end["at_ms"], end["ms"]] as [number, number, number];
  // From its beginning to its end, less what it worked.
  expect(to - from - ms).toBeGreaterThan(250);
});

test("with breaks it runs to the first; a question is answered where it stands", async () => {
  const { take, tell } = await debug(await open(), { breaks: ["ApproveRefund"] });
  expect(await take("stop")).toMatchObject({ node: "ApproveRefund" });
  expect(await tell({ do: "answer", value: "approve" })).toBe(409);
  await tell({ do: "continue" });
  expect(await take("ask")).toMatchObject({ node: "ApproveRefund", options: ["approve", "reject"] });
  expect(await tell({ do: "next" })).toBe(409);
  expect(await tell({ do: "answer", value: 3 })).toBe(422);
  expect(await tell({ do: "answer", value: "reject" })).toBe(200);
  const { result } = await take("run_end");
  expect((result as { path: string[] }).path).toContain("Decline");
});

test("it can be left at any time, and read again from where it was", async () => {
  const studio = await open();
  const first = await debug(studio);
  await first.take("stop");
  first.close();
  await first.tell({ do: "next" });
  const again = await readStream(studio, `debug/${first.id}/events`, { headers: { "Last-Event-ID": "1" } });
  expect(await again.take("stop")).toMatchObject({ node: "Ask" });
  expect(again.told[0]?.id).toBe(2);
  expect(await first.tell({ do: "quit" })).toBe(200);
  expect(await again.take("run_end")).toMatchObject({ result: { status: "cancelled" } });
});

test("what cannot be debugged is refused in words, and a fifth debugger", async () => {
  const studio = await open({ "workflows/broken.csv": "graph,node,next,agent\nBroken,A,B,echo\n" });
  const start = (body: object) => post(studio, "debug", body);
  expect(await start({ workflow: "None" })).toMatchObject({ status: 404 });
  expect(await start({ workflow: "Broken" })).toMatchObject({
    status: 422,
    body: { code: "workflow_invalid" },
  });
  expect(await start({ workflow: "Support", given: GIVEN, breaks: ["Anser"] })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: "/breaks/0", message: expect.stringContaining('did you mean "Answer"?') }] },
  });
  expect(await start({ workflow: "Support", given: {} })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: "/given/customer" }] },
  });
  const ids: unknown[] = [];
  for (let i = 0; i < 4; i++) ids.push((await start({ workflow: "Support", given: GIVEN })).body["id"]);
  const fifth = await start({ workflow: "Support", given: GIVEN });
  expect(fifth).toMatchObject({ status: 429, body: { code: "too_many_debuggers" } });
  expect(
    await post(studio, `debug/${String(ids[0])}/commands`, { do: "set", field: "__proto__", value: 1 }),
  ).toMatchObject({ status: 422 });
  await post(studio, `debug/${String(ids[0])}/commands`, { do: "quit" });
  await expect.poll(async () => (await start({ workflow: "Support", given: GIVEN })).status).toBe(201);
  expect((await post(studio, "debug/none/commands", { do: "next" })).status).toBe(404);
  expect((await studio.ask("GET /studio/api/debug/none/events")).status).toBe(404);
});

test("agents of the project run, and secrets are not shown", async () => {
  const studio = await open({
    "workflows/own.csv":
      "graph,node,next,agent,inputs,output\nOwn,Shout,Say,shout,word,loud\nOwn,Say,,echo,loud,said\n",
    "agents/shout.js": LEAKY,
  });
  const { take, tell, told } = await debug(studio, {
    workflow: "Own",
    given: { word: "hi" },
    breaks: ["Say"],
  });
  expect(await take("stop")).toMatchObject({ node: "Say", state: { word: "hi" } });
  expect(JSON.stringify(told)).not.toContain("nobody-reads-this");
  await tell({ do: "quit" });
});

test("a debugger that nobody reads ends by itself", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const room = new DebugRoom(30_000);
  const names = { isKnown: () => true, meant: () => null };
  const session = new DebugSession({ names, breaks: [], redact: (text) => text });
  let isAborted = false;
  session.lead(({ signal }) => {
    signal.addEventListener("abort", () => {
      isAborted = true;
    });
    return new Promise(() => {});
  });
  const id = room.add(session);
  const { leave } = room.read(id);
  vi.advanceTimersByTime(120_000);
  expect(isAborted).toBe(false);
  leave();
  vi.advanceTimersByTime(29_000);
  expect(isAborted).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(isAborted).toBe(true);
  expect(() => room.find(id)).toThrow("debugger");
});

const WAITING = { node: "Ask", field: "answer", prompt: "Well?", options: null, type: null } as const;

/** A session whose run asks when it is told to. */
function asking(): { readonly session: DebugSession; readonly ask: (signal: AbortSignal) => Promise<Json> } {
  const names = { isKnown: () => true, meant: () => null };
  const session = new DebugSession({ names, breaks: ["None"], redact: (text) => text });
  let ask: Ask | undefined;
  session.lead((leading) => {
    ask = leading.ask;
    return new Promise(() => {});
  });
  return { session, ask: async (signal) => ask!(WAITING, signal, () => null) };
}

test("a question that comes just after the end holds nothing up", async () => {
  const { session, ask } = asking();
  session.end();
  expect(await ask(new AbortController().signal)).toBe(null);
  expect(() => session.obey({ do: "answer", value: "late" })).toThrow(
    expect.objectContaining({ code: "not_stopped" }),
  );
});

test("a question whose node is over takes no answer any more", async () => {
  const { session, ask } = asking();
  const over = new AbortController();
  const asked = ask(over.signal);
  over.abort();
  expect(await asked).toBe(null);
  expect(() => session.obey({ do: "answer", value: "late" })).toThrow(
    expect.objectContaining({ code: "not_stopped" }),
  );
  const again = ask(new AbortController().signal);
  session.obey({ do: "answer", value: "in time" });
  expect(await again).toBe("in time");
});
