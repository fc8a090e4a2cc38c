import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RawAnswer, request } from "./raw.js";
import { ASKING, authentication, HELLO, KEYS, startService, type TestService } from "./service.js";

const SLOW = `import { defineAgent } from "flowsheet";
export const SlowAgent = defineAgent(() => new Promise((resolve) => {
  globalThis.endOfWaitingRun = () => resolve("done");
}));
`;
const shared = globalThis as { endOfWaitingRun?: () => void };
const TALKING = `graph_name,node_name,next_node,agent_type,output_field,prompt
Talking,Ask,Work,input,one,One?
Talking,Work,,slow,x,
`;
const MOST = 5;

let service: TestService;
beforeAll(async () => {
  service = await startService({
    config: `${authentication()}execution: {max_waiting: ${MOST}}\nruns: {keep: waiting}\n`,
    files: {
      "workflows/hello.csv": HELLO,
      "workflows/asking.csv": ASKING,
      "workflows/talking.csv": TALKING,
      "agents/slow.js": SLOW,
    },
  });
});
afterAll(() => service.stop());

const HEADERS = [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"];
const post = (path: string, body: object): Promise<RawAnswer> =>
  request(service.port, `POST ${path}`, HEADERS, JSON.stringify(body));
const get = (path: string): Promise<RawAnswer> =>
  request(service.port, `GET ${path}`, [`X-API-Key: ${KEYS.readonly}`]);
const idOf = ({ json }: RawAnswer): string => String(json?.["run_id"]);
const idsOf = ({ json }: RawAnswer): readonly string[] =>
  ((json?.["runs"] ?? []) as readonly { readonly run_id: string }[]).map(({ run_id: id }) => id);

test("of several that resume a run one goes on; the others are told while it does, and afterwards", async () => {
  const id = idOf(await post("/execute", { graph_name: "Talking" }));
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  let told = 0;
  const answers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const answer = await post(`/runs/${id}/resume`, { answers: { Ask: "x" } });
      // The run ends when all others have been told.
      if (++told === 5) {
        await expect.poll(() => shared.endOfWaitingRun).toBeDefined();
        shared.endOfWaitingRun?.();
      }
      return answer;
    }),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  const codes = answers.map(({ json }) => json?.["code"]).filter((code) => code !== undefined);
  expect(new Set(codes)).toEqual(new Set(["already_answered"]));
  const late = await post(`/runs/${id}/resume`, { answers: { Ask: "x" } });
  expect([late.status, late.json?.["code"]]).toEqual([404, "run_not_found"]);
});

test("runs that wait have a limit, over which nothing is run", async () => {
  const ids: string[] = [];
  for (let i = 0; i < MOST; i++) {
    const { status, json } = await post("/execute", { graph_name: "Asking" });
    expect(status).toBe(202);
    ids.push(String(json?.["run_id"]));
  }
  for (const body of [{ graph_name: "Asking" }, { graph_name: "Hello", initial_state: { name: "Ada" } }]) {
    const { status, json, headers } = await post("/execute", body);
    expect([status, json?.["code"], headers.get("retry-after")]).toEqual([503, "overloaded", "60"]);
  }
  expect((await get("/runs")).json).toMatchObject({ total: MOST, next_cursor: null });
  expect((await post(`/runs/${ids[0]}/resume`, { answers: { Ask: "x" } })).status).toBe(200);
  expect((await post("/execute", { graph_name: "Asking" })).status).toBe(202);
});

test("GET /runs has pages, newest first", async () => {
  const all = idsOf(await get("/runs"));
  const pages: string[] = [];
  for (let cursor: unknown = ""; cursor !== null; ) {
    const page = await get(`/runs?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
    expect([page.status, page.json?.["total"]]).toEqual([200, MOST]);
    pages.push(...idsOf(page));
    cursor = page.json?.["next_cursor"];
  }
  expect([pages, all.length]).toEqual([all, MOST]);
  for (const wrong of [
    "limit=0",
    "limit=x",
    "cursor=x",
    `cursor=${Buffer.from("[1,2]").toString("base64url")}`,
  ])
    expect((await get(`/runs?${wrong}`)).status).toBe(422);
});

test("a damaged file of before harms no run of the store", async () => {
  const [id = "", other = ""] = idsOf(await get("/runs"));
  const damaged = "f".repeat(32);
  writeFileSync(join(service.folder, ".flowsheet/runs", `${damaged}.json`), "{");
  expect((await get(`/runs/${id}`)).json).toMatchObject({ run_id: id, status: "waiting" });
  expect((await get(`/runs/${other}`)).status).toBe(200);
  expect((await get(`/runs/${damaged}`)).status).toBe(404);
  expect((await get(`/runs/${"0".repeat(32)}`)).status).toBe(404);
});

test("a folder of runs that cannot be written is the operator's matter, and no bug", async () => {
  const { port, folder, stop, log } = await startService({
    config: `${authentication()}runs: {keep: waiting}\n`,
    files: { "workflows/asking.csv": ASKING },
  });
  mkdirSync(join(folder, ".flowsheet"), { recursive: true });
  writeFileSync(join(folder, ".flowsheet/runs"), "");
  const { status, json, headers } = await request(port, "POST /execute", HEADERS, '{"graph_name":"Asking"}');
  expect([status, json?.["code"], headers.get("retry-after")]).toEqual([503, "storage_unavailable", "60"]);
  expect(log()).toMatch(/the run store .* cannot be made/);
  expect(log()).not.toContain("stack");
  await stop();
});
