import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Flowsheet } from "../../runtime/index.js";
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

test("a conversation goes on when the run is resumed by somebody else, in the run and in a branch", async () => {
  const server = await modelServer(echo);
  const rows = [talk("A", "L|R"), talk("L", "Person"), person, talk("R", "M"), talk("M", "")];
  const setup = { rows, llm: openaiAt(server.url) };
  const cwd = folderOf(setup);
  const first = await new Flowsheet({ cwd, env: {} }).runWorkflow({ csvPath: "t.csv" });
  expect(first.status).toBe("suspended");
  const [file = ""] = readdirSync(join(cwd, ".flowsheet/runs")).filter((name) => name.endsWith(".json"));
  const { regions } = JSON.parse(readFileSync(join(cwd, ".flowsheet/runs", file), "utf8")).checkpoint;
  expect(regions.map((line: { memory?: object }) => line.memory)).toEqual([
    { talk: turns("A") },
    { talk: turns("L") },
    { talk: turns("R") },
  ]);
  const second = await new Flowsheet({ cwd, env: {} }).resume(first.runId, { Person: "yes" });
  expect(second).toMatchObject({ status: "completed", state: { M: "re: M" } });
  expect(server.asked.at(-1)?.body.messages.map(({ content }: { content: string }) => content)).toEqual(
    ["A", "L", "R"].flatMap((name) => [name, `re: ${name}`]).concat("M"),
  );
});

const turns = (name: string): readonly object[] => [
  { role: "user", text: name },
  { role: "assistant", text: `re: ${name}` },
];
