import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { cellOf, openText } from "./rows.js";
import { describeStudio } from "./stage.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const TWO = "graph_name,node_name,next_node,agent_type,prompt\nOne,A,,echo,a\nOther,B,,echo,b\n";

/** Keeps the texts of all cells that flash, however short they do. */
const NOTE_FLASHES = `(() => {
  globalThis.flashed = [];
  new MutationObserver((all) => {
    for (const { target } of all)
      if (target.classList.contains("flash")) globalThis.flashed.push(target.textContent);
  }).observe(document.body, { subtree: true, attributeFilter: ["class"] });
})()`;

const widthsOf = (page: Page, role: string): Promise<readonly (readonly number[])[]> =>
  page
    .getByRole("row")
    .evaluateAll(
      (rows, wanted) =>
        rows.map((row) =>
          [...row.querySelectorAll(`[role="${wanted}"]:not(:has(button))`)].map((cell) =>
            Math.round(cell.getBoundingClientRect().width),
          ),
        ),
      role,
    );

describeStudio("rows are drawn anew when what they show has changed", {}, (stage) => {
  test("a cell that somebody else has changed flashes, and no longer", async () => {
    const page = await openText(stage, "flash.csv", SUPPORT);
    await page.evaluate(NOTE_FLASHES);
    stage.studio.write("workflows/flash.csv", SUPPORT.replace("Escalate,Close", "Escalate,END"));
    await cellOf(page, "Escalate", "Next").filter({ hasText: /^END$/ }).waitFor();
    await expect.poll(() => page.evaluate("globalThis.flashed")).toEqual(["END"]);
    await page.locator(".flash").waitFor({ state: "detached" });
  });

  test("cells are as wide as their headings after the window and the columns have changed", async () => {
    const page = await openText(stage, "wide.csv", SUPPORT);
    const expectSame = async (width: number): Promise<void> => {
      await page.setViewportSize({ width, height: 700 });
      const folds = page.getByRole("button", { name: /columns$/ });
      for (let i = 0; i < 2; i++) {
        await folds.click();
        await expect
          .poll(async () => {
            const [head = []] = await widthsOf(page, "columnheader");
            const [, ...rows] = await widthsOf(page, "gridcell");
            // A comment is one text across all columns.
            const wrong = rows.filter(
              (row) => row.length > 1 && String(row) !== String(head.slice(-row.length)),
            );
            return [head.length > 4, rows.length > 4, wrong];
          })
          .toEqual([true, true, []]);
      }
    };
    await expectSame(1280);
    await expectSame(1900);
  });

  test("rows of the other graph are dimmed, chosen ones are marked, and neither stays so", async () => {
    const page = await openText(stage, "two-graphs.csv", TWO);
    const kinds = (): Promise<readonly string[]> =>
      page.locator(".row").evaluateAll((rows) =>
        rows.map((row) => {
          const isIn = row.querySelector(".in-range") === null ? "" : " in-range";
          return `${row.classList.contains("dimmed") ? "dimmed" : "normal"}${isIn}`;
        }),
      );
    await page.getByRole("gridcell", { name: "A", exact: true }).click();
    await expect.poll(kinds).toEqual(["normal", "dimmed", "normal"]);
    await page.keyboard.press("Shift+ArrowDown");
    await expect.poll(kinds).toEqual(["dimmed in-range", "normal in-range", "normal"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await expect.poll(kinds).toEqual(["dimmed", "normal", "normal"]);
  });

  test("a name that is changed in one row is a problem in another, until it is taken back", async () => {
    const page = await openText(stage, "problem.csv", SUPPORT);
    const wrong = page.getByRole("gridcell", { name: /error: / });
    await cellOf(page, "Decline", "Next").click();
    await page.keyboard.type("Nowhere");
    await page.keyboard.press("Enter");
    await expect.poll(() => wrong.count()).toBe(1);
    await page.keyboard.press("Control+z");
    await expect.poll(() => wrong.count()).toBe(0);
  });
});
