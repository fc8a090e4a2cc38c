import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeStudio } from "./stage.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const CASES = readFileSync("examples/support.test.csv", "utf8");

describeStudio(
  "a node gets another name in a browser",
  {
    files: { "workflows/support.csv": SUPPORT, "workflows/support.test.csv": CASES },
    compiles: true,
  },
  (stage) => {
    const onDisk = (name: string): string =>
      readFileSync(join(stage.studio.folder, "workflows", name), "utf8");
    test("in its sheet and in the test sheet, as one step", async () => {
      const page = await stage.open("support.csv");
      await page.getByRole("gridcell", { name: "Escalate", exact: true }).last().dblclick();
      await page
        .getByText("and the other cell that names it")
        .or(page.getByText(/cells that name it/))
        .waitFor();
      await page.locator(".editor textarea").fill("HandOver");
      await page.keyboard.press("Enter");
      await expect.poll(() => onDisk("support.csv")).toContain("Support,HandOver,");
      await expect.poll(() => onDisk("support.test.csv")).toBe(CASES.replaceAll("Escalate", "HandOver"));
      await page.keyboard.press("Control+z");
      await expect.poll(() => onDisk("support.csv")).toBe(SUPPORT);
      await expect.poll(() => onDisk("support.test.csv")).toBe(CASES);
      await page.keyboard.press("Control+Shift+z");
      await expect.poll(() => onDisk("support.test.csv")).toBe(CASES.replaceAll("Escalate", "HandOver"));
      await page.getByRole("tab", { name: "Tests" }).click();
      await page.getByRole("button", { name: "Run all cases" }).click();
      await page.getByRole("status").filter({ hasText: "9 passed, 0 failed" }).waitFor();
    });
  },
);
