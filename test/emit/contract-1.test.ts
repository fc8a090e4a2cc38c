import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { understandText } from "../world.js";
import { graphIn, importModules, moduleOf } from "./emitted.js";

const folder = mkdtempSync(join(tmpdir(), "flowsheet-contract-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A module as the first version printed it. */
const module = (name: string): string =>
  readFileSync(new URL(`contract-1/${name}.gen.txt`, import.meta.url), "utf8");

test("modules of contract 1 run as they did", async () => {
  const [support = {}] = await importModules([module("support")], folder);
  const graph = graphIn(support);
  const given = { customer: "Ada", question: "I want a refund" };
  const result = await graph.run(given);
  if (result.status !== "suspended") throw new Error(`it ended as ${result.status}`);
  expect(result.waiting.map(({ node }) => node)).toEqual(["ApproveRefund"]);
  const done = await graph.resume(result.checkpoint, { ApproveRefund: "approve" });
  expect(done).toMatchObject({ status: "completed", state: { ...given, approval: "approve" } });
  expect(done.path).toEqual(["Ask", "IsRefund", "DraftRefund", "ApproveRefund", "SendRefund", "Close"]);
});

test.each([
  ["nothing new", 1, "Hello {a}", "a"],
  ["a type that a run keeps", 2, "Hello {n}", "n=a.b:number"],
  ["a prompt that is a text", 2, "Hello", "n=a.b:number"],
])("a module with %s says contract %i", (_, contract, prompt, reads) => {
  const { graphs } = understandText(
    `graph_name,node_name,agent_type,input_fields,output_field,prompt\nG,A,echo,${reads},b,${prompt}\n`,
  );
  expect(moduleOf(graphs[0]!)).toContain(`contract: ${contract},`);
});
