import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { acquireLock } from "../../../compiler/files/lock.js";
import { inCi } from "../../how-many.js";
import { startStudio, type TestStudio } from "../local.js";
import { hasBrowser, NO_BROWSER, startBrowser, visit } from "./browser.js";

describe.skipIf(!hasBrowser || !inCi)(`a file that is held${NO_BROWSER}`, () => {
  let studio: TestStudio;
  let browser: Browser;
  beforeAll(async () => {
    const files = { "workflows/held.csv": "graph,node,next,agent\nH,First,,echo\n" };
    [studio, browser] = await Promise.all([startStudio({ files }), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.stop();
  });

  const onDisk = (name: string): string => readFileSync(join(studio.folder, "workflows", name), "utf8");
  const address = (name: string): string =>
    `http://127.0.0.1:${studio.port}/studio/#token=${studio.secret.token}&at=${name}`;
  const patience = { timeout: 240_000 };

  test("while another program holds the file, the page says so, and writes when it can", async () => {
    const { page, leave } = await visit(browser, address("held.csv"));
    page.setDefaultTimeout(patience.timeout);
    await page.getByRole("img", { name: "H: 1 node, from First" }).waitFor();
    const lock = await acquireLock(join(studio.folder, "workflows", ".held.csv.lock"), { patienceMs: 1_000 });
    await page.getByRole("gridcell", { name: "First", exact: true }).click();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type("success");
    await page.keyboard.press("Enter");
    await page.getByText("Not saved: another program holds the file · trying again").waitFor();
    await lock.release();
    await page.getByText("✓ Saved").waitFor();
    expect(onDisk("held.csv")).toBe("graph,node,next,agent\nH,First,,success\n");
    await leave();
  });
});
