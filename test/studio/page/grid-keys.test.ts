import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectSaved, openText } from "./rows.js";
import { describeStudio } from "./stage.js";

const STEPS = 80;
const step = (number: number): string => `S${String(number).padStart(2, "0")}`;
const rows = Array.from(
  { length: STEPS },
  (_, i) => `G,${step(i + 1)},${i + 1 === STEPS ? "" : step(i + 2)},llm,Say ${i + 1}`,
);
const SHEET = `${["graph_name,node_name,next_node,agent_type,prompt", ...rows].join("\n")}\n`;

/** The cell that has the focus: the number of its row in the file, and the head of its column. */
const where = async (page: Page): Promise<string> => {
  const cell = page.locator('[role="gridcell"]:focus');
  const column = await cell.getAttribute("aria-colindex");
  const head = await page.locator(`[role="columnheader"][aria-colindex="${column}"]`).innerText();
  const row = await page.getByRole("row").filter({ has: cell }).getAttribute("aria-rowindex");
  // Below the heading stands the word of the file.
  return `${row} ${head.split("\n")[0]}`;
};

/** What keys lead to, each from where the one before has led. */
async function expectMoves(
  page: Page,
  moves: readonly (readonly [key: string, to: string])[],
): Promise<void> {
  for (const [key, to] of moves) {
    await page.keyboard.press(key);
    await expect.poll(() => where(page), { message: key, timeout: 60_000 }).toBe(to);
  }
}

describeStudio("keys of the grid", {}, (stage) => {
  test("move to the cells beside, and to the edges", async () => {
    const page = await openText(stage, "moves.csv", SHEET);
    await page.getByRole("gridcell", { name: "S01" }).first().click();
    await expectMoves(page, [
      ["ArrowDown", "3 Node"],
      ["ArrowRight", "3 Next"],
      ["ArrowLeft", "3 Node"],
      ["ArrowUp", "2 Node"],
      ["ArrowUp", "2 Node"],
      ["End", "2 Prompt"],
      ["Home", "2 Node"],
      ["Control+End", "81 Prompt"],
      ["Control+Home", "2 Node"],
      ["Control+ArrowDown", "81 Node"],
      ["Control+ArrowRight", "81 Prompt"],
      ["Control+ArrowUp", "2 Prompt"],
      ["Control+ArrowLeft", "2 Node"],
    ]);
    await page.keyboard.press("PageDown");
    await expect.poll(async () => Number.parseInt(await where(page), 10)).toBeGreaterThan(6);
    await page.keyboard.press("PageUp");
    await expect.poll(() => where(page)).toBe("2 Node");
  });

  test("go to a target and back, and from problem to problem", async () => {
    const text = SHEET.replace("S05,S06", "S05,S6").replace("S60,S61", "S60,S6l");
    const page = await openText(stage, "targets.csv", text);
    await page.getByRole("gridcell", { name: "S01" }).first().click();
    await expectMoves(page, [
      ["ArrowRight", "2 Next"],
      ["F4", "3 Node"],
    ]);
    await page.goBack();
    await expect.poll(() => where(page)).toMatch(/^2 /);
    await expectMoves(page, [
      ["F8", "6 Next"],
      ["F8", "61 Node"],
      ["F8", "61 Next"],
      ["Shift+F8", "61 Node"],
      ["Shift+F8", "6 Next"],
    ]);
  });

  test("insert a row, take it back, do it again, and save now", async () => {
    const page = await openText(stage, "steps.csv", SHEET);
    await page.getByRole("gridcell", { name: "S01" }).first().click();
    await page.keyboard.press("Control+Shift+Equal");
    const name = page.getByRole("textbox", { name: "Node of Step" });
    await name.fill("S01b");
    await page.keyboard.press("Enter");
    const inserted = SHEET.replace("\nG,S02,", "\nG,S01b,,,\nG,S02,");
    await page.keyboard.press("Control+s");
    await expectSaved(stage, page, "steps.csv", inserted);
    const named = page.locator(".cell.pinned", { hasText: /^S01b$/ });
    await named.waitFor();
    await page.keyboard.press("Control+z");
    await named.waitFor({ state: "detached" });
    await page.keyboard.press("Control+y");
    await named.waitFor();
    await expectSaved(stage, page, "steps.csv", inserted);
  });

  test("cut, paste, keep and go on", async () => {
    const page = await openText(stage, "written.csv", SHEET);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("gridcell", { name: "S01" }).first().click();
    await expectMoves(page, [["End", "2 Prompt"]]);
    await page.keyboard.press("Control+x");
    await expectSaved(stage, page, "written.csv", SHEET.replace("Say 1\n", "\n"));
    await expectMoves(page, [["ArrowDown", "3 Prompt"]]);
    await page.keyboard.press("Control+v");
    await expectSaved(
      stage,
      page,
      "written.csv",
      SHEET.replace("Say 1\n", "\n").replace("Say 2\n", "Say 1\n"),
    );
    await page.keyboard.press("F2");
    await page.keyboard.type("!");
    await expectMoves(page, [["Shift+Enter", "2 Prompt"]]);
    await page.keyboard.type("Go");
    await expectMoves(page, [["Shift+Tab", "2 Agent"]]);
    const written = SHEET.replace("Say 1\n", "Go\n").replace("Say 2\n", "Say 1!\n");
    await expectSaved(stage, page, "written.csv", written);
  });
});
