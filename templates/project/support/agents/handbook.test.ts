import { expect, test } from "vitest";
import { HandbookAgent } from "./handbook.js";

test("HandbookAgent finds an entry by its word", () => {
  const agent = new HandbookAgent();
  expect(agent.process({ question: "Where is my PARCEL?" })).toEqual({
    answer: "parcels arrive within three working days.",
  });
});

test("HandbookAgent signals failure when nothing fits", () => {
  expect(new HandbookAgent().process({ question: "Why?" })).toMatchObject({
    failure: "the handbook does not say",
  });
});
