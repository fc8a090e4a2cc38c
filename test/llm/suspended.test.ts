import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readProject } from "../../runtime/config/folders.js";
import { checkpointOf } from "../../runtime/durable/legs/asleep.js";
import { openSqliteStore } from "../../runtime/durable/sqlite/store.js";
import type { Json, RunEvent, Usage } from "../../runtime/graph/index.js";
import { Flowsheet } from "../../runtime/index.js";
import { createServices } from "../../runtime/services.js";
import { mapOps } from "../runtime/memory-ops.js";
import { folderOf, openaiAt, type Row } from "./project.js";
import { modelServer, type Reply, says } from "./server.js";

const echo: Reply = (response, asked) => says(`re: ${asked.body.messages.at(-1).content}`)(response, asked);
const memory = { memory_key: "talk" };
const talk = (node: string, next: string): Row => ({
  node,
  next,
  context: memory,
  outputs: node,
  prompt: node,
});
const person: Row = { node: "Person", agent: "human", next: "M", outputs: "ok", prompt: "Go on?" };

test.each(["all", "waiting"])(
  "a conversation goes on when the run is resumed by somebody else, in the run and in a branch: keep %s",
  async (keep) => {
    const server = await modelServer(echo);
    const rows = [talk("A", "L|R"), talk("L", "Person"), person, talk("R", "M"), talk("M", "")];
    const setup = { rows, llm: openaiAt(server.url) };
    const cwd = folderOf(setup);
    const configuration = { workflows: ".", llm: setup.llm, runs: { keep } };
    writeFileSync(join(cwd, "flowsheet.yaml"), JSON.stringify(configuration));
    const first = await new Flowsheet({ cwd, env: {} }).runWorkflow({ csvPath: "t.csv" });
    expect(first.status).toBe("suspended");
    if (keep === "waiting")
      expect(await linesOf(cwd, first.runId)).toEqual([turns("A"), turns("L"), turns("R")]);
    const second = await new Flowsheet({ cwd, env: {} }).resume(first.runId, { Person: "yes" });
    expect(second).toMatchObject({ status: "completed", state: { M: "re: M" } });
    expect(server.asked.at(-1)?.body.messages.map(({ content }: { content: string }) => content)).toEqual(
      ["A", "L", "R"].flatMap((name) => [name, `re: ${name}`]).concat("M"),
    );
  },
);

/** What was said in each line of a run that waits. */
async function linesOf(cwd: string, runId: string): Promise<readonly unknown[]> {
  const store = await openSqliteStore(join(cwd, ".flowsheet/runs/runs.db"));
  const run = await store.run(runId);
  await store.close();
  const { regions } = checkpointOf(run!)!;
  return regions.map(({ memory: said }) => said?.["talk"]);
}

const turns = (name: string): readonly object[] => [
  { role: "user", text: name },
  { role: "assistant", text: `re: ${name}` },
];

test("a durable engine gives back what was said and what it cost, without asking again", async () => {
  const server = await modelServer(echo);
  const rows = [talk("A", "B"), { ...talk("B", ""), context: { ...memory, retry: 2 } }];
  const cwd = folderOf({ rows, llm: openaiAt(server.url) });
  const kept = new Map<string, Json>();
  const ops = mapOps(kept);
  const services = createServices({ project: readProject(cwd, null, {}), env: {}, redact: (text) => text });
  const graph = await new Flowsheet({ cwd, env: {} }).load("t.csv");
  const run = async (): Promise<readonly (Usage | undefined)[]> => {
    const used: (Usage | undefined)[] = [];
    const on = (event: RunEvent): void => void (event.type === "node_end" && used.push(event.usage));
    expect(await graph.run({}, { ops, services, on })).toMatchObject({ state: { A: "re: A", B: "re: B" } });
    return used;
  };
  const first = await run();
  expect(first).toEqual([
    { input_tokens: 11, output_tokens: 7 },
    { input_tokens: 11, output_tokens: 7 },
  ]);
  kept.delete("B|1");
  expect(await run()).toEqual(first);
  expect(server.asked.map(({ body }) => body.messages.length)).toEqual([1, 3, 3]);
});
