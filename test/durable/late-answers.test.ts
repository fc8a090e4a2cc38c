import { afterEach, describe, expect, onTestFinished, vi } from "vitest";
import { flowsheet } from "../cli/run.js";
import { KEYS, startService } from "../http/service.js";
import { onEachStore, until } from "./executors.js";
import { projectOf, serviceOf } from "./projects.js";

const HOUR = 3_600_000;
/** First a question that may be answered for some time, then one for ever. */
const sheet = (ms: number): string => `graph_name,node_name,next_node,agent_type,output_field,prompt,context
Two,First,Second,human,first,Right?,"{""options"": [""a"", ""b""], ""timeout_ms"": ${ms}, ""default_action"": ""b""}"
Two,Second,,input,second,And?,
`;

afterEach(() => {
  vi.useRealTimers();
});

describe("on the command line", () => {
  async function waiting() {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const cwd = await projectOf({ "flowsheet.yaml": "", "workflows/two.csv": sheet(HOUR) });
    const begun = await flowsheet(["run", "--graph", "Two", "--json", "--quiet"], { cwd });
    const runId: string = JSON.parse(begun.stdout).run_id;
    const resume = async (...args: string[]) => {
      const { code, stderr } = await flowsheet(["resume", runId, ...args, "--quiet"], { cwd });
      return [code, stderr.split("\n").find((line) => line.startsWith("error:")) ?? ""];
    };
    const state = async (): Promise<object> =>
      JSON.parse((await flowsheet(["runs", "show", runId, "--json"], { cwd })).stdout).state;
    return { cwd, runId, resume, state };
  }

  onEachStore("an answer that is there already is not swapped", async () => {
    const { cwd, resume, state } = await waiting();
    expect(await resume("--answer", "First=a", "--detach")).toEqual([0, ""]);
    for (const late of ["First=a", "First=b", "First=z"])
      for (const more of [[], ["--detach"]])
        expect(await resume("--answer", late, ...more)).toEqual([
          1,
          'error: "First" has been answered already',
        ]);
    expect((await flowsheet(["work", "--drain"], { cwd })).code).toBe(0);
    expect(await resume("--answer", "Second=x", "--answer", "First=b")).toEqual([
      1,
      'error: "First" has been answered already',
    ]);
    expect(await resume("--answer", "Second=x")).toEqual([0, ""]);
    expect(await state()).toEqual({ first: "a", second: "x" });
  });

  onEachStore(
    "an answer after the time counts for nothing, whether or not a worker has seen it",
    async () => {
      const { cwd, runId, resume, state } = await waiting();
      vi.setSystemTime(Date.now() + HOUR);
      const over = [1, 'error: the time to answer "First" is over'];
      expect(await resume("--answer", "First=a")).toEqual(over);
      const { stdout } = await flowsheet(["runs", "show", runId], { cwd });
      expect(stdout).toMatch(/\nnext {3}flowsheet work\n$/);
      expect(await resume("--answer", "Second=x")).toEqual([
        2,
        'error: "Second" waits for no answer; nothing does at present',
      ]);
      expect((await flowsheet(["work", "--drain"], { cwd })).code).toBe(0);
      expect(await resume("--answer", "First=a", "--detach")).toEqual(over);
      expect(await resume("--answer", "Frist=a")).toEqual([
        2,
        'error: "Frist" waits for no answer; what waits is "Second"',
      ]);
      expect(await resume("--answer", "Second=x")).toEqual([0, ""]);
      expect(await resume("--answer", "Second=y")).toEqual([
        1,
        `error: the run ${runId} has ended: completed`,
      ]);
      expect(await state()).toEqual({ first: "b", second: "x" });
    },
  );

  onEachStore("a run that was cancelled takes none, and a run that is not there is none", async () => {
    const { cwd, runId, resume } = await waiting();
    expect((await flowsheet(["runs", "cancel", runId], { cwd })).code).toBe(0);
    expect(await resume("--answer", "First=a")).toEqual([1, `error: the run ${runId} has ended: cancelled`]);
    const unknown = await flowsheet(["resume", "f".repeat(32), "--answer", "First=a"], { cwd });
    expect(unknown.code).toBe(2);
  });
});

onEachStore("over HTTP: 404, 409 and 422, and the answer is never swapped", async () => {
  const files = {
    "workflows/two.csv": sheet(HOUR),
    "workflows/fast.csv": sheet(1).replaceAll("Two,", "Fast,"),
  };
  const service = await startService({ files, ...(await serviceOf()) });
  onTestFinished(() => service.stop());
  const headers = { "X-API-Key": KEYS.admin, "Content-Type": "application/json" };
  const post = async (path: string, body: object) => {
    const sent = await fetch(`${service.url}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return { status: sent.status, json: (await sent.json()) as { readonly [key: string]: unknown } };
  };
  const get = async (id: string) =>
    (await (await fetch(`${service.url}/runs/${id}`, { headers })).json()) as {
      readonly [key: string]: unknown;
    };
  const begin = async (graph: string) =>
    String((await post("/execute", { graph_name: graph })).json["run_id"]);
  const answer = async (id: string, answers: object, options = {}) => {
    const { status, json } = await post(`/runs/${id}/resume`, { answers, options });
    return [status, json["code"] ?? json["status"]];
  };

  const id = await begin("Two");
  const races = ["a", "b", "a", "b"].map((first) => answer(id, { First: first }));
  const codes = (await Promise.all(races)).map(([status]) => status).sort();
  expect(codes).toEqual([202, 409, 409, 409]);
  expect(await answer(id, { First: "a" })).toEqual([409, "already_answered"]);
  expect(await answer(id, { First: "z" })).toEqual([409, "already_answered"]);
  expect(await answer(id, { First: "a" }, { detach: true })).toEqual([409, "already_answered"]);
  expect(await answer(id, { Third: "a" })).toEqual([422, "input_invalid"]);
  expect(await answer(id, { Second: "x" })).toEqual([200, "completed"]);
  const { state } = await get(id);
  expect(await answer(id, { Second: "y" })).toEqual([409, "already_ended"]);
  expect((await get(id))["state"]).toEqual(state);

  const late = await begin("Fast");
  await until(async () => JSON.stringify((await get(late))["waiting"]).includes("Second"));
  expect(await answer(late, { First: "a" })).toEqual([409, "already_ended"]);
  expect(await answer(late, { Second: "x" })).toEqual([200, "completed"]);
  expect((await get(late))["state"]).toEqual({ first: "b", second: "x" });

  const cancelled = await begin("Two");
  await fetch(`${service.url}/runs/${cancelled}/cancel`, { method: "POST", headers });
  expect(await answer(cancelled, { First: "a" })).toEqual([409, "already_ended"]);
  expect(await answer("f".repeat(32), { First: "a" })).toEqual([404, "run_not_found"]);
});
