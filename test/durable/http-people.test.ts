import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RawAnswer, request } from "../http/raw.js";
import { ASKING, authentication, HELLO, startService, type TestService } from "../http/service.js";

/** A key of somebody, with what stands in its entry beside the key and the user. */
const PEOPLE = {
  ada: "permissions: [execute]",
  bob: "permissions: [execute]",
  fin: "permissions: [answer]\n      roles: [finance]",
  boss2: "permissions: [admin]",
  director: "permissions: [execute]\n      roles: [director]",
  reader: "permissions: [read]",
  approver: "permissions: [answer]",
  boss: "permissions: [admin]",
} as const;
type Person = keyof typeof PEOPLE;

const keyOf = (person: Person): string => `fsk_${person}-0123456789-0123456789-0123456789`;
const digest = (key: string): string => `sha256:${createHash("sha256").update(key).digest("hex")}`;
const entries = Object.entries(PEOPLE).map(
  ([name, more]) =>
    `    ${name}:\n      key: ${digest(keyOf(name as Person))}\n      user_id: ${name}\n      ${more}\n`,
);
const CONFIG = authentication(entries.join(""));

const TWICE = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt
Twice,Price,Ask,echo,secret,price,It costs {secret}
Twice,Ask,Again,input,price,one,Is {price} right?
Twice,Again,Say,input,,two,Sure?
Twice,Say,,echo,one|two|secret,reply,{one} {two} {secret}
`;
const PAY = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,context.assignee,context.not_starter
Pay,Approve,Book,human,manager,verdict|by,Pay?,"{""input"": ""manager""}",
Pay,Book,Say,input,,booking,Which booking?,"[""role:finance"", ""bob""]",true
Pay,Say,,echo,verdict|by|booking,reply,{verdict} {by} {booking},,
Eyes,Ask,,input,,one,Sure?,,true
`;
const LATER = `graph_name,node_name,agent_type,output_field,prompt,context.assignee,context.escalate
Later,Ask,input,one,Sure?,bob,"{""after_ms"": 2000, ""assignee"": ""role:director""}"
`;
const FILES = {
  "workflows/pay.csv": PAY,
  "workflows/later.csv": LATER,
  "workflows/hello.csv": HELLO,
  "workflows/asking.csv": ASKING,
  "workflows/twice.csv": TWICE,
};

let service: TestService;
const ask = (
  person: Person,
  line: string,
  body: object | null = null,
  ...headers: readonly string[]
): Promise<RawAnswer> =>
  request(
    service.port,
    line,
    [`X-API-Key: ${keyOf(person)}`, "Content-Type: application/json", ...headers],
    body === null ? "" : JSON.stringify(body),
  );
const start = async (person: Person, graph_name: string, state: object = {}): Promise<string> =>
  String((await ask(person, "POST /execute", { graph_name, initial_state: state })).json?.["run_id"]);
const status = async (...asked: Parameters<typeof ask>): Promise<number> => (await ask(...asked)).status;
const idsIn = ({ json }: RawAnswer): readonly unknown[] =>
  ((json?.["runs"] ?? []) as { readonly run_id: string }[]).map(({ run_id }) => run_id);

describe("the permission answer", () => {
  beforeAll(async () => {
    service = await startService({ files: FILES, config: CONFIG });
  });
  afterAll(() => service.stop());

  test("alone answers and starts nothing (A30)", async () => {
    const id = await start("ada", "Asking");
    const lines = [
      ["GET /runs", 200],
      [`GET /runs/${id}`, 200],
      [`GET /runs/${id}/events`, 403],
      ["GET /workflows", 403],
      ["GET /workflows/Asking", 403],
      ["GET /metrics", 403],
      ["POST /execute", 403],
      [`POST /runs/${id}/cancel`, 403],
      [`POST /runs/${id}/retry`, 403],
      [`POST /runs/${id}/fork`, 403],
      ["POST /validation/csv", 403],
    ] as const;
    for (const [line, expected] of lines)
      expect([line, await status("approver", line, line.startsWith("POST") ? {} : null)]).toEqual([
        line,
        expected,
      ]);
    const answer = await ask("approver", `POST /runs/${id}/resume`, { answers: { Ask: "why" } });
    expect(answer.json).toMatchObject({ status: "completed", path: ["Ask", "Answer"], steps: 2 });
  });

  test("is included in execute, and not in read", async () => {
    const id = await start("ada", "Asking");
    const refused = await ask("reader", `POST /runs/${id}/resume`, { answers: { Ask: "why" } });
    expect([refused.status, refused.json?.["required"]]).toEqual([403, ["answer"]]);
    expect(await status("bob", `POST /runs/${id}/resume`, { answers: { Ask: "why" } })).toBe(200);
  });

  test("shows the question, and after the answer the way of the run, but no other value", async () => {
    const id = await start("ada", "Twice", { secret: "geheim" });
    const own = `/runs/${id}?include=steps`;
    const asked = (await ask("approver", `GET ${own}`)).json;
    expect(asked?.["waiting"]).toMatchObject([{ node: "Ask", prompt: "Is It costs geheim right?" }]);
    expect(asked?.["visits"]).toMatchObject([
      { node: "Ask", outcome: "waiting", inputs: { price: "It costs geheim" } },
    ]);
    const first = await ask("approver", `POST /runs/${id}/resume`, { answers: { Ask: "yes" } });
    expect([first.status, first.json?.["waiting"]]).toMatchObject([202, [{ node: "Again" }]]);
    expect(first.body).not.toContain("geheim");
    const second = await ask(
      "approver",
      `POST /runs/${id}/resume`,
      { answers: { Again: "yes" } },
      "Accept: text/event-stream",
    );
    expect(second.json).toMatchObject({ status: "completed", steps: 4 });
    expect(second.body).not.toContain("geheim");
    const after = await ask("approver", `GET ${own}`);
    const { status, steps, visits } = after.json ?? {};
    expect([status, steps]).toEqual(["completed", 4]);
    expect((visits as { node: string }[]).map(({ node }) => node)).toContain("Say");
    expect(after.body).not.toContain("geheim");
    expect(after.json).not.toHaveProperty("state");
  });

  test("sees no run that waits no more and that others have answered, and no other in lists", async () => {
    const id = await start("ada", "Asking");
    const done = await start("ada", "Hello", { name: "Ada" });
    expect(idsIn(await ask("approver", "GET /runs?status=all"))).toContain(id);
    expect(idsIn(await ask("approver", "GET /runs?status=all"))).not.toContain(done);
    await ask("bob", `POST /runs/${id}/resume`, { answers: { Ask: "why" } });
    expect(await status("approver", `GET /runs/${id}`)).toBe(404);
    expect(await status("approver", `GET /runs/${done}`)).toBe(404);
    const tooLate = async (run: string) =>
      (await ask("approver", `POST /runs/${run}/resume`, { answers: { Ask: "what" } })).json?.["code"];
    expect(await Promise.all([id, done].map(tooLate))).toEqual(["already_ended", "run_not_found"]);
    const list = await ask("approver", "GET /runs?status=all");
    expect(list.json).toMatchObject({ total: 0, counts: { completed: 0 } });
    expect((await ask("approver", "GET /runs?q=ada")).json?.["code"]).toBe("permission_denied");
  });

  test("keys of starts are shown to those who chose them", async () => {
    await ask("ada", "POST /execute", { graph_name: "Asking" }, "Idempotency-Key: mine");
    const shown = async (person: Person) => (await ask(person, "GET /runs?key=mine")).json?.["runs"];
    for (const person of ["ada", "boss"] as const)
      expect(await shown(person)).toMatchObject([{ key: "mine" }]);
    for (const person of ["bob", "approver"] as const)
      expect(await shown(person)).toMatchObject([{ key: null }]);
  });
});

describe("assignees", () => {
  beforeAll(async () => {
    service = await startService({ files: FILES, config: CONFIG });
  });
  afterAll(() => service.stop());

  const resume = (person: Person, id: string, answers: object) =>
    ask(person, `POST /runs/${id}/resume`, { answers });
  const codeOf = async (...asked: Parameters<typeof resume>): Promise<unknown> => {
    const { status, json } = await resume(...asked);
    return [status, json?.["code"] ?? json?.["status"]];
  };

  test("answer, others do not, and admin does and is told", async () => {
    const id = await start("ada", "Pay", { manager: "bob", verdict: "yes", booking: "7" });
    expect((await ask("bob", `GET /runs/${id}`)).json?.["waiting"]).toMatchObject([{ assignee: ["bob"] }]);
    // What was given at the start is no answer of somebody else.
    expect(await codeOf("ada", id, { Approve: "yes" })).toEqual([403, "not_assignee"]);
    expect(await codeOf("fin", id, { Approve: "no such answer" })).toEqual([403, "not_assignee"]);
    expect(await codeOf("bob", id, { Approve: "yes" })).toEqual([202, "suspended"]);
    expect(await codeOf("approver", id, { Book: "8" })).toEqual([403, "not_assignee"]);
    expect(await codeOf("boss", id, { Book: "8" })).toEqual([200, "completed"]);
    const events = await ask("reader", `GET /runs/${id}/events`);
    const answers = events.body.split("\n").filter((line) => /"node":.*"by":/.test(line));
    expect(answers.map((line) => JSON.parse(line.slice("data: ".length)))).toMatchObject([
      { node: "Approve", by: "bob" },
      { node: "Book", by: "boss", as: "admin" },
    ]);
    expect(answers[0]).not.toContain("admin");
    const { json } = await ask("reader", `GET /runs/${id}`);
    expect(json).toMatchObject({ state: { verdict: "yes", by: "bob", booking: "8" } });
  });

  test("may be a role, of a key or of a token", async () => {
    const ids = await Promise.all([0, 1].map(() => start("ada", "Pay", { manager: "ada" })));
    for (const id of ids) await resume("ada", id, { Approve: "yes" });
    expect(await codeOf("fin", ids[0] ?? "", { Book: "9" })).toEqual([200, "completed"]);
    expect(await codeOf("bob", ids[1] ?? "", { Book: "9" })).toEqual([200, "completed"]);
  });

  test("find what asks them, and what they have begun", async () => {
    const [own, other] = [
      await start("bob", "Pay", { manager: "ada" }),
      await start("ada", "Pay", { manager: "bob" }),
    ];
    await resume("bob", other, { Approve: "yes" });
    const found = async (person: Person, query: string) => idsIn(await ask(person, `GET /runs?${query}`));
    expect(await found("ada", "assigned=me")).toEqual([own]);
    expect(await found("fin", "assigned=me")).toEqual([other]);
    expect(await found("approver", "assigned=me")).toEqual([]);
    expect(await found("reader", "assigned=role:finance")).toEqual([other]);
    expect(await found("bob", "mine=true&graph_name=Pay")).toEqual([own]);
    expect(await found("boss2", "mine=true")).toEqual([]);
    expect(await status("bob", "GET /runs?mine=yes")).toBe(422);
    const { json } = await ask("bob", `GET /runs/${other}?include=steps`);
    const at = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(json?.["visits"]).toMatchObject([
      { node: "Approve", outcome: "waiting", answered_by: null, answered_at: null },
      { node: "Approve", outcome: "success", answered_by: "bob", answered_at: at },
      { node: "Book", outcome: "waiting", answered_by: null, answered_at: null },
    ]);
    for (const id of [own, other]) await ask("boss", `POST /runs/${id}/cancel`);
  });

  test("the starter may not answer where four eyes are wanted, admin or not", async () => {
    const [own, boss] = [await start("bob", "Eyes"), await start("boss", "Eyes")];
    const toldTo = async (person: Person): Promise<unknown> =>
      (await ask(person, `GET /runs/${own}`)).json?.["waiting"];
    expect(await toldTo("bob")).toEqual([expect.objectContaining({ refused: "starter_may_not_answer" })]);
    expect(await toldTo("boss2")).toEqual([expect.not.objectContaining({ refused: expect.anything() })]);
    expect(await codeOf("bob", own, { Ask: "yes" })).toEqual([403, "starter_may_not_answer"]);
    expect(await codeOf("boss", boss, { Ask: "yes" })).toEqual([403, "starter_may_not_answer"]);
    expect(await codeOf("boss2", boss, { Ask: "yes" })).toEqual([200, "completed"]);
    expect(await codeOf("approver", own, { Ask: "yes" })).toEqual([200, "completed"]);
  });

  test("a fork asks again, and whoever forked is its starter", async () => {
    const id = await start("ada", "Eyes");
    const forked = await ask("bob", `POST /runs/${id}/fork`, { from: "Ask" });
    const child = String(forked.json?.["run_id"]);
    await expect.poll(async () => (await ask("bob", `GET /runs/${child}`)).json?.["status"]).toBe("waiting");
    expect(await codeOf("bob", child, { Ask: "yes" })).toEqual([403, "starter_may_not_answer"]);
    expect(await codeOf("ada", child, { Ask: "yes" })).toEqual([200, "completed"]);
  });
});

describe("runs.visibility: own", () => {
  beforeAll(async () => {
    service = await startService({ files: FILES, config: `${CONFIG}runs: {visibility: own}\n` });
  });
  afterAll(() => service.stop());

  test("hides a run from all but its starter and admin, on every route", async () => {
    const id = await start("ada", "Asking");
    const lines = [
      `GET /runs/${id}`,
      `GET /runs/${id}?include=steps`,
      `GET /runs/${id}/events`,
      `POST /runs/${id}/resume`,
      `POST /runs/${id}/retry`,
      `POST /runs/${id}/fork`,
      `POST /runs/${id}/cancel`,
    ];
    for (const line of lines) {
      const body = line.endsWith("fork") ? { from: "Ask" } : line.startsWith("POST") ? {} : null;
      const { status: found, json } = await ask("bob", line, body);
      expect([line, found, json?.["code"]]).toEqual([line, 404, "run_not_found"]);
    }
    const lists = ["ada", "boss", "bob", "reader", "approver"] as const;
    const found = await Promise.all(lists.map((person) => ask(person, "GET /runs?status=all")));
    expect(found.map(idsIn)).toEqual([[id], [id], [], [], []]);
    expect(found.map(({ json }) => json?.["total"])).toEqual([1, 1, 0, 0, 0]);
    expect(found.map(({ json }) => json?.["counts"])).toMatchObject(
      [1, 1, 0, 0, 0].map((waiting) => ({ waiting })),
    );
    expect(await status("boss", `GET /runs/${id}`)).toBe(200);
    expect(await status("ada", `POST /runs/${id}/resume`, { answers: { Ask: "why" } })).toBe(200);
    expect(await status("ada", `GET /runs/${id}/events`)).toBe(200);
  });

  test("shows a run to those whom it asks by name or by role, while it does", async () => {
    const id = await start("ada", "Pay", { manager: "bob" });
    const seen = async () => {
      const people = ["bob", "fin", "approver", "reader"] as const;
      const found = await Promise.all(people.map((person) => status(person, `GET /runs/${id}`)));
      const lists = await Promise.all(people.map((person) => ask(person, "GET /runs?status=all")));
      expect(lists.map(({ json }) => json?.["total"])).toEqual(found.map((one) => (one === 200 ? 1 : 0)));
      return found;
    };
    expect(await seen()).toEqual([200, 404, 404, 404]);
    await ask("bob", `POST /runs/${id}/resume`, { answers: { Approve: "yes" } });
    expect(await seen()).toEqual([200, 200, 404, 404]);
    const answer = await ask("fin", `POST /runs/${id}/resume`, { answers: { Book: "1" } });
    expect([answer.status, answer.json]).toMatchObject([200, { status: "completed" }]);
    const lists = await Promise.all((["bob", "fin"] as const).map((one) => ask(one, "GET /runs?status=all")));
    expect(lists.map(({ json }) => json?.["total"])).toEqual([0, 0]);
  });

  test("shows those who have answered how the run went on, without its values, and nothing else", async () => {
    const id = await start("ada", "Pay", { manager: "bob" });
    await ask("bob", `POST /runs/${id}/resume`, { answers: { Approve: "yes" } });
    await ask("fin", `POST /runs/${id}/resume`, { answers: { Book: "geheim" } });
    for (const person of ["bob", "fin"] as const) {
      const { status: found, json, body } = await ask(person, `GET /runs/${id}?include=steps`);
      expect([found, json]).toMatchObject([
        200,
        { status: "completed", steps: 3, path: ["Approve", "Book", "Say"] },
      ]);
      expect(json?.["visits"]).toMatchObject(
        [{}, {}, {}, {}, {}].map(() => ({ inputs: null, writes: null })),
      );
      expect([body.includes("geheim"), "state" in (json ?? {})]).toEqual([false, false]);
    }
    for (const person of ["approver", "reader"] as const)
      expect(await status(person, `GET /runs/${id}`)).toBe(404);
    const others = [
      `GET /runs/${id}/events`,
      ...["resume", "retry", "cancel"].map((one) => `POST /runs/${id}/${one}`),
    ];
    for (const line of others)
      expect([line, await status("bob", line, line.startsWith("POST") ? {} : null)]).toEqual([line, 404]);
    expect(await status("bob", `POST /runs/${id}/fork`, { from: "Approve" })).toBe(404);
  });

  test("a run that was cancelled asks nobody any more", async () => {
    const id = await start("ada", "Pay", { manager: "bob" });
    const streamed = ask("bob", `GET /runs/${id}/events`);
    const cancelled = await ask("bob", `POST /runs/${id}/cancel`);
    expect([cancelled.status, cancelled.json]).toMatchObject([202, { status: "cancelled", waiting: [] }]);
    const lines = [`GET /runs/${id}`, `GET /runs/${id}?include=steps`, `GET /runs/${id}/events`];
    expect(await Promise.all(lines.map((line) => status("bob", line)))).toEqual([404, 404, 404]);
    expect(await status("bob", `POST /runs/${id}/fork`, { from: "Approve" })).toBe(404);
    expect(await status("bob", `POST /runs/${id}/resume`, { answers: { Approve: "yes" } })).toBe(404);
    expect((await streamed).body).not.toContain("event: run_end");
    expect(await status("ada", `POST /runs/${id}/retry`)).toBe(202);
    await expect.poll(() => status("bob", `GET /runs/${id}`)).toBe(200);
    expect(await status("ada", `POST /runs/${id}/cancel`)).toBe(202);
  });

  test("ends a stream of events for those who see its run no more", async () => {
    const id = await start("ada", "Pay", { manager: "bob" });
    const [streamed, own] = (["bob", "ada"] as const).map((person) =>
      request(service.port, `GET /runs/${id}/events`, [`X-API-Key: ${keyOf(person)}`]),
    );
    expect(await status("bob", `GET /runs/${id}`)).toBe(200);
    await ask("boss", `POST /runs/${id}/resume`, { answers: { Approve: "yes" } });
    await ask("boss", `POST /runs/${id}/resume`, { answers: { Book: "geheim" } });
    const seen = await streamed;
    expect([seen?.status, seen?.body.includes("geheim")]).toEqual([200, false]);
    expect((await own)?.body).toContain("geheim");
  });

  test("an escalation asks more people, who see the run before (C19)", async () => {
    const id = await start("ada", "Later");
    const answer = () => ask("director", `POST /runs/${id}/resume`, { answers: { Ask: "yes" } });
    expect(idsIn(await ask("director", "GET /runs"))).toEqual([id]);
    expect(idsIn(await ask("director", "GET /runs?assigned=me"))).toEqual([]);
    expect(await status("director", `GET /runs/${id}`)).toBe(200);
    expect(await answer()).toMatchObject({ status: 403, json: { code: "not_assignee" } });
    await expect
      .poll(async () => (await ask("director", `GET /runs/${id}`)).json?.["waiting"])
      .toMatchObject([{ assignee: ["bob", "role:director"] }]);
    expect(idsIn(await ask("director", "GET /runs?assigned=me"))).toEqual([id]);
    expect(await answer()).toMatchObject({ status: 200, json: { status: "completed" } });
    expect((await ask("ada", `GET /runs/${id}/events`)).body).toContain("event: run_escalated");
  });
});
