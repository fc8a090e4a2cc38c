import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { createStorage } from "../../runtime/storage/storage.js";
import { createFolder } from "../cli/folder.js";

/** Counts the calls of the disk; the one with this number fails. */
const disk = vi.hoisted(() => ({ calls: 0, failing: Number.POSITIVE_INFINITY }));

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const call = (): void => {
    disk.calls += 1;
    if (disk.calls !== disk.failing) return;
    throw Object.assign(new Error("EIO: i/o error, open '/home/somebody/data'"), { code: "EIO" });
  };
  type Step = (...given: unknown[]) => Promise<unknown>;
  const guarded =
    (step: Step): Step =>
    async (...given) => {
      call();
      return step(...given);
    };
  const open = guarded(async (...given) => {
    const handle = await real.open(...(given as Parameters<typeof real.open>));
    for (const name of ["read", "stat", "chmod", "sync", "write"] as const)
      Object.defineProperty(handle, name, { value: guarded((handle[name] as Step).bind(handle)) });
    return handle;
  });
  const names = ["access", "lstat", "mkdir", "readdir", "realpath", "rename", "stat", "unlink"] as const;
  const steps = names.map((name) => [name, guarded(real[name] as unknown as Step)] as const);
  return { ...real, open, ...Object.fromEntries(steps) };
});

afterEach(() => {
  disk.failing = Number.POSITIVE_INFINITY;
});

test.each([
  ["csv", { mode: "append", value: { id: 3, n: "new" } }],
  ["csv", { mode: "update", id: 1, value: { n: "new" } }],
  ["json", { mode: "update", id: 1, value: { n: "new" } }],
  ["text", { mode: "append", value: "new" }],
  ["text", { mode: "delete" }],
] as const)(
  "L10: whichever call of the disk fails, a %s file is the old one or the new one: %j",
  async (format, change) => {
    const contents = { csv: "id,n\n1,a\n2,b\n", json: '[{"id":1,"n":"a"}]', text: "old\n" };
    const old = contents[format];
    const results = new Set<string>();
    for (let failing = 1; ; failing++) {
      const folder = createFolder({ [`t.${format}`]: old });
      const storage = createStorage(folder);
      disk.calls = 0;
      disk.failing = failing;
      const error = await storage.write({ format, file: `t.${format}`, ...change }).then(
        () => null,
        (thrown: Error) => thrown,
      );
      const reached = disk.calls >= failing;
      disk.failing = Number.POSITIVE_INFINITY;
      const names = readdirSync(folder).filter((name) => name !== ".locks");
      const now = names.length === 0 ? "gone" : readFileSync(join(folder, `t.${format}`), "utf8");
      results.add(now);
      expect(names.length).toBeLessThanOrEqual(1);
      if (error !== null) {
        expect(error.message).toBe(`t.${format}: the disk has a fault`);
        expect(now).toBe(old);
      } else expect(now).not.toBe(old);
      expect(readdirSync(folder).includes(".locks") ? readdirSync(join(folder, ".locks")) : []).toEqual([]);
      if (!reached) break;
    }
    expect(results.size).toBe(2);
  },
);
