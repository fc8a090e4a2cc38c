import { describe, expect, it } from "vitest";
import { support } from "./fixtures/support.gen.js";

describe("a module as the compiler prints it", () => {
  it("runs along its success edges", async () => {
    const result = await support.run({ customer: "Ada", question: "shoes" });
    expect(result).toMatchObject({
      status: "completed",
      path: ["Ask", "Answer"],
      state: { customer: "Ada", question: "shoes", answer: "page of shoes" },
    });
  });

  it("runs along its failure edges, signalled or thrown", async () => {
    const signalled = await support.run({ customer: "Ada", question: "money" });
    expect(signalled).toMatchObject({
      path: ["Ask", "Answer", "Apologize"],
      state: { error: "no page about money", apology: "Sorry, nothing about money: no page about money" },
    });
    const thrown = await support.run({ customer: "Ada", question: "" });
    expect(thrown.state).toMatchObject({ apology: "Sorry, nothing about : there is no question" });
  });

  it("lets stand-ins take the place of its agents", async () => {
    const result = await support.run(
      { customer: "Ada" },
      { nodes: { Ask: () => "hats", Answer: ({ question }) => ({ answer: `all of ${question}` }) } },
    );
    expect(result.state).toEqual({ customer: "Ada", question: "hats", answer: "all of hats" });
  });
});
