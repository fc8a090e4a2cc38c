import { describe, expect, onTestFinished, test } from "vitest";
import { openAt } from "../durable/open-at.js";
import { newPlace } from "../durable/places.js";
import { completed, newRun, OWNER } from "../durable/store/stores.js";
import { HAS_POSTGRES } from "./asked.js";

const ROUNDS = 40;
const PRUNING = { endedBefore: 1_000_000, statuses: ["completed"] as const, limit: 10 };

describe.skipIf(!HAS_POSTGRES)("a version", () => {
  test("that a run begins with is not forgotten at the same moment", async () => {
    const place = await newPlace("postgres");
    const [one, other] = [await openAt(place), await openAt(place)];
    onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => {}));
    const texts = (): string => "as it was";
    await one.start(newRun({ version: "newest", created: 9_000_000 }), { texts });
    for (let round = 0; round < ROUNDS; round++) {
      const version = `v${round % 2}`;
      const { lease } = await one.start(newRun({ version }), { texts, claim: { owner: OWNER } });
      await one.finish(lease!, completed());
      // Nobody else names the version: with its run it would go.
      const [pruned, next] = await Promise.all([
        other.prune(PRUNING),
        one.start(newRun({ version }), { texts, claim: { owner: OWNER } }),
      ]);
      expect(pruned).toBe(1);
      expect(await one.version(version)).toMatchObject({ texts: "as it was" });
      await one.finish(next.lease!, completed());
      expect(await other.prune(PRUNING)).toBe(1);
      expect(await one.version(version)).toBeNull();
    }
  });
});
