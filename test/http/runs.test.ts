import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RawAnswer, request } from "./raw.js";
import { ASKING, authentication, HELLO, KEYS, startService, type TestService } from "./service.js";

const SLOW = `import { defineAgent } from "flowsheet";
export const SlowAgent = defineAgent(async (_inputs, { signal }) => {
  await new Promise((resolve) => { const t = setTimeout(resolve, 20_000); signal.addEventListener("abort", () => { clearTimeout(t); resolve(); }); });
  return signal.aborted ? "stopped" : "done";
});
`;
const SLOW_SHEET = `graph_name,node_name,next_node,agent_type,output_field,prompt
Slow,Wait,After,slow,x,
Slow,After,,echo,y,after
`;

const TALKING_SHEET = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt
Talking,First,Second,input,,one,One?
Talking,Second,Third,input,,two,Two?
Talking,Third,,slow,,x,
`;

const HURRY_SHEET = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,context
Hurry,Ask,End,human,,verdict,Quick?,"{""timeout_ms"": 50, ""default_action"": ""no""}"
Hurry,End,,echo,verdict,end,It was {verdict},
`;

let service: TestService;
beforeAll(async () => {
  service = await startService({
    // What outlives its process is tried in test/durable.
    config: `${authentication()}runs: {keep: waiting}\n`,
    files: {
      "workflows/hello.csv": HELLO,
      "workflows/asking.csv": ASKING,
      "workflows/slow.csv": SLOW_SHEET,
      "workflows/talking.csv": TALKING_SHEET,
      "workflows/hurry.csv": HURRY_SHEET,
      "workflows/broken.csv": HELLO.replaceAll("Hello", "Broken")
        .replace("{name}", "{nme}")
        .replace("echo", "echo"),
      "agents/slow.js": SLOW,
    },
  });
});
afterAll(() => service.stop());

const JSON_TYPE = "Content-Type: application/json";
const post = (path: string, body: object, ...headers: readonly string[]): Promise<RawAnswer> =>
  request(
    service.port,
    `POST ${path}`,
    [`X-API-Key: ${KEYS.executor}`, JSON_TYPE, ...headers],
    JSON.stringify(body),
  );
const get = (path: string): Promise<RawAnswer> =>
  request(service.port, `GET ${path}`, [`X-API-Key: ${KEYS.readonly}`]);

describe("POST /execute", () => {
  test("runs a workflow, and answers as run --json does", async () => {
    const { status, json } = await post("/execute", { graph_name: "Hello", initial_state: { name: "Ada" } });
    expect([status, json]).toEqual([
      200,
      {
        run_id: expect.any(String),
        graph_name: "Hello",
        status: "completed",
        success: true,
        state: { name: "Ada", greeting: "Hello Ada" },
        path: ["Greet"],
        steps: 1,
        duration_ms: expect.any(Number),
        error: null,
        waiting: [],
      },
    ]);
  });

  test("takes workflow for graph_name, and a sheet before it", async () => {
    const body = { initial_state: { name: "Ada" } };
    expect((await post("/execute", { workflow: "Hello", ...body })).status).toBe(200);
    expect((await post("/execute", { graph_name: "hello::Hello", ...body })).status).toBe(200);
    expect((await post("/execute", { workflow: "Hello", graph_name: "Asking", ...body })).status).toBe(422);
  });

  test.each([
    [{}, "/graph_name", "graph_name is missing"],
    [{ graph_name: 1 }, "/graph_name", "must be of type string"],
    [
      { graph_name: "Hello", initial_stat: {} },
      "",
      'there is no "initial_stat" here; did you mean "initial_state"?',
    ],
    [{ graph_name: "Hello" }, "/initial_state/name", 'input "name" is missing (it is read by "Greet")'],
    [{ graph_name: "Hello", initial_state: [] }, "/initial_state", "must be an object"],
    [{ graph_name: "Hello", options: { max_steps: 0 } }, "/options/max_steps", "must be 1 or more"],
  ])("says what is wrong with %j", async (body, pointer, message) => {
    const { status, json } = await post("/execute", body);
    expect([status, json?.["errors"]]).toEqual([422, [{ pointer, message }]]);
  });

  test("a workflow that is not there, and one with errors", async () => {
    const none = await post("/execute", { graph_name: "Helo" });
    expect([none.status, none.json?.["code"], none.json?.["detail"]]).toEqual([
      404,
      "workflow_not_found",
      'no workflow is named "Helo"; did you mean "Hello"?',
    ]);
    const broken = await post("/execute", { graph_name: "Broken", initial_state: { name: "x" } });
    expect([broken.status, broken.json?.["code"]]).toEqual([422, "workflow_invalid"]);
    expect(broken.json?.["diagnostics"]).toMatchObject([
      { code: "unknown-placeholder", file: "broken.csv", cell: "G2" },
    ]);
  });

  test("limits hold, and a run that fails is an answer", async () => {
    const { status, json } = await post("/execute", { graph_name: "Slow", options: { timeout_ms: 100 } });
    expect([status, json?.["status"], json?.["success"]]).toEqual([200, "failed", false]);
    expect(json?.["error"]).toMatchObject({ code: "run_timeout", graph: "Slow" });
  });

  test("trace tells each visit", async () => {
    const { json } = await post("/execute", {
      graph_name: "Hello",
      initial_state: { name: "Ada" },
      options: { trace: true },
    });
    expect(json?.["trace"]).toMatchObject([{ node: "Greet", inputs: { name: "Ada" }, prompt: "Hello Ada" }]);
  });

  test("streams the events of a run", async () => {
    const body = { graph_name: "Hello", initial_state: { name: "Ada" } };
    const answer = await post("/execute", body, "Accept: text/event-stream");
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(eventsIn(answer)).toEqual(["node_start", "node_end", "run_end"]);
    expect(answer.body).toContain('"status":"completed"');
  });

  test("B28 a client that goes takes its run with it", async () => {
    const body = JSON.stringify({ graph_name: "Slow" });
    const head = `POST /execute HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEYS.executor}\r\n${JSON_TYPE}\r\n`;
    const socket = connect(service.port, "127.0.0.1");
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    await active(1);
    socket.destroy();
    await active(0);
  });
});

const eventsIn = ({ body }: RawAnswer): readonly string[] =>
  [...body.matchAll(/^event: (.*)$/gm)].map(([, name = ""]) => name);

/** Waits until so many runs are under way. */
async function active(count: number): Promise<void> {
  const metrics = async (): Promise<string> =>
    (await request(service.port, "GET /metrics", [`X-API-Key: ${KEYS.admin}`])).body;
  await expect.poll(metrics).toContain(`flowsheet_runs_active ${count}\n`);
}

describe("a run that waits", () => {
  test("is accepted, listed, shown and resumed, once", async () => {
    const waits = await post("/execute", { graph_name: "Asking" });
    expect([waits.status, waits.json?.["status"]]).toEqual([202, "suspended"]);
    const id = String(waits.json?.["run_id"]);
    const listed = (await get("/runs")).json;
    expect(listed).toMatchObject({
      total: 1,
      runs: [
        {
          run_id: id,
          graph_name: "Asking",
          sheet: "asking.csv",
          status: "waiting",
          waiting: [{ node: "Ask" }],
        },
      ],
    });
    expect((await get(`/runs/${id}`)).json).toMatchObject({ run_id: id });
    const wrong = await post(`/runs/${id}/resume`, { answers: { Aks: "x" } });
    expect([wrong.status, wrong.json?.["errors"]]).toEqual([
      422,
      [{ pointer: "/answers/Aks", message: '"Aks" waits for no answer; did you mean "Ask"?' }],
    ]);
    const still = await post(`/runs/${id}/resume`, {});
    expect([still.status, still.json?.["status"]]).toEqual([202, "suspended"]);
    const done = await post(`/runs/${id}/resume`, { answers: { Ask: "what" } });
    expect([done.status, done.json?.["state"]]).toEqual([
      200,
      { question: "what", answer: "You asked what" },
    ]);
    const again = await post(`/runs/${id}/resume`, { answers: { Ask: "what" } });
    expect([again.status, again.json?.["code"]]).toEqual([404, "run_not_found"]);
    expect((await get(`/runs/${id}`)).status).toBe(404);
  });

  test("goes on with its sheet as it was, whatever that says now", async () => {
    const id = String((await post("/execute", { graph_name: "Asking" })).json?.["run_id"]);
    service.write("workflows/asking.csv", ASKING.replace("You asked", "You have asked"));
    const done = await post(`/runs/${id}/resume`, { answers: { Ask: "what" } });
    service.write("workflows/asking.csv", ASKING);
    expect([done.status, done.json?.["state"]]).toEqual([
      200,
      { question: "what", answer: "You asked what" },
    ]);
  });

  test("has no history to go back to, can be cancelled, and is then known no more", async () => {
    const id = String((await post("/execute", { graph_name: "Asking" })).json?.["run_id"]);
    const codes = async (path: string, body: object): Promise<unknown> => {
      const { status, json } = await post(`/runs/${id}/${path}`, body);
      return [status, json?.["code"]];
    };
    expect(await codes("retry", {})).toEqual([409, "run_without_history"]);
    expect(await codes("fork", { from: "Ask" })).toEqual([409, "run_without_history"]);
    const cancelled = await post(`/runs/${id}/cancel`, {});
    expect([cancelled.status, cancelled.json]).toMatchObject([202, { run_id: id, status: "cancelled" }]);
    expect(await codes("resume", {})).toEqual([404, "run_not_found"]);
  });

  test("ends by itself when the time to answer is over, and says so until it is asked", async () => {
    const { json } = await post("/execute", { graph_name: "Hurry" });
    const id = String(json?.["run_id"]);
    for (let status: unknown; status !== "completed"; ) {
      await sleep(20);
      status = (await get(`/runs/${id}`)).json?.["status"];
      expect(["waiting", "queued", "running", "completed"]).toContain(status);
    }
    const late = await post(`/runs/${id}/resume`, { answers: { Ask: "yes" } });
    expect([late.status, late.json?.["code"]]).toEqual([409, "already_ended"]);
    const told = await post(`/runs/${id}/resume`, {});
    expect([told.status, told.json?.["state"]]).toEqual([200, { verdict: "no", end: "It was no" }]);
    expect((await get(`/runs/${id}`)).status).toBe(404);
  });
});

describe("a run that goes on, told by its events", () => {
  const EVENTS = "Accept: text/event-stream";
  const waiting = async (graph: string): Promise<string> =>
    String((await post("/execute", { graph_name: graph })).json?.["run_id"]);

  test("streams them, and ends with its result", async () => {
    const id = await waiting("Asking");
    const answer = await post(`/runs/${id}/resume`, { answers: { Ask: "what" } }, EVENTS);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const events = eventsIn(answer);
    expect(events[0]).toBe("run_answer");
    expect(events.slice(-3)).toEqual(["node_start", "node_end", "run_end"]);
    expect(answer.body).toContain('"answer":"You asked what"');
    expect(events.filter((name) => name === "run_end")).toHaveLength(1);
    expect((await get(`/runs/${id}`)).status).toBe(404);
  });

  test("may wait again, and is stored by then", async () => {
    const id = await waiting("Talking");
    const still = await post(`/runs/${id}/resume`, {}, EVENTS);
    expect([eventsIn(still), still.body]).toEqual([["run_end"], expect.stringContaining('"suspended"')]);
    const next = await post(`/runs/${id}/resume`, { answers: { First: "1" } }, EVENTS);
    expect([eventsIn(next).at(-1), next.body]).toEqual(["run_end", expect.stringContaining('"suspended"')]);
    expect((await get(`/runs/${id}`)).json?.["waiting"]).toMatchObject([{ node: "Second" }]);
  });

  test("is a problem as usual when it cannot begin", async () => {
    const id = await waiting("Asking");
    const wrong = await post(`/runs/${id}/resume`, { answers: { Aks: "x" } }, EVENTS);
    expect([wrong.status, wrong.headers.get("content-type"), wrong.json?.["code"]]).toEqual([
      422,
      "application/problem+json",
      "input_invalid",
    ]);
    const none = await post("/runs/none/resume", {}, EVENTS);
    expect([none.status, none.json?.["code"]]).toEqual([404, "run_not_found"]);
  });

  test("goes on when its client goes: what was answered stays", async () => {
    const id = await waiting("Talking");
    await post(`/runs/${id}/resume`, { answers: { First: "1" } });
    const body = JSON.stringify({ answers: { Second: "2" } });
    const head = `POST /runs/${id}/resume HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEYS.executor}\r\n${JSON_TYPE}\r\n${EVENTS}\r\n`;
    const socket = connect(service.port, "127.0.0.1");
    const told = new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (part) => {
        text += part;
        if (text.includes('"node":"Third"')) resolve(text);
      });
      socket.on("close", () => resolve(text));
    });
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    // The first events come while the run goes on.
    expect(await told).not.toContain("run_end");
    socket.destroy();
    await sleep(100);
    expect((await get(`/runs/${id}`)).json).toMatchObject({ status: "running", waiting: [] });
    expect((await post(`/runs/${id}/cancel`, {})).json?.["status"]).toBe("cancelled");
    await active(0);
  });
});

describe("sheets that change while they are served", () => {
  test("are read again, come and go", async () => {
    service.write("workflows/new.csv", HELLO.replaceAll("Hello", "New"));
    expect((await get("/workflows/New")).status).toBe(200);
    service.write("workflows/new.csv", HELLO.replaceAll("Hello", "Newer"));
    const ran = await post("/execute", { graph_name: "Newer", initial_state: { name: "Ada" } });
    expect(ran.json?.["state"]).toEqual({ name: "Ada", greeting: "Newer Ada" });
    expect((await get("/workflows/New")).status).toBe(404);
  });

  test("two sheets with one graph name need their sheet's", async () => {
    service.write("workflows/team/twin.csv", HELLO.replace("Hello {name}", "Twin {name}"));
    const body = { initial_state: { name: "Ada" } };
    const bare = async (): Promise<unknown> => {
      const { status, json } = await post("/execute", { graph_name: "Hello", ...body });
      return [status, json?.["code"]];
    };
    // Who else has a known name is known a moment later.
    await expect.poll(bare).toEqual([409, "workflow_ambiguous"]);
    const full = await post("/execute", { graph_name: "team/twin::Hello", ...body });
    expect(full.json?.["state"]).toEqual({ name: "Ada", greeting: "Twin Ada" });
    expect((await get("/workflows/team/twin::Hello")).json?.["name"]).toBe("team/twin::Hello");
    expect((await get("/workflows/Hello")).status).toBe(409);
  });
});
