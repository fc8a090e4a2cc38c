import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { StudioStage, VisitOptions } from "./stage.js";

const COLUMNS = ["Node", "Next", "Agent", "On success", "On failure", "Inputs"];

/** A cell of examples/support.csv, by its row's node. */
export const cellOf = (page: Page, node: string, column: string): Locator =>
  page
    .getByRole("row")
    .filter({ has: page.locator(".pinned", { hasText: new RegExp(`^${node}$`) }) })
    .locator(`[aria-colindex="${COLUMNS.indexOf(column) + 2}"]`);

/** Opens a sheet with a text of its own, and waits for its rows and its picture. */
export async function openText(
  stage: StudioStage,
  name: string,
  text: string,
  options: VisitOptions = {},
): Promise<Page> {
  stage.studio.write(`workflows/${name}`, text);
  const page = await stage.open(name, options);
  await page.getByRole("grid", { name: `Sheet ${name}` }).waitFor();
  await page.getByRole("img", { name: /: \d+ nodes?, from/ }).waitFor();
  return page;
}

export const onDisk = ({ studio }: StudioStage, name: string): string =>
  readFileSync(join(studio.folder, "workflows", name), "utf8");

/** The file holds the text, and the page says so. */
export async function expectSaved(stage: StudioStage, page: Page, name: string, text: string): Promise<void> {
  await expect.poll(() => onDisk(stage, name)).toBe(text);
  await page
    .getByRole("status")
    .filter({ hasText: /^✓ Saved$/ })
    .waitFor();
}

/** Presses a key until the focus is where it is wanted. */
export async function pressTo(page: Page, key: string, wanted: Locator): Promise<void> {
  await wanted.first().waitFor();
  for (let i = 0; i < 80; i++) {
    const is = await wanted.evaluateAll((all) => all.some((one) => one === one.ownerDocument.activeElement));
    if (is) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead there`);
}
