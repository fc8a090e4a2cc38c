import { describe, expect, test } from "vitest";
import { type Row, runProject } from "./project.js";

const mock = (answers: object) => ({
  default_provider: "mock",
  providers: { mock: { kind: "mock", answers } },
});
const desk = (context: object): readonly Row[] => [
  { node: "Route", agent: "orchestrator", next: "Refunds|Shipping", inputs: "q", outputs: "team", context },
  {
    node: "Refunds",
    agent: "echo",
    outputs: "reply",
    prompt: "money",
    context: { description: "Pays back" },
  },
  { node: "Shipping", agent: "echo", outputs: "reply", prompt: "parcel" },
];

describe("orchestrator with a model", () => {
  test("goes to the node that the model names, ignoring case", async () => {
    const llm = mock({ "Pays back": "shipping" });
    const { result } = await runProject({ rows: desk({ strategy: "llm" }), llm }, { q: "Refund me" });
    expect([result.path, result.state["team"]]).toEqual([["Route", "Shipping"], "Shipping"]);
  });

  test("I06 a name that is no target is asked for again, then the default is taken", async () => {
    const llm = mock({ e: "Admin" });
    const context = { strategy: "llm", default_target: "Refunds" };
    const { result } = await runProject({ rows: desk(context), llm }, { q: "Refund me" });
    expect(result.path).toEqual(["Route", "Refunds"]);
  });

  test("without a default that is an error of the node", async () => {
    const llm = mock({ e: "Admin" });
    const { result } = await runProject({ rows: desk({ strategy: "llm" }), llm }, { q: "Refund me" });
    expect(result).toMatchObject({ status: "failed", error: { node: "Route", code: "agent_failed" } });
  });

  test("a model that is not there is an error, whatever the default", async () => {
    const context = { strategy: "llm", default_target: "Refunds" };
    const { result } = await runProject({ rows: desk(context), llm: {} }, { q: "Refund me" });
    expect(result).toMatchObject({ status: "failed", error: { node: "Route", code: "provider_failed" } });
  });
});

describe("summary with a model", () => {
  const row: Row = { node: "Sum", agent: "summary", inputs: "a, b", outputs: "note", context: { llm: true } };

  test("sums up what it has joined", async () => {
    const llm = mock({ "one\ntwo": "both" });
    const { result } = await runProject({ rows: [row], llm }, { a: "one", b: "two" });
    expect(result.state["note"]).toBe("both");
  });

  test("the setting may name the provider, the prompt says how", async () => {
    const llm = { providers: { careful: { kind: "mock", answers: { "In Latin": "ambo" } } } };
    const rows = [{ ...row, context: { llm: "careful" }, prompt: "In Latin:" }];
    const { result } = await runProject({ rows, llm }, { a: "one", b: "two" });
    expect(result.state["note"]).toBe("ambo");
  });
});
