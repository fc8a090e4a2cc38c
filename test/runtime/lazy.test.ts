import { expect, test } from "vitest";
import { lazily } from "../../runtime/lazy.js";

test("what could not be loaded is loaded again, and what was loaded is kept", async () => {
  let calls = 0;
  const get = lazily(async () => {
    calls += 1;
    if (calls === 1) throw new Error("not there yet");
    return calls;
  });
  await expect(Promise.all([get(), get()])).rejects.toThrow("not there yet");
  expect(await Promise.all([get(), get(), get()])).toEqual([2, 2, 2]);
});
