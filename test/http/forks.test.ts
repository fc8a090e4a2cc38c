import { expect, onTestFinished, test } from "vitest";
import { request } from "./raw.js";
import { authentication, KEYS, startService } from "./service.js";

const BOSS = "fsk_boss-0123456789-0123456789-012345678";
const HEAD =
  "graph_name,node_name,next_on_success,next_on_failure,agent_type,input_fields,output_field,prompt,context\n";
const SHEET = `${HEAD}Pay,Approve,Check,,human,amount,ok,Pay {amount}?,"{""assignee"": ""boss"", ""options"": [""yes"", ""no""]}"
Pay,Check,Charge,Refuse,branching,ok,,,"{""if"": ""ok = \\""yes\\""""}"
Pay,Charge,,,echo,amount,paid,paid {amount},
Pay,Refuse,,,echo,amount,refused,refused {amount},
`;
const FOUR_EYES = SHEET.replace('{""assignee"": ""boss"",', '{""not_starter"": true,').replaceAll(
  "Pay,",
  "Eyes,",
);
const boss = `    boss: {key: ${BOSS}, permissions: [execute], user_id: boss}\n`;

async function pay(graph: string) {
  const files = { "workflows/pay.csv": SHEET, "workflows/eyes.csv": FOUR_EYES };
  const service = await startService({ files, config: `runs:\n  keep: all\n${authentication(boss)}` });
  onTestFinished(() => service.stop());
  const post = async (path: string, body: object, key: string = KEYS.executor) => {
    const headers = [`X-API-Key: ${key}`, "Content-Type: application/json"];
    return request(service.port, `POST ${path}`, headers, JSON.stringify(body));
  };
  const started = await post("/execute", { graph_name: graph, initial_state: { amount: "10" } });
  const run = `/runs/${String(started.json?.["run_id"])}`;
  return {
    answer: (ok: string) => post(`${run}/resume`, { answers: { Approve: ok } }, BOSS),
    fork: async (body: object, key?: string) => {
      const { status, json } = await post(`${run}/fork`, body, key);
      return [status, json?.["code"] ?? json?.["status"]];
    },
  };
}

// SECURITY A30-A45: what a key may not answer, it does not answer by a fork.
test("an answer of somebody who was asked by name holds for no values that others set behind it", async () => {
  const { answer, fork } = await pay("Pay");
  expect((await answer("no")).json).toMatchObject({ state: { ok: "no", refused: "refused 10" } });
  expect(await fork({ from: "Check", set: { ok: "yes", amount: "1000" } })).toEqual([403, "not_assignee"]);
  expect(await fork({ from: "Check", set: { ok: "yes" } }, BOSS)).toEqual([202, "queued"]);
  expect(await fork({ from: "Check", set: { ok: "yes" } }, KEYS.admin)).toEqual([202, "queued"]);
  // The question itself is asked anew, and nothing else is set.
  expect(await fork({ from: "Approve", set: { amount: "1000" } })).toEqual([202, "queued"]);
  expect(await fork({ from: "Check" })).toEqual([202, "queued"]);
});

test("whoever forks is the starter, who may not answer for four eyes", async () => {
  const { answer, fork } = await pay("Eyes");
  expect((await answer("no")).json).toMatchObject({ state: { ok: "no" } });
  for (const key of [KEYS.executor, KEYS.admin, BOSS])
    expect(await fork({ from: "Check", set: { ok: "yes" } }, key)).toEqual([403, "starter_may_not_answer"]);
  expect(await fork({ from: "Approve", set: { amount: "1000" } })).toEqual([202, "queued"]);
});

test("a run that fails in a formula is begun anew from its first step, as any other is", async () => {
  const sheet = (
    formula: string,
    more = "",
  ): string => `${HEAD}Part,Share,,,formula,"total: number, of: number${more}",share,${formula},
Part,Tell,,,echo,share,told,{share},
`;
  const service = await startService({
    files: { "workflows/part.csv": sheet("total / of") },
    config: `runs:\n  keep: all\n${authentication()}`,
  });
  onTestFinished(() => service.stop());
  const headers = [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"];
  const post = (path: string, body: object) =>
    request(service.port, `POST ${path}`, headers, JSON.stringify(body));
  const begun = await post("/execute", { graph_name: "Part", initial_state: { total: 1, of: 0 } });
  expect(begun.json).toMatchObject({ status: "failed" });
  const run = `/runs/${String(begun.json?.["run_id"])}`;
  const forked = await post(`${run}/fork`, { from: "Share#1", current: true });
  expect([forked.status, forked.json]).toEqual([202, expect.objectContaining({ status: "queued" })]);
});
