import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createStorage } from "../../runtime/storage/storage.js";
import { createFolder, snapshot } from "../cli/folder.js";

// A system without the door to open folders that Linux has.
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return { ...fs, existsSync: (path: string) => path !== "/proc/self/fd" && fs.existsSync(path) };
});

test("P01, P13: without the door of Linux, nothing outside is read or written either", async () => {
  const root = createFolder({ "data/sub/a.txt": "inside", "outside/a.txt": "SECRET" });
  const storage = createStorage(join(root, "data"));
  symlinkSync("../outside", join(root, "data/out"));
  symlinkSync("../../outside/a.txt", join(root, "data/sub/link.txt"));
  symlinkSync("sub", join(root, "data/in"));
  const before = snapshot(join(root, "outside"));
  for (const file of ["out/a.txt", "sub/link.txt", "../outside/a.txt", "out/new/b.txt"]) {
    await expect(storage.read({ format: "text", file })).rejects.toThrow(/leads out|must not have/);
    const change = { format: "text", file, mode: "write", value: "x" } as const;
    await expect(storage.write(change)).rejects.toThrow(/leads out|must not have/);
  }
  expect(snapshot(join(root, "outside"))).toEqual(before);
  await storage.write({ format: "text", file: "in/new/b.txt", mode: "append", value: "line" });
  await storage.write({ format: "text", file: "sub/new/b.txt", mode: "append", value: "line" });
  expect(await storage.read({ format: "text", file: "sub/new/b.txt" })).toBe("line\nline\n");
  expect(await storage.read({ format: "text", file: "in/a.txt" })).toBe("inside");
});
