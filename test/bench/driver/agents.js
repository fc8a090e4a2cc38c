// The agents of the measured graphs, by how they answer: at once, as a promise, or after one await of their own,
// as a call of a model or a store does. They do next to nothing, so that what is measured is all around them.
import { defineAgent, fail } from "flowsheet";

export const saySync = defineAgent(({ value }) => value);
export const sayAsync = defineAgent(async ({ value }) => value);
export const sayHop = defineAgent(async ({ value }) => {
  await null;
  return value;
});

/** Signals failure, always. */
export const refuseHop = defineAgent(async () => {
  await null;
  return fail("refused");
});

export const tallyHop = defineAgent(async ({ count }) => {
  await null;
  return count + 1;
});

/** Signals failure when the count has come to the limit. */
export const belowHop = defineAgent(async ({ count, limit }) => {
  await null;
  return count < limit ? true : fail("the limit is reached");
});
