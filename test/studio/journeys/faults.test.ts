import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { cellOf, expectSaved, openText } from "../page/rows.js";
import { describeStudio } from "../page/stage.js";

const FIRST = "graph,node,next,agent\nH,First,Second,echo\nH,Second,,echo\n";
const NEXT = FIRST.replace("First,Second,", "First,END,");

const mount = (...args: readonly string[]): boolean => spawnSync("mount", args).status === 0;

/** Disks are made by mounting, which containers and people other than root may not. */
function findMayMount(): boolean {
  if (process.platform !== "linux") return false;
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-mount-"));
  const is = mount("-t", "tmpfs", "tmpfs", folder);
  if (is) spawnSync("umount", [folder]);
  rmdirSync(folder);
  return is;
}
const mayMount = findMayMount();
const note = mayMount ? "" : " (skipped: only root of a Linux machine may mount)";

describeStudio(`a disk that does not take a sheet${note}`, {}, (stage) => {
  /** A folder of sheets on a disk of its own. */
  function mountFolder(): string {
    const folder = join(stage.studio.folder, "workflows");
    mkdirSync(folder, { recursive: true });
    expect(mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", folder)).toBe(true);
    onTestFinished(() => void spawnSync("umount", ["--lazy", folder]));
    return folder;
  }
  const change = async (page: Page): Promise<void> => {
    await cellOf(page, "First", "Next").click();
    await page.keyboard.type("END");
    await page.keyboard.press("Enter");
  };
  const allows = { allows: /503|507|409/ };

  test.skipIf(!mayMount)(
    "a disk that is full: it says so, and the edit is written when there is room",
    async () => {
      const folder = mountFolder();
      const page = await openText(stage, "full.csv", FIRST, allows);
      const filler = join(folder, "filler");
      expect(() => writeFileSync(filler, Buffer.alloc(1024 * 1024))).toThrow("ENOSPC");
      await change(page);
      await page.getByText("Not saved: there is no space left on the disk · trying again").waitFor();
      await cellOf(page, "First", "Next").filter({ hasText: /^END$/ }).waitFor();
      rmSync(filler);
      await expectSaved(stage, page, "full.csv", NEXT);
    },
  );

  test.skipIf(!mayMount)(
    "a disk that can only be read: it says so, and the edit is written when it may be",
    async () => {
      const folder = mountFolder();
      stage.studio.write("workflows/fixed.csv", FIRST);
      // By way of the list, so that the page has heard already that it may write the sheet.
      const page = await stage.open("", allows);
      await page.getByRole("link", { name: /^fixed\.csv/ }).click();
      await page.getByRole("img", { name: /^H: 2 nodes/ }).waitFor();
      expect(mount("-o", "remount,ro", folder)).toBe(true);
      await change(page);
      await page.getByText("Not saved: the disk can only be read").waitFor();
      expect(mount("-o", "remount,rw", folder)).toBe(true);
      await expectSaved(stage, page, "fixed.csv", NEXT);
    },
  );

  test.skipIf(!mayMount)(
    "a file that is busy: it says so, and the edit is written when it is let go",
    async () => {
      const folder = mountFolder();
      const page = await openText(stage, "busy.csv", FIRST, allows);
      const file = join(folder, "busy.csv");
      // What is mounted over cannot be replaced.
      expect(mount("--bind", file, file)).toBe(true);
      await change(page);
      await page.getByText("Not saved: another program holds the file · trying again").waitFor();
      expect(spawnSync("umount", [file]).status).toBe(0);
      await expectSaved(stage, page, "busy.csv", NEXT);
    },
  );
});
