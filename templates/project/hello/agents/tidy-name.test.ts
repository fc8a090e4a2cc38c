import { expect, test } from "vitest";
import { TidyNameAgent } from "./tidy-name.js";

test("TidyNameAgent writes each word with a capital", () => {
  const agent = new TidyNameAgent();
  expect(agent.process({ name: "  ada  lovelace " })).toEqual({ full_name: "Ada Lovelace" });
});
