import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./browser.js";
import { describeStudio } from "./stage.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const SHEET = "#/sheets/support.csv";
const SCREENS = ["#/sheets", SHEET, "#/runs", "#/inbox"];

/** Says what lies beyond the right side, but in what is scrolled by itself. It runs in the page. */
const WIDE = `(() => {
  const isWide = (element) => {
    const { right, width } = element.getBoundingClientRect();
    return width > 0 && right > innerWidth + 1 && element.closest(".grid, .drawn, .unseen") === null;
  };
  const wide = [...document.body.querySelectorAll("*")].filter(isWide);
  return [document.documentElement.scrollWidth - innerWidth, ...wide.map(({ className }) => String(className))];
})()`;

const FORCED = `(() => {
  const of = (selector, name) => getComputedStyle(document.querySelector(selector)).getPropertyValue(name);
  const probe = document.createElement("p");
  probe.style.color = "CanvasText";
  document.body.append(probe);
  return [of(".node .name", "fill") === getComputedStyle(probe).color, of(".drawn", "transition-duration")];
})()`;

describeStudio("windows and eyes of all kinds", { files: { "workflows/support.csv": SUPPORT } }, (stage) => {
  const go = async (page: Page, place: string): Promise<void> => {
    await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
    await page.locator("main").waitFor();
    if (place === SHEET) await page.getByRole("img", { name: /^Support/ }).waitFor();
  };

  test.each([
    // That of WCAG 1.4.10: 1280 pixels at 400 %.
    ["320 × 256", 320, 256],
    ["320 × 720", 320, 720],
    ["a telephone, 390 × 844", 390, 844],
    ["200 % text in 1280 × 900", 640, 450],
  ])("%s: nothing is scrolled sideways, and each part has room", async (_, width, height) => {
    const page = await stage.open("support.csv", { viewport: { width, height } });
    await page.getByRole("img", { name: /^Support/ }).waitFor();
    for (const screen of SCREENS) {
      await go(page, screen);
      await expect.poll(() => page.evaluate(WIDE)).toEqual([0]);
    }
    await go(page, SHEET);
    const rows = width > 480 ? page.getByRole("grid") : page.locator(".row-list");
    for (const part of [rows, page.getByRole("group", { name: /^Picture/ })])
      expect((await part.boundingBox())?.height ?? 0).toBeGreaterThan(100);
    await page.getByLabel("customer").scrollIntoViewIfNeeded();
    await page.getByLabel("customer").fill("Ada");
    await expectAccessible(page);
  });

  test("on a telephone rows are a list, and each opens as a form", async () => {
    const viewport = { width: 390, height: 844 };
    const page = await stage.open("support.csv", { viewport, hasTouch: true });
    const line = page.getByRole("button", { name: /^DraftRefund ?echo/ });
    await line.tap();
    const panel = page.getByRole("region", { name: "Row", exact: true });
    await panel.getByRole("heading", { name: "DraftRefund" }).waitFor();
    await expect.poll(() => page.evaluate(WIDE)).toEqual([0]);
    await expectAccessible(page);
    expect(await page.getByRole("tablist").count()).toBe(0);
    await panel.getByRole("button", { name: "Close", exact: true }).last().click();
    await expect.poll(() => line.getAttribute("aria-current")).toBe("true");
    expect(await page.getByRole("grid").count()).toBe(0);
    await expectAccessible(page);
  });

  test("on a telephone a step is added and removed, and a run shows its form", async () => {
    const viewport = { width: 390, height: 844 };
    const page = await stage.open("support.csv", { viewport, hasTouch: true });
    await page.getByRole("button", { name: "New step" }).tap();
    const panel = page.getByRole("region", { name: "Row", exact: true });
    await panel.getByRole("heading", { name: "Step" }).waitFor();
    await panel.getByRole("button", { name: "Remove this row" }).tap();
    await panel.waitFor({ state: "detached" });
    expect(
      await page
        .getByRole("button", { name: /^Step/ })
        .filter({ hasNotText: /^Step$/ })
        .count(),
    ).toBe(0);
    await page.getByRole("button", { name: /^DraftRefund ?echo/ }).tap();
    await page.getByRole("button", { name: "Run", exact: true }).tap();
    await page.getByLabel("customer").waitFor();
  });

  test("colours that the system forces, and no motion", async () => {
    const page = await stage.open("support.csv", {
      forcedColors: "active",
      reducedMotion: "reduce",
      colorScheme: "dark",
    });
    await page.getByRole("img", { name: /^Support/ }).waitFor();
    await expectAccessible(page);
    expect(await page.evaluate(FORCED)).toEqual([true, "0s"]);
  });
});
