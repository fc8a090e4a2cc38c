import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findDriver } from "../../runtime/durable/sqlite/driver.js";
import { type RawAnswer, request } from "../http/raw.js";
import {
  ASKING,
  authentication,
  HELLO,
  hasRunsInFiles,
  KEYS,
  startService,
  type TestService,
} from "../http/service.js";

const FAILING = `import { defineAgent } from "flowsheet";
let calls = 0;
export const OnceAgent = defineAgent(() => { calls += 1; if (calls === 1) throw new Error("down"); return "up"; });
`;
const FAILING_SHEET = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt
Failing,First,Try,echo,,a,one
Failing,Try,Last,once,,b,
Failing,Last,,echo,b,c,it is {b}
`;
const PAIR = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt
Pair,First,Second,input,,one:string,One?
Pair,Second,Both,input,,two,Two?
Pair,Both,,echo,one|two,both,{one} {two}
`;
const EDITED = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt
Edited,Once,Ask,steady,,a,
Edited,Ask,,input,,b,Well?
`;
const STEADY = `import { defineAgent } from "flowsheet";
export const SteadyAgent = defineAgent(async () => "a");
`;
const LARGE = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt
Large,One,Two,echo,big,a,{big}
Large,Two,Three,echo,big,b,{big}
Large,Three,Four,echo,big,c,{big}
Large,Four,Five,echo,big,d,{big}
Large,Five,Six,echo,big,e,{big}
Large,Six,,echo,big,f,{big}
`;
const FILES = {
  "workflows/pair.csv": PAIR,
  "workflows/hello.csv": HELLO,
  "workflows/asking.csv": ASKING,
  "workflows/gone.csv": ASKING.replaceAll("Asking", "Gone"),
  "workflows/failing.csv": FAILING_SHEET,
  "workflows/edited.csv": EDITED,
  "workflows/large.csv": LARGE,
  "agents/steady.js": STEADY,
  "agents/once.js": FAILING,
};

let service: TestService;
beforeAll(async () => {
  service = await startService({ files: FILES });
});
afterAll(() => service.stop());

const post = (path: string, body: object | null, ...headers: readonly string[]): Promise<RawAnswer> =>
  request(
    service.port,
    `POST ${path}`,
    [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json", ...headers],
    body === null ? "" : JSON.stringify(body),
  );
const get = (path: string, ...headers: readonly string[]): Promise<RawAnswer> =>
  request(service.port, `GET ${path}`, [`X-API-Key: ${KEYS.readonly}`, ...headers]);

const hello = (name: string): object => ({ graph_name: "Hello", initial_state: { name } });
const detached = (body: object): object => ({ ...body, options: { detach: true } });
const idOf = ({ json }: RawAnswer): string => String(json?.["run_id"]);

async function until(id: string, status: string): Promise<RawAnswer> {
  await expect.poll(async () => (await get(`/runs/${id}`)).json?.["status"]).toBe(status);
  return get(`/runs/${id}`);
}

interface Sent {
  readonly id: string | null;
  readonly type: string;
  readonly data: { readonly [key: string]: unknown };
}

const sentIn = ({ body }: Pick<RawAnswer, "body">): readonly Sent[] =>
  body
    .split("\n\n")
    .filter((part) => part.includes("event: "))
    .map((part) => ({
      id: /^id: (.*)$/m.exec(part)?.[1] ?? null,
      type: /^event: (.*)$/m.exec(part)?.[1] ?? "",
      data: JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? "null") as Sent["data"],
    }));
const namesIn = (answer: Pick<RawAnswer, "body">): readonly string[] =>
  sentIn(answer).map(({ type }) => type);
const EVENTS = "Accept: text/event-stream";

describe("POST /execute", () => {
  test("detached answers at once with the place of the run, which a worker ends", async () => {
    const answer = await post("/execute", detached(hello("Ada")));
    const id = idOf(answer);
    expect([answer.status, answer.json]).toEqual([202, { run_id: id, status: "queued" }]);
    expect(answer.headers.get("location")).toBe(`/runs/${id}`);
    const { json } = await until(id, "completed");
    expect(json).toMatchObject({
      graph_name: "Hello",
      sheet: "hello.csv",
      started_by: "executor",
      state: { greeting: "Hello Ada" },
      path: ["Greet"],
      error: null,
    });
  });

  test("a key begins one run of a graph and a user", async () => {
    const key = "Idempotency-Key: order-17";
    const first = await post("/execute", hello("Ada"), key);
    expect([first.status, first.headers.has("idempotency-replayed")]).toEqual([200, false]);
    const again = await post("/execute", hello("Ada"), key);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    expect(again.json).toEqual(first.json);
    const left = await post("/execute", detached(hello("Ada")), key);
    expect([left.status, left.json, left.headers.get("idempotency-replayed")]).toEqual([
      202,
      { run_id: idOf(first), status: "completed" },
      "true",
    ]);
    const other = await post("/execute", hello("Bob"), key);
    expect([other.status, other.json?.["code"]]).toEqual([422, "key_reused"]);
    const admin = await request(
      service.port,
      "POST /execute",
      [`X-API-Key: ${KEYS.admin}`, "Content-Type: application/json", key],
      JSON.stringify(hello("Bob")),
    );
    expect(admin.json).toMatchObject({ state: { greeting: "Hello Bob" } });
    expect((await get("/runs?status=all&key=order-17")).json).toMatchObject({ total: 2 });
  });

  test.each(["", "a b", "x".repeat(256)])("refuses the key %j", async (key) => {
    const { status, json } = await post("/execute", hello("Ada"), `Idempotency-Key: ${key}`);
    expect([status, json?.["errors"]]).toMatchObject([422, [{ pointer: "/headers/Idempotency-Key" }]]);
  });

  test("a deadline ends a run that waits", async () => {
    const body = { graph_name: "Asking", options: { deadline_ms: 2_000 } };
    const answer = await post("/execute", body);
    expect(answer.status).toBe(202);
    const { json } = await until(idOf(answer), "failed");
    expect(json?.["error"]).toMatchObject({ code: "run_timeout" });
  });

  test("a deadline beyond all times is none, and others see their runs", async () => {
    const options = { detach: true, deadline_ms: Number.MAX_SAFE_INTEGER };
    const id = idOf(await post("/execute", { graph_name: "Asking", options }));
    expect((await until(id, "waiting")).json?.["deadline_at"]).toBe(null);
    // node:sqlite refuses to read a number over 2^53, and libsql rounds it.
    if (hasRunsInFiles()) {
      const database = findDriver().open(join(service.folder, ".flowsheet/runs/runs.db"));
      const [row] = database.prepare("SELECT deadline, due FROM runs WHERE run_id = ?").all(id);
      database.close();
      expect(row).toMatchObject({ deadline: 8.64e15, due: 8.64e15 });
    }
    expect((await get("/runs?status=all")).status).toBe(200);
    expect((await post(`/runs/${id}/cancel`, null)).status).toBe(202);
  });
});

describe("GET /runs", () => {
  test("filters, counts and searches", async () => {
    await post("/execute", hello("Zuse"));
    const found = await get("/runs?status=all&q=zuse");
    expect(found.json).toMatchObject({ total: 1, next_cursor: null, runs: [{ status: "completed" }] });
    const all = (await get("/runs?status=completed,failed&graph_name=Hello&limit=1")).json;
    expect(all?.["counts"]).toMatchObject({ completed: all?.["total"], waiting: 0 });
    expect(all?.["next_cursor"]).toEqual(expect.any(String));
    expect((await get("/runs?status=all&until=2020-01-01")).json).toMatchObject({ total: 0, runs: [] });
  });

  test("gives every run once, newest first, page by page", async () => {
    for (let i = 0; i < 5; i++) await post("/execute", { graph_name: "Asking" });
    const ids: string[] = [];
    for (let cursor: unknown = ""; cursor !== null; ) {
      const { json } = await get(`/runs?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      const runs = json?.["runs"] as readonly { readonly run_id: string; readonly created_at: string }[];
      ids.push(...runs.map(({ run_id, created_at }) => `${created_at} ${run_id}`));
      cursor = json?.["next_cursor"];
    }
    expect(ids.length).toBe(Number((await get("/runs")).json?.["total"]));
    expect(new Set(ids).size).toBe(ids.length);
    const times = ids.map((one) => one.slice(0, 24));
    expect(times).toEqual([...times].sort().reverse());
  });

  // Each word of a search is looked up by itself: thousands of them held up the server for a minute.
  test("T5: a search of more words than anybody types is refused, and a word counts once", async () => {
    const search = (words: readonly string[]) => get(`/runs?status=all&q=${words.join("+")}`);
    expect((await search(Array(1_500).fill("Zuse"))).json).toMatchObject({ total: 1 });
    const { status, json } = await search([..."abcdefghijk"]);
    expect([status, json?.["code"], json?.["detail"]]).toEqual([
      422,
      "input_invalid",
      "/q: q takes 10 words at most",
    ]);
  });

  const forged = (...parts: readonly unknown[]): string =>
    `cursor=${Buffer.from(JSON.stringify(parts)).toString("base64url")}`;
  test.each([
    ...["limit=0", "limit=-1", "limit=201", "limit=x", "limit=1.5", "limit="],
    ...[
      "cursor=x",
      "cursor=",
      forged("1", "2"),
      forged("visit", "1"),
      forged(1, 2),
      forged({}, []),
      forged("a"),
    ],
    ...[
      "status=late",
      "status=",
      "status=waiting,late",
      "status=all,late",
      "since=soon",
      "since=",
      "until=x",
    ],
  ])("refuses %s", async (query) => {
    const { status, json } = await get(`/runs?${query}`);
    expect([status, json?.["code"]]).toEqual([422, "input_invalid"]);
  });

  test("a run whose sheet is deleted is marked, and answered as it began", async () => {
    const id = idOf(await post("/execute", { graph_name: "Gone" }));
    rmSync(join(service.folder, "workflows/gone.csv"));
    await expect.poll(async () => (await get("/workflows/Gone")).status).toBe(404);
    expect((await get("/runs?graph_name=Gone")).json).toMatchObject({
      runs: [{ run_id: id, sheet: "gone.csv", sheet_gone: true }],
    });
    const ended = await post(`/runs/${id}/resume`, { answers: { Ask: "why" } });
    expect(ended.json).toMatchObject({ status: "completed", state: { answer: "You asked why" } });
  });
});

describe("GET /runs/{run_id}", () => {
  test("shows visits in pages", async () => {
    const id = idOf(await post("/execute", { graph_name: "Asking" }));
    await post(`/runs/${id}/resume`, { answers: { Ask: "x" } });
    expect((await get(`/runs/${id}`)).json?.["visits"]).toBeUndefined();
    const { json } = await get(`/runs/${id}?include=steps`);
    const visits = json?.["visits"] as readonly object[];
    expect(visits.at(-1)).toMatchObject({ node: "Answer", outcome: "success", inputs: { question: "x" } });
    const first = (await get(`/runs/${id}?include=steps&limit=1`)).json;
    expect(first?.["visits"]).toEqual(visits.slice(0, 1));
    const rest = await get(`/runs/${id}?include=steps&cursor=${first?.["next_cursor"]}`);
    expect(rest.json?.["visits"]).toEqual(visits.slice(1));
    const other = (await get("/runs?status=all&limit=1")).json?.["next_cursor"];
    for (const cursor of ["x", "", other, Buffer.from('["visit",""]').toString("base64url")]) {
      const { status } = await get(`/runs/${id}?include=steps&cursor=${cursor}`);
      expect([cursor, status]).toEqual([cursor, 422]);
    }
    expect((await get(`/runs/${id}?include=steps&limit=1001`)).status).toBe(422);
  });

  // All of a run was read for each page: one request for one visit took a gigabyte and seconds of all others.
  test("T5: a page of large visits ends early, and the next one goes on behind it", async () => {
    const initial_state = { big: "x".repeat(900_000) };
    const id = idOf(await post("/execute", { graph_name: "Large", initial_state }));
    const nodes: unknown[] = [];
    for (let cursor: unknown = null; nodes.length === 0 || cursor !== null; ) {
      const { json } = await get(`/runs/${id}?include=steps${cursor === null ? "" : `&cursor=${cursor}`}`);
      const visits = json?.["visits"] as readonly { readonly node: string }[];
      expect(visits.length).toBeGreaterThan(0);
      expect(visits.length).toBeLessThan(6);
      nodes.push(...visits.map(({ node }) => node));
      cursor = json?.["next_cursor"];
    }
    expect(nodes).toEqual(["One", "Two", "Three", "Four", "Five", "Six"]);
  });

  test("an unknown run is not there", async () => {
    for (const path of ["", "/events"]) {
      const { status, json } = await get(`/runs/${"0".repeat(32)}${path}`);
      expect([status, json?.["code"]]).toEqual([404, "run_not_found"]);
    }
  });
});

describe("events", () => {
  test("are the same from each number on, whoever asks", async () => {
    const started = await post("/execute", { graph_name: "Asking" }, EVENTS);
    const told = sentIn(started);
    const id = String(told[0]?.data["run_id"]);
    expect(namesIn(started)).toEqual(["run_start", "node_start", "node_end", "run_wait", "run_end"]);
    const times = told.slice(1, 3).map(({ data }) => Number(data["at_ms"]));
    expect(times[0]).toBeGreaterThanOrEqual(0);
    expect(times[1]).toBeGreaterThanOrEqual(times[0]!);
    expect(told.at(-1)).toMatchObject({ id: null, data: { result: { status: "suspended" } } });
    const resumed = await post(`/runs/${id}/resume`, { answers: { Ask: "x" } }, EVENTS);
    expect(sentIn(resumed).at(-1)).toMatchObject({ data: { result: { status: "completed" } } });
    const all = sentIn(await get(`/runs/${id}/events`));
    expect(all).toEqual([...told.slice(0, -1), ...sentIn(resumed)]);
    expect(all.map((one) => one.id)).toEqual(all.map((_, i) => `${i + 1}`));
    for (const [i] of all.entries()) {
      const rest = await get(`/runs/${id}/events`, `Last-Event-ID: ${i + 1}`);
      expect(sentIn(rest)).toEqual(all.slice(i + 1));
    }
  });

  test("stay open while the run waits", async () => {
    const id = idOf(await post("/execute", { graph_name: "Asking" }));
    const headers = { "X-API-Key": KEYS.readonly };
    const answer = await fetch(`${service.url}/runs/${id}/events`, { headers });
    let isOver = false;
    const listening = answer.text().finally(() => {
      isOver = true;
    });
    await sleep(600);
    expect(isOver).toBe(false);
    await post(`/runs/${id}/cancel`, null);
    const sent = { body: await listening };
    expect(namesIn(sent).slice(-2)).toEqual(["run_cancel", "run_end"]);
    expect(sentIn(sent).at(-1)?.data["result"]).toMatchObject({ status: "cancelled" });
  });

  test("a caller has a hundred of them open, and others have theirs", async () => {
    const id = idOf(await post("/execute", { graph_name: "Asking" }));
    const open = async (): Promise<{ readonly answer: Response; readonly leave: () => void }> => {
      const gone = new AbortController();
      const headers = { "X-API-Key": KEYS.readonly };
      const answer = await fetch(`${service.url}/runs/${id}/events`, { headers, signal: gone.signal });
      return { answer, leave: () => gone.abort() };
    };
    const hundred = await Promise.all(Array.from({ length: 100 }, open));
    expect(new Set(hundred.map(({ answer }) => answer.status))).toEqual(new Set([200]));
    const { answer: refused } = await open();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "5"]);
    expect(await refused.json()).toMatchObject({
      code: "rate_limited",
      detail: "100 event streams of this caller are open, which is as many as may: close one first",
    });
    const other = { headers: { "X-API-Key": KEYS.executor } };
    const theirs = await fetch(`${service.url}/runs/${id}/events`, other);
    expect(theirs.status).toBe(200);
    hundred[0]?.leave();
    let again = await open();
    for (let i = 0; i < 200 && again.answer.status !== 200; i++) {
      await sleep(25);
      again = await open();
    }
    expect(again.answer.status).toBe(200);
    await post(`/runs/${id}/cancel`, null);
    const listening = [...hundred.slice(1).map(({ answer }) => answer), theirs, again.answer];
    for (const one of listening) expect(await one.text()).toContain("event: run_cancel");
  });

  test("a number that is none is refused", async () => {
    const id = idOf(await post("/execute", hello("Ada")));
    expect((await get(`/runs/${id}/events`, "Last-Event-ID: x")).status).toBe(400);
  });
});

describe("changes", () => {
  test("an answer is taken once", async () => {
    const id = idOf(await post("/execute", { graph_name: "Asking" }));
    const left = await post(`/runs/${id}/resume`, { answers: { Ask: "x" }, options: { detach: true } });
    expect([left.status, Object.keys(left.json ?? {})]).toEqual([202, ["run_id", "status"]]);
    const late = await post(`/runs/${id}/resume`, { answers: { Ask: "y" } });
    expect(late.status).toBe(409);
    expect(["already_answered", "already_ended"]).toContain(late.json?.["code"]);
    expect((await until(id, "completed")).json).toMatchObject({ state: { answer: "You asked x" } });
  });

  test("a cancelled run is over", async () => {
    const id = idOf(await post("/execute", { graph_name: "Asking" }));
    const cancelled = await post(`/runs/${id}/cancel`, null);
    expect([cancelled.status, cancelled.json]).toMatchObject([202, { run_id: id, status: "cancelled" }]);
    const again = await post(`/runs/${id}/cancel`, null);
    expect([again.status, again.json?.["code"]]).toEqual([409, "run_not_open"]);
    const late = await post(`/runs/${id}/resume`, { answers: { Ask: "y" } });
    expect([late.status, late.json?.["code"]]).toEqual([409, "already_ended"]);
  });

  test("a failed run is retried from its throw, and a completed one is not", async () => {
    const failed = await post("/execute", { graph_name: "Failing" });
    const id = idOf(failed);
    expect(failed.json).toMatchObject({ status: "failed", error: { code: "agent_failed", node: "Try" } });
    expect((await get("/runs?status=failed&graph_name=Failing")).json).toMatchObject({
      runs: [{ error: { code: "agent_failed", message: "down", node: "Try" } }],
    });
    const wrong = await post(`/runs/${id}/retry`, { from: "Tri" });
    expect([wrong.status, wrong.json?.["errors"]]).toMatchObject([422, [{ pointer: "/from" }]]);
    expect((await post(`/runs/${id}/retry`, null)).status).toBe(202);
    expect((await until(id, "completed")).json).toMatchObject({ state: { c: "it is up" }, error: null });
    const again = await post(`/runs/${id}/retry`, {});
    expect([again.status, again.json?.["code"]]).toEqual([409, "run_completed"]);
    const open = idOf(await post("/execute", { graph_name: "Asking" }));
    expect((await post(`/runs/${open}/retry`, {})).json?.["code"]).toBe("run_not_ended");
  });
});

test("whatever length a word has, it does not come back as a whole", async () => {
  const long = "x".repeat(500_000);
  const waiting = idOf(await post("/execute", { graph_name: "Asking" }));
  const bodies: readonly (readonly [path: string, body: object])[] = [
    ["/execute", { graph_name: long }],
    ["/execute", { graph_name: "Hello", initial_state: { name: "Ada" }, [long]: 1 }],
    ["/execute", { graph_name: "Hello", initial_state: { name: "Ada" }, options: { timeout_ms: long } }],
    [`/runs/${waiting}/fork`, { from: long }],
    [`/runs/${waiting}/fork`, { from: "Ask", set: { [long]: 1 } }],
    [`/runs/${waiting}/fork`, { from: "Ask", set: { x: { [long]: 1 } } }],
    [`/runs/${waiting}/resume`, { answers: { [long]: "y" } }],
  ];
  for (const [path, body] of bodies) {
    const { status, body: answer } = await post(path, body);
    expect([path, status < 500, answer.length < 1_500]).toEqual([path, true, true]);
  }
  expect((await post(`/runs/${waiting}/cancel`, null)).status).toBe(202);
  const retried = await post(`/runs/${waiting}/retry`, { from: long });
  expect(retried.json?.["detail"]).toBe(`/from: the run ${waiting} has no visit of "${"x".repeat(63)}…"`);
});

describe("a fork", () => {
  test("keeps what was recorded before a visit, and asks again", async () => {
    const id = idOf(await post("/execute", { graph_name: "Pair" }));
    await post(`/runs/${id}/resume`, { answers: { First: "one" } });
    await post(`/runs/${id}/resume`, { answers: { Second: "two" } });
    expect((await get(`/runs/${id}`)).json).toMatchObject({
      status: "completed",
      state: { both: "one two" },
    });
    const key = "Idempotency-Key: fork-1";
    const forked = await post(`/runs/${id}/fork`, { from: "Second" }, key);
    const child = idOf(forked);
    expect([forked.status, forked.headers.get("location"), child === id]).toEqual([
      202,
      `/runs/${child}`,
      false,
    ]);
    expect(idOf(await post(`/runs/${id}/fork`, { from: "Second" }, key))).toBe(child);
    expect((await post(`/runs/${id}/fork`, { from: "First" }, key)).json?.["code"]).toBe("key_reused");
    expect((await until(child, "waiting")).json?.["waiting"]).toMatchObject([{ node: "Second" }]);
    const ended = await post(`/runs/${child}/resume`, { answers: { Second: "three" } });
    expect(ended.json).toMatchObject({ status: "completed", state: { both: "one three" } });
    expect((await get(`/runs/${id}`)).json).toMatchObject({ state: { both: "one two" } });
  });

  test("of a visit that never was is refused", async () => {
    const id = idOf(await post("/execute", hello("Ada")));
    const refused = await post(`/runs/${id}/fork`, { from: "Nobody" });
    expect([refused.status, refused.json?.["errors"]]).toMatchObject([422, [{ pointer: "/from" }]]);
    expect((await post(`/runs/${id}/fork`, { from: "Greet", with: {} })).status).toBe(422);
  });

  test("sets fields in front of the visit, of the graph's own names and types", async () => {
    const id = idOf(await post("/execute", { graph_name: "Pair" }));
    await post(`/runs/${id}/resume`, { answers: { First: "one" } });
    const forked = await post(`/runs/${id}/fork`, { from: "Second", set: { one: "another" } });
    expect([forked.status, forked.json?.["forked_from"]]).toEqual([202, { run_id: id, at: "Second#1" }]);
    const child = idOf(forked);
    await until(child, "waiting");
    const ended = await post(`/runs/${child}/resume`, { answers: { Second: "two" } });
    expect(ended.json).toMatchObject({ status: "completed", state: { both: "another two" } });
    for (const [set, pointer] of [
      [{ onne: 1 }, "/set/onne"],
      [{ one: 5 }, "/set/one"],
      [{ "a/b~": 5 }, "/set/a~1b~0"],
    ] as const) {
      const answer = await post(`/runs/${id}/fork`, { from: "Second", set });
      expect([answer.status, answer.json?.["errors"]]).toMatchObject([422, [{ pointer }]]);
    }
  });

  test("goes on with the sheet as it now is where what was recorded fits, else it is refused", async () => {
    const id = idOf(await post("/execute", { graph_name: "Edited" }));
    const path = join(service.folder, "workflows/edited.csv");
    writeFileSync(
      path,
      EDITED.replace("Edited,Ask,,", "Edited,Ask,New,").concat("Edited,New,,echo,,c,new\n"),
    );
    await post(`/runs/${id}/resume`, { answers: { Ask: "yes" } });
    const child = idOf(await post(`/runs/${id}/fork`, { from: "Ask", current: true }));
    await until(child, "waiting");
    await post(`/runs/${child}/resume`, { answers: { Ask: "yes" } });
    expect((await until(child, "completed")).json).toMatchObject({ path: ["Once", "Ask", "New"] });
    writeFileSync(path, EDITED.replaceAll("Once", "Twice"));
    const refused = await post(`/runs/${id}/fork`, { from: "Ask", current: true });
    expect([refused.status, refused.json]).toMatchObject([
      409,
      { code: "run_stale", detail: expect.stringContaining('"Once", which was called, is gone') },
    ]);
    rmSync(path);
    expect((await post(`/runs/${id}/fork`, { from: "Ask", current: true })).json).toMatchObject({
      code: "run_stale",
    });
    expect((await post(`/runs/${id}/fork`, { from: "Ask" })).status).toBe(202);
  });
});

test("with keep: waiting no store is made until a run needs it", async () => {
  const plain = await startService({ config: `${authentication()}runs: {keep: waiting}\n` });
  const execute = async (body: object): Promise<number> => {
    const headers = [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"];
    return (await request(plain.port, "POST /execute", headers, JSON.stringify(body))).status;
  };
  const listed = async (): Promise<unknown> =>
    (await request(plain.port, "GET /runs?status=all", [`X-API-Key: ${KEYS.readonly}`])).json?.["total"];
  try {
    expect(await execute(hello("Ada"))).toBe(200);
    expect(await listed()).toBe(0);
    expect(await execute(detached(hello("Ada")))).toBe(202);
    expect(await listed()).toBe(1);
  } finally {
    await plain.stop();
  }
});
