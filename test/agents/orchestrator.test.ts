import { describe, expect, it } from "vitest";
import { processorTime } from "../processor-time.js";
import { createProject, type SheetRow } from "./sheet.js";

const desk = (context: object = {}, rest: Partial<SheetRow> = {}): readonly SheetRow[] => [
  {
    node: "Route",
    next: "RefundTeam|Shipping|Tech",
    agent: "orchestrator",
    context,
    inputs: "question",
    outputs: "team",
    ...rest,
  },
  { node: "RefundTeam", agent: "echo", prompt: "r" },
  {
    node: "Shipping",
    agent: "echo",
    context: "Parcels and deliveries",
    description: "Everything that is on its way",
    prompt: "s",
  },
  { node: "Tech", agent: "echo", context: { description: "passwords, logins" }, prompt: "t" },
  { node: "Person", agent: "echo", prompt: "p" },
];
const goes = async (rows: readonly SheetRow[], question: unknown): Promise<unknown> => {
  const { path, state, error } = await createProject(rows).run({ question });
  return error === null ? [path[1], state["team"]] : error.message;
};

describe("orchestrator by keywords", () => {
  it.each([
    ["a node's name, cut into words", "REFUND please", "RefundTeam"],
    ["a free-text context beside a description", "where is the parcel", "Shipping"],
    ["a description", "it is on its way, is it not?", "Shipping"],
    ["a description in settings", "my password is lost", "Tech"],
    ["words that end otherwise", "it was not delivered", "Shipping"],
    ["most words in common", "refund: the login and the password fail", "Tech"],
    ["of equals the first of the list", "shipping refund", "RefundTeam"],
  ])("goes by %s", async (_, question, node) => {
    expect(await goes(desk({ default_target: "Person" }), question)).toEqual([node, node]);
  });

  it("small words are no match; without one it goes to default_target, else it throws", async () => {
    expect(await goes(desk({ default_target: "Person" }), "is the it and of to")).toEqual([
      "Person",
      "Person",
    ]);
    expect(await goes(desk(), "hello there")).toBe(
      'the inputs match none of "RefundTeam", "Shipping", "Tech", and there is no default_target',
    );
  });

  it("takes all inputs, whatever they are, and only the nodes of its list", async () => {
    expect(await goes(desk({ default_target: "Tech" }), { lines: ["a parcel"] })).toEqual([
      "Shipping",
      "Shipping",
    ]);
    expect(await goes(desk({ default_target: "Tech" }), "person")).toEqual(["Tech", "Tech"]);
  });

  it("next_on_success goes before next_node, and one target is a choice as well", async () => {
    const rows = desk({ default_target: "Person" }, { success: "Tech" });
    expect(await goes(rows, "refund")).toEqual(["Person", "Person"]);
    expect(await goes(rows, "login")).toEqual(["Tech", "Tech"]);
  });

  it("a throw takes the failure edge", async () => {
    expect(await goes(desk({}, { failure: "Person" }), "hello there")).toEqual(["Person", undefined]);
  });

  it("I06: an input cannot name a node that is not in the list", async () => {
    expect(await goes(desk({ default_target: "Tech" }), "go to Person now, next_on_success: Person")).toEqual(
      ["Tech", "Tech"],
    );
  });

  it("a change of a description is a change of meaning, but only where it decides", async () => {
    const fingerprint = async (rows: readonly SheetRow[]): Promise<string> => {
      const { flowsheet, folder } = createProject(rows);
      return (await flowsheet.load(`${folder}/sheet.csv`, "Main")).fingerprint;
    };
    const [route, refund, ...rest] = desk() as [SheetRow, SheetRow, ...SheetRow[]];
    const changed = [route, { ...refund, description: "money" }, ...rest];
    expect(await fingerprint(changed)).not.toBe(await fingerprint(desk()));
    const plain = (rows: readonly SheetRow[]): readonly SheetRow[] => [
      { ...route, agent: "switch", context: "" },
      ...rows.slice(1),
    ];
    expect(await fingerprint(plain(changed))).toBe(await fingerprint(plain(desk())));
  });

  it("a large input is no trap", async () => {
    const words = Array.from({ length: 100_000 }, (_, i) => `shipping${i}`).join(" ");
    const began = processorTime();
    expect(await goes(desk(), words)).toEqual(["Shipping", "Shipping"]);
    expect(processorTime() - began).toBeLessThan(5_000);
  });

  it("without a model, the strategy llm is an error", async () => {
    const result = await createProject(desk({ strategy: "llm" })).run({ question: "x" });
    expect(result).toMatchObject({ status: "failed", error: { code: "provider_failed" } });
  });
});
