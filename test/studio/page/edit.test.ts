import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startStudio, type TestStudio } from "../local.js";
import { expectAccessible, hasBrowser, NO_BROWSER, startBrowser, visit } from "./browser.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");

describe.skipIf(!hasBrowser)(`editing in a browser${NO_BROWSER}`, { timeout: 60_000 }, () => {
  let studio: TestStudio;
  let browser: Browser;
  beforeAll(async () => {
    [studio, browser] = await Promise.all([startStudio(), startBrowser()]);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await studio?.stop();
  });

  const onDisk = (name: string): string => readFileSync(join(studio.folder, "workflows", name), "utf8");

  /** Opens a sheet with a text of its own. */
  async function open(name: string, text: string) {
    studio.write(`workflows/${name}`, text);
    const token = `http://127.0.0.1:${studio.port}/studio/#token=${studio.secret.token}`;
    const visited = await visit(browser, `${token}&at=${encodeURIComponent(name)}`);
    await visited.page.getByRole("grid", { name: `Sheet ${name}` }).waitFor();
    await visited.page.getByRole("img", { name: /: \d+ nodes?, from/ }).waitFor();
    return visited;
  }

  const cell = (page: Page, node: string, column: string) =>
    page
      .getByRole("row")
      .filter({ has: page.locator(".pinned", { hasText: new RegExp(`^${node}$`) }) })
      .locator(`[aria-colindex="${COLUMNS.indexOf(column) + 2}"]`);
  const COLUMNS = ["Node", "Next", "Agent", "On success", "On failure", "Inputs"];
  const saved = async (page: Page, name: string, text: string): Promise<void> => {
    await expect.poll(() => onDisk(name), { timeout: 20_000 }).toBe(text);
    await page
      .getByRole("status")
      .filter({ hasText: /^✓ Saved$/ })
      .waitFor();
  };

  test("a target that is misspelt is judged as it is typed, and mended", async () => {
    const { page, faults, leave } = await open("target.csv", SUPPORT);
    await cell(page, "Decline", "Next").click();
    await page.keyboard.type("Clsoe");
    const field = page.getByRole("textbox", { name: "Next of Decline" });
    expect(await field.inputValue()).toBe("Clsoe");
    await page.getByText('did you mean "Close"').first().waitFor();
    // Nothing else is judged while the editor is open.
    expect(await page.getByRole("status").filter({ hasText: "0 errors" }).count()).toBe(1);
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await saved(page, "target.csv", SUPPORT.replace("Decline,Close", "Decline,Clsoe"));
    await page.getByText("1 error, 0 warnings").waitFor();
    await page.keyboard.press("F8");
    await page.keyboard.press("Control+.");
    await saved(page, "target.csv", SUPPORT);
    await page.keyboard.press("Control+z");
    await saved(page, "target.csv", SUPPORT.replace("Decline,Close", "Decline,Clsoe"));
    expect(faults).toEqual([]);
    await leave();
  });
});
