import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectSaved, onDisk, openText } from "../page/rows.js";
import { describeStudio } from "../page/stage.js";

const ROWS = 20;

/** In each row a setting that is no JSON, which is safe to mend, and a field that may be meant otherwise. */
const sheet = (context: string, field: string): string => {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const next = i < ROWS - 1 ? `N${i + 1}` : "";
    return `M,N${i},${next},echo,customer,answer${i},"Dear {${field}}, this is ${i}","${context}"\n`;
  });
  return `graph,node,next,agent,inputs,output,prompt,context\n${rows.join("")}`;
};

/** What the page counts. */
async function problems(page: Page): Promise<number> {
  const told = (await page.locator(".drawer-head output").textContent()) ?? "";
  const [, errors = "-1", warnings = "0"] = /(\d+) errors?, (\d+) warn/.exec(told) ?? [];
  return Number(errors) + Number(warnings);
}

describeStudio("a sheet that somebody mailed", {}, (stage) => {
  test("its 40 problems: the safe ones at once, the rest one by one with F8, down to 0", async () => {
    const page = await openText(stage, "many.csv", sheet("{'timeout_ms': 5000}", "custmer"));
    await expect.poll(() => problems(page)).toBe(2 * ROWS);
    await page.getByRole("button", { name: `Fix all safe (${ROWS})` }).click();
    await expect.poll(() => problems(page)).toBe(ROWS);
    expect(await page.getByRole("button", { name: /^Fix all safe/ }).count()).toBe(0);
    const json = '{""timeout_ms"": 5000}';
    await expectSaved(stage, page, "many.csv", sheet(json, "custmer"));
    await page.getByRole("gridcell", { name: "N0", exact: true }).click();
    for (let left = ROWS; left > 0; left--) {
      await page.keyboard.press("F8");
      await page.locator('[role=gridcell][aria-invalid="true"]:focus').waitFor();
      await page.keyboard.press("Control+.");
      await expect.poll(() => problems(page)).toBe(left - 1);
    }
    await expectSaved(stage, page, "many.csv", sheet(json, "customer"));
    for (let step = 0; step <= ROWS; step++) await page.keyboard.press("Control+z");
    await expect.poll(() => onDisk(stage, "many.csv")).toBe(sheet("{'timeout_ms': 5000}", "custmer"));
  });
});
