import { describe, expect, it } from "vitest";
import { createProject, type SheetRow } from "./sheet.js";

const join = (context: object = {}, inputs = "a|b|c?"): readonly SheetRow[] => [
  { node: "Join", agent: "summary", context, inputs, outputs: "text" },
];
const joined = async (rows: readonly SheetRow[], given: object): Promise<unknown> =>
  (await createProject(rows).run(given)).state["text"];

describe("summary", () => {
  it.each<[object, string]>([
    [{}, 'one\n{"n":2}'],
    [{ separator: ", " }, 'one, {"n":2}'],
    [{ separator: "" }, 'one{"n":2}'],
    [{ include_keys: true }, 'a: one\nb: {"n":2}'],
    [{ include_keys: false }, 'one\n{"n":2}'],
    [{ include_keys: ["b", "a"] }, '{"n":2}\none'],
    [{ include_keys: "b, a" }, '{"n":2}\none'],
    [{ format: "* {key} = {value}" }, '* a = one\n* b = {"n":2}'],
    [
      { format: "{ value } {{value}} {other} {key}{key}" },
      'one {value} {other} aa\n{"n":2} {value} {other} bb',
    ],
    [{ llm: false }, 'one\n{"n":2}'],
  ])("%j", async (settings, text) => {
    expect(await joined(join(settings), { a: "one", b: { n: 2 } })).toBe(text);
  });

  it("leaves out what is unset or null, and keeps what is empty", async () => {
    expect(await joined(join({ separator: "|" }), { a: "", b: null, c: 0 })).toBe("|0");
    expect(await joined(join({}, "c?"), {})).toBe("");
  });

  it("I01, I02: one pass: what a value holds is text", async () => {
    const given = { a: "{value} {key} $& $1 $`", b: "{{value}}" };
    expect(await joined(join({ format: "<{value}>" }), given)).toBe("<{value} {key} $& $1 $`>\n<{{value}}>");
  });

  it("names inputs by their names inside the agent", async () => {
    const rows = join({ format: "{key}={value}" }, "who=person.name");
    expect(await joined(rows, { person: { name: "Ada" } })).toBe("who=Ada");
  });

  it("without a model, llm is an error and never a text that looks like a summary", async () => {
    const result = await createProject(join({ llm: true })).run({ a: "x", b: "y" });
    expect(result).toMatchObject({ status: "failed", error: { code: "provider_failed" } });
  });
});
