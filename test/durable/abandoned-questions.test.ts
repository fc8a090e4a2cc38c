import { afterAll, beforeAll, expect, test } from "vitest";
import { type RawAnswer, request } from "../http/raw.js";
import { KEYS, startService, type TestService } from "../http/service.js";

/** One branch asks, the other one fails: what was asked is of no use any more. */
const SHEET = `graph_name,node_name,next_node,next_on_failure,agent_type,input_fields,output_field,prompt,context
Inside,Both,Ask|Work,,echo,,begun,go,
Inside,Ask,End,,human,,word,Is it right?,"{""assignee"": ""readonly""}"
Inside,Work,End,,flaky,,done,,
Inside,End,,,echo,word,end,said {word},
Outer,Call,Last,Sorry,graph,,,,"{""graph"": ""Inside""}"
Outer,Sorry,Well,,echo,error,sorry,Sorry: {error},
Outer,Well,Last,,input,sorry,well,Well?,
Outer,Last,,,echo,well?,last,it is {well},
`;
const FLAKY = `import { defineAgent } from "flowsheet";
let isBroken = true;
export const FlakyAgent = defineAgent(async () => {
  await new Promise((next) => setTimeout(next, 5));
  if (isBroken) throw new Error("down");
  return "up";
});
export const MendAgent = defineAgent(() => { isBroken = false; return "yes"; });
`;
const MEND = `graph_name,node_name,next_node,agent_type,output_field
Mend,Mend,,mend,mended
`;

let service: TestService;
beforeAll(async () => {
  const files = { "workflows/outer.csv": SHEET, "workflows/mend.csv": MEND, "agents/flaky.js": FLAKY };
  service = await startService({ files });
});
afterAll(() => service.stop());

const ask = (line: string, body: object | null = null): Promise<RawAnswer> =>
  request(
    service.port,
    line,
    [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"],
    body === null ? "" : JSON.stringify(body),
  );
const start = async (graph_name: string): Promise<string> =>
  String((await ask("POST /execute", { graph_name })).json?.["run_id"]);
const asked = async (id: string): Promise<unknown> => {
  const { json } = await ask(`GET /runs/${id}`);
  return ((json?.["waiting"] ?? []) as readonly { readonly node: string }[]).map(({ node }) => node);
};

test("what a stopped branch asked is asked no more, and not answered", async () => {
  const id = await start("Outer");
  expect(await asked(id)).toEqual(["Well"]);
  expect((await ask("GET /runs?assigned=readonly")).json).toMatchObject({ total: 0 });
  const late = await ask(`POST /runs/${id}/resume`, { answers: { "Call/Ask": "yes" } });
  expect([late.status, late.json?.["code"]]).toEqual([409, "already_ended"]);
  const { json } = await ask(`POST /runs/${id}/resume`, { answers: { Well: "fine" } });
  expect(json).toMatchObject({ status: "completed", state: { sorry: "Sorry: down", last: "it is fine" } });
});

test("when a retry comes to such a question again, it is asked again", async () => {
  const id = await start("Outer");
  await ask(`POST /runs/${id}/cancel`);
  await start("Mend");
  const { status } = await ask(`POST /runs/${id}/retry`, { from: "Call/Work" });
  expect(status).toBe(202);
  await expect.poll(() => asked(id)).toEqual(["Call/Ask"]);
  const key = `X-API-Key: ${KEYS.admin}`;
  const body = JSON.stringify({ answers: { "Call/Ask": "yes" } });
  const headers = [key, "Content-Type: application/json"];
  const { json } = await request(service.port, `POST /runs/${id}/resume`, headers, body);
  expect(json).toMatchObject({ status: "completed" });
});
