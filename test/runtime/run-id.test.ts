import { expect, test } from "vitest";
import { tiny } from "./tiny.js";

test("ids of runs are 128 random bits: no two are alike, and none tells of the next", async () => {
  const graph = tiny({ A: () => 1 });
  const ids = await Promise.all(Array.from({ length: 500 }, async () => (await graph.run({})).runId));
  expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  for (const part of [(id: string) => id, (id: string) => id.slice(0, 16), (id: string) => id.slice(16)])
    expect(new Set(ids.map(part)).size).toBe(500);
});

test("ids of runs need nothing of Node's: bundled graphs run in browsers, too", async () => {
  const graph = tiny({ A: () => 1 });
  const { Buffer: held } = globalThis;
  try {
    Reflect.deleteProperty(globalThis, "Buffer");
    // More than are drawn at a time.
    for (let run = 0; run < 300; run++) expect((await graph.run({})).status).toBe("completed");
  } finally {
    globalThis.Buffer = held;
  }
});
