import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startStudio, type TestStudio } from "../local.js";
import { expectAccessible, hasBrowser, NO_BROWSER, startBrowser, visit } from "./browser.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const CASES = readFileSync("examples/support.test.csv", "utf8").replace("duty team", "nobody");

/** In both colours. */
async function expectAllAccessible(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator('html[data-theme="dark"]').waitFor();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "light" });
  await page.locator('html[data-theme="light"]').waitFor();
}

describe.skipIf(!hasBrowser)(
  `tests, modules and debugging in the page${NO_BROWSER}`,
  { timeout: 60_000 },
  () => {
    let studio: TestStudio;
    let browser: Browser;
    beforeAll(async () => {
      const files = {
        "workflows/support.csv": SUPPORT,
        "workflows/support.test.csv": CASES,
        "workflows/bare.csv": SUPPORT.replaceAll("Support", "Bare"),
      };
      [studio, browser] = await Promise.all([startStudio({ files, compiles: true }), startBrowser()]);
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await studio?.stop();
    });

    const open = async (sheet = "support.csv") => {
      const address = `http://127.0.0.1:${studio.port}/studio/#token=${studio.secret.token}&at=${sheet}`;
      const visited = await visit(browser, address);
      await visited.page.getByRole("gridcell", { name: "Ask", exact: true }).waitFor();
      return visited;
    };

    test("the cases of a sheet are run, and one that fails shows what was expected beside what came", async () => {
      const { page, faults, leave } = await open();
      await page.getByRole("tab", { name: "Tests" }).click();
      const panel = page.getByRole("tabpanel", { name: "Tests" });
      await panel.getByRole("button", { name: /not run a refund is approved/ }).waitFor();
      await panel.getByRole("button", { name: "Run all cases" }).click();
      await panel.getByRole("status").filter({ hasText: "8 passed, 1 failed" }).waitFor();
      await panel.getByText("11 of 11 nodes").waitFor();
      const failed = panel.getByRole("region", { name: "Case an urgent matter is escalated" });
      await failed.getByRole("row", { name: /reply/ }).getByText("nobody").waitFor();
      await failed.getByRole("row", { name: /reply/ }).getByText("Dear Ada, our duty team").waitFor();
      await expectAllAccessible(page);
      await panel.getByRole("button", { name: /a refund is declined/ }).click();
      await panel.getByRole("button", { name: "Run this case" }).click();
      await panel
        .getByRole("region", { name: "Case a refund is declined" })
        .getByText("› Decline › Close")
        .waitFor();
      expect(faults).toEqual([]);
      await leave();
    });

    test("a sheet without a test sheet says how to make one", async () => {
      const { page, leave } = await open("bare.csv");
      await page.getByRole("tab", { name: "Tests" }).click();
      await page.getByText("bare.test.csv").waitFor();
      await leave();
    });
  },
);
