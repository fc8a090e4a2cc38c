import { describe, expect, test } from "vitest";
import { request } from "./raw.js";
import { KEYS, type TestService } from "./service.js";
import { runIdOf, SECRET, send, start } from "./shop.js";

async function countOf({ port }: TestService): Promise<number> {
  const { json } = await request(port, "GET /runs?status=all", [`X-API-Key: ${KEYS.admin}`]);
  return (json?.["runs"] as readonly object[] | undefined)?.length ?? 0;
}

describe("a message that comes again begins nothing", () => {
  test("also after a restart, and with another body", async () => {
    const first = await start();
    const begun = await send(first, "m1");
    expect([begun.status, begun.json?.["status"]]).toEqual([200, "completed"]);
    await first.stop();
    const again = await start({ folder: first.folder });
    for (const item of ["tea", "gin"]) {
      const answer = await send(again, "m1", SECRET, item);
      expect([answer.status, runIdOf(answer)]).toEqual([200, runIdOf(begun)]);
      expect(answer.json?.["state"]).toMatchObject({ taken: "tea" });
    }
    expect(await countOf(again)).toBe(1);
  });

  test("also with two servers at the same time", async () => {
    const one = await start();
    const other = await start({ folder: one.folder });
    for (const id of ["m1", "m2", "m3"]) {
      const answers = await Promise.all([one, other, one, other, other].map((server) => send(server, id)));
      expect(new Set(answers.map(runIdOf)).size).toBe(1);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    }
    expect(await countOf(one)).toBe(3);
  });
});
