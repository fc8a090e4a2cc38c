import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readYaml } from "../../runtime/config/yaml.js";
import { isMapping } from "../../runtime/graph/values/values.js";
import { KINDS, readModelSettings, USUAL } from "../../runtime/llm/settings.js";
import { runProject } from "./project.js";

const text = readFileSync(new URL("../../docs/models.md", import.meta.url), "utf8");
const blocks = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
const sections = blocks.map((block) => {
  const read = readYaml(block);
  return "data" in read && isMapping(read.data) ? read.data["llm"] : null;
});

describe("docs/models.md", () => {
  test.each(sections.map((section, index) => [index, section] as const))(
    "configuration %i is understood",
    (_, section) => {
      const env = { OPENAI_API_KEY: "a", ANTHROPIC_API_KEY: "b" };
      const models = readModelSettings({ section, env });
      const { providers = {} } = section as { readonly providers?: object };
      expect(Object.keys(providers).map((name) => models.find(name).name)).toEqual(Object.keys(providers));
    },
  );

  test("the mock answers as its example says", async () => {
    const llm = sections.find((section) => JSON.stringify(section).includes("refund*order")) as object;
    const row = { node: "Ask", inputs: "q", outputs: "a", prompt: "{q}" };
    const ask = async (q: string, outputs = "a") =>
      (await runProject({ rows: [{ ...row, outputs }], llm }, { q })).result;
    expect((await ask("My refund for this order")).state["a"]).toBe("We refund your order.");
    expect((await ask("Please rate it", "score:number, tags:string[]")).state).toMatchObject({
      score: 9,
      tags: ["friendly"],
    });
    expect((await ask("an outage")).error?.message).toBe("mock (mock): out of order");
    expect((await ask("Hello")).state["a"]).toBe("Thank you for your message.");
  });

  test("the table of kinds says what holds", () => {
    for (const kind of KINDS) {
      const row = text.split("\n").find((line) => line.startsWith(`| \`${kind}\``)) ?? "";
      const { key, urlVariable, model } = USUAL[kind];
      for (const part of [key, urlVariable, kind === "mock" ? "" : (model ?? "must be named")])
        expect(row).toContain(part);
    }
  });
});
