import fc from "fast-check";
import { expect, test } from "vitest";
import { cutSeen, SEEN_LIMIT } from "../../runtime/durable/legs/cut-seen.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

test("what is short enough stays the same", () => {
  const seen = { inputs: { text: "x".repeat(60_000), list: [1, { a: "b" }] }, prompt: "Well?" };
  expect(cutSeen(seen)).toBe(seen);
});

test("the longest parts are cut to one length, and named", () => {
  const [long, short] = ["x".repeat(900_000), "y".repeat(1_000)];
  const { inputs, prompt, cut } = cutSeen({ inputs: { "a/b": long, short, list: [long] }, prompt: long });
  const { "a/b": text, list } = inputs as { readonly [name: string]: string };
  expect(cut).toEqual(["/inputs/a~1b", "/inputs/list", "/prompt"]);
  expect(inputs).toMatchObject({ short });
  expect([text?.length, list?.slice(0, 4), prompt?.length]).toEqual([21_513, '["xx', 21_513]);
});

test("inputs of code that have no names are cut as a whole, and no sign in its middle", () => {
  const { inputs, cut } = cutSeen({ inputs: `x${"😀".repeat(100_000)}`, prompt: null });
  expect(cut).toEqual(["/inputs"]);
  expect(String(inputs)).toMatch(/^x(?:😀)+…$/u);
});

test("whatever is given, what is kept stays near the limit, and names stay in their order", () => {
  const value = fc.oneof(
    fc.integer({ min: 0, max: 60_000 }).map((length) => "z".repeat(length)),
    fc.array(fc.integer(), { maxLength: 5_000 }),
    fc.constant(null),
  );
  const inputs = fc.dictionary(fc.string({ maxLength: 10 }), value, { maxKeys: 20 });
  fc.assert(
    fc.property(inputs, fc.option(fc.string()), (given, prompt) => {
      const kept = cutSeen({ inputs: given, prompt });
      expect(Object.keys(kept.inputs as object)).toEqual(Object.keys(given));
      if (kept.cut === undefined) expect(kept).toEqual({ inputs: given, prompt });
      else expect(JSON.stringify(kept).length).toBeLessThan(SEEN_LIMIT + 4_000);
    }),
    { numRuns: 100 },
  );
});

test("a loop that reads a long text keeps little of it for each visit, and runs show says so", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": "workflows: .\n",
    "loop.csv":
      "graph_name,node_name,next_node,agent_type,input_fields,output_field,context\n" +
      'L,Look,Look,look,text,,"{""max_visits"": 5, ""on_limit"": ""END""}"\n',
    "agents/look.js":
      'import { defineAgent } from "flowsheet";\nexport const look = defineAgent(async ({ text }) => { if (text.length !== 300000) throw new Error("cut"); });\n',
  });
  const text = "x".repeat(300_000);
  const ended = await flowsheet(["run", "loop.csv", "--input", `text=${text}`, "--json"], { cwd });
  const { run_id: id, status } = JSON.parse(ended.stdout);
  expect(status).toBe("completed");
  const { visits } = JSON.parse((await flowsheet(["runs", "show", id, "--json"], { cwd })).stdout);
  expect(visits.map(({ cut }: { readonly cut: unknown }) => cut)).toEqual(Array(5).fill(["/inputs/text"]));
  expect(JSON.stringify(visits).length).toBeLessThan(5 * (SEEN_LIMIT + 1_000));
  const shown = await flowsheet(["runs", "show", id, "--node", "Look#2"], { cwd });
  expect(shown.stdout).toContain("  only the beginning is kept of /inputs/text\n");
});
