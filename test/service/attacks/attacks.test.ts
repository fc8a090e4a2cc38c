import { expect, test } from "vitest";
import { inCi } from "../../how-many.js";
import { processorTime } from "../../processor-time.js";
import { attacks } from "./attack-sheets.js";
import { requestsOf } from "./every-request.js";

/** Some of the attacks, and small ones, where all tests are to be over soon. */
const chosen = attacks.filter((_, i) => inCi || i % 8 === 0);
const part = inCi ? 1 / 64 : 1 / 80;

/**
 * The slowest takes half a second of processor time in the long form. What grew with the square of the size took half a
 * minute there, so a machine that is ten times slower passes, too.
 */
const MOST_MS = 10_000;

test.each(chosen.map((attack) => [attack.name, attack] as const))(
  "very many %s: every request is answered in time",
  async (_, attack) => {
    for (const [name, ask] of requestsOf(attack, Math.max(2, Math.floor(attack.most * part)))) {
      const before = processorTime();
      await ask();
      expect(processorTime() - before, name).toBeLessThan(MOST_MS);
    }
  },
);
