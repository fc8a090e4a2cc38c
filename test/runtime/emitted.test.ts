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
});
