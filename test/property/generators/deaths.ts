import fc from "fast-check";
import type { Pace } from "../../runtime/reference-graph.js";

export const paces = fc.array(fc.constantFrom<Pace>("sync", "promise", "thenable", "later"), {
  minLength: 1,
  maxLength: 4,
});

export const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });

/** Numbers from 0 to 1 that depend on the seed alone. */
export function numbersFrom(seed: number): () => number {
  let last = seed;
  return () => {
    last = (Math.imul(last, 1664525) + 1013904223) >>> 0;
    return last / 2 ** 32;
  };
}
