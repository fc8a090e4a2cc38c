import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./browser.js";
import { describeStudio } from "./stage.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const PLAIN = "graph,node,next,agent\nPlain,Only,,echo\nOther,First,Second,echo\nOther,Second,,echo\n";

describeStudio(
  "the frame of the page",
  { files: { "workflows/support.csv": SUPPORT, "workflows/team/plain.csv": PLAIN } },
  (stage) => {
    const chosenCell = (page: Page, text: string) =>
      page.locator('[role="gridcell"]:focus', { hasText: new RegExp(`^${text}$`) });

    test("what has a name is found by it: nodes, graphs, sheets, commands", async () => {
      const page = await stage.open("support.csv");
      await page.getByRole("gridcell", { name: "Ask", exact: true }).waitFor();
      const find = async (text: string): Promise<void> => {
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox", { name: /^Find/ }).fill(text);
      };
      await find("decl");
      await page.getByRole("option", { name: /^node Decline/ }).waitFor();
      await page.keyboard.press("Enter");
      await chosenCell(page, "Decline").waitFor();
      expect(page.url()).toMatch(/node=Decline$/);
      await find("other");
      await expectAccessible(page);
      await page.getByRole("option", { name: /^graph Other/ }).click();
      await page.getByRole("grid", { name: "Sheet team/plain.csv" }).waitFor();
      await find("plain");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowDown");
      const found = page.getByRole("listbox", { name: "Found" });
      await found.getByRole("option", { selected: true }).getByText("graph").waitFor();
      await find("dark colours");
      await page.keyboard.press("Enter");
      await page.locator('html[data-theme="dark"]').waitFor();
      await find("zzzz");
      await page.getByText("Nothing has this name.").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.goBack();
      await page.getByRole("grid", { name: "Sheet support.csv" }).waitFor();
    });

    test("the table of keys is shown by a key, and leaves by Esc", async () => {
      const page = await stage.open("support.csv");
      await page.getByRole("grid").waitFor();
      await page.getByRole("tab", { name: "Run" }).focus();
      await page.keyboard.press("?");
      await page.getByRole("region", { name: "In the picture" }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    });

    test("F6 goes round the parts, each of which is one Tab stop", async () => {
      const page = await stage.open("support.csv");
      await page.getByRole("gridcell", { name: "Ask", exact: true }).click();
      // The picture is a part from when it is drawn.
      await page.getByRole("group", { name: /^Picture/ }).waitFor();
      const names: string[] = [];
      for (let i = 0; i < 9; i++) {
        const name = await page.evaluate<string>(
          "(e => e.getAttribute('aria-label') ?? e.textContent.trim())(document.activeElement)",
        );
        names.push(name);
        await page.keyboard.press("F6");
      }
      expect(names).toEqual([
        ...["Ask", "Width of the rows", "Picture: arrows follow the edges", "Height of the drawer", "Run"],
        ...["", "Find", "Sheets", "Ask"],
      ]);
      await page.keyboard.press("Shift+F6");
      await page.keyboard.press("Shift+F6");
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Sheets");
    });

    test("panes are as wide and as high as was chosen, also the next time", async () => {
      const page = await stage.open("support.csv");
      const width = page.getByRole("separator", { name: "Width of the rows" });
      await width.focus();
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowLeft");
      expect(await width.getAttribute("aria-valuenow")).toBe("60");
      const box = await width.boundingBox();
      await page.mouse.move((box?.x ?? 0) + 4, 300);
      await page.mouse.down();
      await page.mouse.move(672, 300, { steps: 4 });
      await page.mouse.up();
      await expect.poll(() => width.getAttribute("aria-valuenow")).toBe("50");
      const height = page.getByRole("separator", { name: "Height of the drawer" });
      await height.focus();
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Control+b");
      await page.getByRole("link", { name: "Sheets" }).waitFor({ state: "detached" });
      await page.reload();
      await expect.poll(() => width.getAttribute("aria-valuenow")).toBe("50");
      await expect.poll(() => height.getAttribute("aria-valuenow")).toBe("288");
      expect(await page.getByRole("link", { name: "Sheets" }).count()).toBe(0);
      await page.keyboard.press("Control+j");
      await page.getByRole("tab", { name: "Run" }).waitFor({ state: "detached" });
    });

    test("Run shows what a graph needs, then runs it; one that needs nothing runs at once", async () => {
      const page = await stage.open("support.csv");
      const run = page.getByRole("button", { name: "Run", exact: true });
      await page.getByRole("tab", { name: "Problems" }).click();
      await run.click();
      await page.locator("textarea[name=customer]:focus").fill("Ada");
      await page.getByLabel("question").fill("I want a refund");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: /^Find/ }).fill("support");
      await page.getByRole("option", { name: /^run Support\s*Waits/ }).click();
      await expect.poll(() => page.url()).toMatch(/#\/runs\/[0-9a-f]{32}/);
      await page.getByRole("link", { name: "Sheets" }).click();
      await page.getByRole("link", { name: "Sheets" }).click();
      await page.getByRole("link", { name: /plain\.csv/ }).click();
      await page.getByRole("gridcell", { name: "Only", exact: true }).waitFor();
      await run.click();
      await page
        .getByRole("status")
        .filter({ hasText: /^Completed$/ })
        .waitFor();
    });

    test("a key or token is kept for the tab only when that is ticked", async () => {
      const page = await stage.visit(`http://127.0.0.1:${stage.studio.port}/studio/`);
      const enter = async (): Promise<void> => {
        await page.getByLabel(/API key or token/).fill(stage.studio.secret.token);
        await page.getByRole("button", { name: "Open" }).click();
        await page.getByRole("heading", { name: "Sheets" }).waitFor();
      };
      await enter();
      await page.reload();
      await page.getByLabel("Keep for this tab").check();
      await enter();
      await page.reload();
      await page.getByRole("heading", { name: "Sheets" }).waitFor();
    });

    test("what is known of the world, and has not changed, is not sent again", async () => {
      const page = await stage.open("support.csv");
      await page.getByRole("grid", { name: "Sheet support.csv" }).waitFor();
      const answer = page.waitForResponse((response) => response.url().endsWith("api/world"));
      await page.goto(stage.addressOf("").replace(/#.*/, "#/sheets/team/plain.csv"));
      expect((await answer).status()).toBe(304);
    });
  },
  "short",
);
