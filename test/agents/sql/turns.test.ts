import { expect, test } from "vitest";
import { createTurns } from "../../../runtime/net/databases/turns.js";

test("a number of calls go on at once, the others in their order, also when some fail or leave", async () => {
  const inTurn = createTurns(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const leaving = new AbortController();
  const asked = [0, 1, 2, 3, 4].map((number) => {
    const work = (): Promise<number> =>
      new Promise((resolve, reject) => {
        begun.push(number);
        ends[number] = () => (number === 0 ? reject(new Error("no")) : resolve(number));
      });
    return inTurn(work, number === 2 ? leaving.signal : undefined);
  });
  const settled = Promise.allSettled(asked);
  expect(begun).toEqual([0, 1]);
  leaving.abort(new Error("left"));
  await expect(asked[2]).rejects.toThrow("left");
  ends[0]?.();
  await expect(asked[0]).rejects.toThrow("no");
  await expect.poll(() => begun).toEqual([0, 1, 3]);
  for (const number of [1, 3]) ends[number]?.();
  await expect.poll(() => begun).toEqual([0, 1, 3, 4]);
  ends[4]?.();
  expect((await settled).map(({ status }) => status)).toEqual([
    ...["rejected", "fulfilled", "rejected", "fulfilled", "fulfilled"],
  ]);
});
