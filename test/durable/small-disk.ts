import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, type TestContext } from "vitest";

export interface SmallDisk {
  /** Takes all the room that is left. */
  readonly fill: () => void;
  readonly free: () => void;
}

/** Makes a folder a small disk of its own. The test is skipped where none can be made. */
export function smallDisk(folder: string, kilobytes: number, { skip }: TestContext): SmallDisk {
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", folder]);
  if (mounted.status !== 0) skip("no small disk can be made here");
  onTestFinished(() => void spawnSync("umount", ["-l", folder]));
  const filler = join(folder, "filler");
  return {
    fill: () => {
      for (let size = 65_536; size >= 1; size /= 2) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: "a" });
        } catch {
          // So much has no room any more.
        }
      }
    },
    free: () => rmSync(filler),
  };
}
