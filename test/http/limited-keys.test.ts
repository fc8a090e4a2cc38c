import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RawAnswer, request } from "./raw.js";
import { ASKING, authentication, HELLO, KEYS, startService, type TestService } from "./service.js";

const LIMITED = "fsk_limited-0123456789-0123456789-0123456789";
const entry = `    limited:
      key: sha256:${createHash("sha256").update(LIMITED).digest("hex")}
      permissions: [admin]
      user_id: limited
      graphs: [Hello, "team/*"]
`;
/** Its own graph calls one that is hidden, with a value that does not fit. */
const CALLING = `graph,node,next,agent,inputs,output,prompt,context.graph
Calling,Run,Tell,graph,payroll=name:string,bonus_sum,,Hidden
Calling,Tell,,echo,bonus_sum:boolean,said,It is {bonus_sum},
`;
const HIDDEN = `graph,node,next,agent,inputs,output,prompt
Hidden,Sum,,echo,payroll:number[],bonus_sum:number,{payroll}
`;
const FILES = {
  "workflows/hello.csv": HELLO,
  "workflows/asking.csv": ASKING,
  "workflows/teamwork.csv": ASKING.replaceAll("Asking", "Teamwork"),
  "workflows/team/own.csv": ASKING.replaceAll("Asking", "Own"),
  "workflows/team/deep/more.csv": HELLO.replaceAll("Hello,", "More,"),
  "workflows/twice.csv": HELLO.replaceAll("Hello,", "Twice,"),
  "workflows/team/calling.csv": CALLING,
  "workflows/hidden.csv": HIDDEN,
  "workflows/team/twice.csv": HELLO.replaceAll("Hello,", "Twice,"),
};
const SEEN = ["Calling", "Hello", "More", "Own", "team/twice::Twice"];

let service: TestService;
beforeAll(async () => {
  service = await startService({ files: FILES, config: authentication(entry) });
});
afterAll(() => service.stop());

const ask = (key: string, line: string, body: object | null = null): Promise<RawAnswer> =>
  request(
    service.port,
    line,
    [`X-API-Key: ${key}`, "Content-Type: application/json"],
    body === null ? "" : JSON.stringify(body),
  );
const limited = (line: string, body?: object): Promise<RawAnswer> => ask(LIMITED, line, body);
const start = async (graph_name: string): Promise<string> =>
  String((await ask(KEYS.admin, "POST /execute", { graph_name })).json?.["run_id"]);
const codeOf = ({ status, json }: RawAnswer): unknown => [status, json?.["code"]];

test("a key that is limited to graphs sees no other in lists, pages and the description", async () => {
  const { json } = await limited("GET /workflows");
  const names = (json?.["workflows"] as { readonly name: string }[] | undefined)?.map(({ name }) => name);
  expect([names?.sort(), json?.["total"]]).toEqual([SEEN, SEEN.length]);
  const pages = await Promise.all([limited("GET /"), limited("GET /openapi.json")]);
  for (const { body } of pages) {
    expect(body).toContain("More");
    expect(body).not.toContain("Asking");
    expect(body).not.toContain("Teamwork");
  }
  expect((await limited("GET /metrics")).status).toBe(403);
});

test.each(["Asking", "Teamwork", "asking::Asking", "twice::Twice", "No such"])(
  "the workflow %s is not there for it",
  async (name) => {
    const path = name.split("/").map(encodeURIComponent).join("/");
    expect(codeOf(await limited(`GET /workflows/${path}`))).toEqual([404, "workflow_not_found"]);
    const ran = await limited("POST /execute", { graph_name: name });
    expect(codeOf(ran)).toEqual([404, "workflow_not_found"]);
    expect(ran.body).not.toMatch(/did you mean/);
  },
);

test("what its own graph calls and it may not use is told to it by no problem and no type", async () => {
  const shown = await ask(KEYS.admin, "GET /workflows/Calling");
  expect(shown.body).toMatch(/number\[\]/);
  const pages = [
    await limited("GET /workflows/Calling"),
    await limited("POST /execute", { graph_name: "Calling", initial_state: { name: "Ada" } }),
    await limited("GET /openapi.json"),
  ];
  expect(pages.map(({ status }) => status)).toEqual([200, 422, 200]);
  expect(pages[0]?.json).toMatchObject({ valid: false, diagnostics: [] });
  expect(pages[1]?.json).toMatchObject({ code: "workflow_invalid", diagnostics: [] });
  for (const { body } of pages) expect(body).not.toMatch(/number\[\]|type-mismatch/);
  expect(pages[0]?.json).toMatchObject({ state: { properties: { bonus_sum: {} } } });
});

test("it runs its own, also under a name that others have, too", async () => {
  for (const graph_name of ["Hello", "More", "Twice", "team/twice::Twice"]) {
    const { json } = await limited("POST /execute", { graph_name, initial_state: { name: "Ada" } });
    expect(json).toMatchObject({ status: "completed", state: { greeting: "Hello Ada" } });
  }
});

test("runs of other graphs are not there for it, on any route, in any count", async () => {
  const [other, own] = [await start("Teamwork"), await start("Own")];
  const lines = [
    ["GET", ""],
    ["GET", "/events"],
    ["POST", "/resume"],
    ["POST", "/cancel"],
    ["POST", "/retry"],
    ["POST", "/fork"],
  ] as const;
  for (const [method, rest] of lines) {
    const body = rest === "/fork" ? { from: "Ask" } : {};
    const answer = await ask(LIMITED, `${method} /runs/${other}${rest}`, method === "GET" ? null : body);
    expect([rest, codeOf(answer)]).toEqual([rest, [404, "run_not_found"]]);
  }
  const { json } = await limited("GET /runs");
  expect(json).toMatchObject({ runs: [{ run_id: own }], total: 1, counts: { waiting: 1 } });
  expect((await limited("GET /runs?graph_name=Teamwork&status=all")).json).toMatchObject({ total: 0 });
  expect((await limited(`GET /runs/${own}`)).status).toBe(200);
});

test("runs of sheets that are not served are in no list and no count", async () => {
  const before = await startService({ files: { "workflows/asking.csv": ASKING } });
  const send = (port: number, line: string, body = ""): Promise<RawAnswer> =>
    request(port, line, [`X-API-Key: ${KEYS.admin}`, "Content-Type: application/json"], body);
  await send(before.port, "POST /execute", '{"graph_name": "Asking"}');
  expect((await send(before.port, "GET /runs")).json).toMatchObject({ total: 1, counts: { waiting: 1 } });
  await before.stop();
  const { folder } = before;
  const files = { "elsewhere/asking.csv": ASKING };
  const after = await startService({ folder, files, config: `workflows: elsewhere\n${authentication()}` });
  expect((await send(after.port, "GET /runs")).json).toMatchObject({ total: 0, counts: { waiting: 0 } });
  await after.stop();
});

test("runs are listed newest first, or oldest first", async () => {
  const ids = [await start("Own"), await start("Own"), await start("Own")];
  const listed = async (order: string): Promise<readonly string[]> => {
    const found: string[] = [];
    for (let cursor: unknown = ""; cursor !== null; ) {
      const more = cursor === "" ? "" : `&cursor=${String(cursor)}`;
      const { json } = await limited(`GET /runs?limit=2&order=${order}${more}`);
      const { runs = [] } = (json ?? {}) as { readonly runs?: readonly { readonly run_id: string }[] };
      found.push(...runs.map(({ run_id }) => run_id));
      cursor = json?.["next_cursor"];
    }
    return found.filter((id) => ids.includes(id));
  };
  expect(await listed("oldest")).toEqual(ids);
  expect(await listed("newest")).toEqual(ids.toReversed());
  expect((await limited("GET /runs?order=best")).status).toBe(422);
  const [waiting, suspended] = [
    await limited("GET /runs?status=waiting"),
    await limited("GET /runs?status=suspended"),
  ];
  expect(suspended.json).toEqual(waiting.json);
});
