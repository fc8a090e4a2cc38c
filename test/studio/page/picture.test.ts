import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./browser.js";
import { describeStudio } from "./stage.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const MARKED = `graph,node,next,agent
Marked,One,Tow,echo
Marked,Two,,echo
Marked,Alone,Alone,echo
`;
const LONG = ["graph,node,next,agent", ...Array.from({ length: 900 }, (_, i) => `Long,N${i},N${i + 1},echo`)];

describeStudio(
  "the picture of a graph",
  {
    files: {
      "workflows/support.csv": SUPPORT,
      "workflows/wide.csv": SUPPORT.replaceAll("Escalate", "\ufdfd\ufdfd"),
      "workflows/marked.csv": MARKED,
      "workflows/empty.csv": "graph,node,next,agent\n",
      "workflows/long.csv": `${LONG.join("\n")}\nLong,N900,,echo\n`,
    },
  },
  (stage) => {
    const pictureOf = (page: Page) => page.getByRole("group", { name: /^Picture/ });

    test("a name whose width is not known is cut at its box also where boxes are small", async () => {
      const page = await stage.open("wide.csv");
      await pictureOf(page).locator('[data-detail="middle"]').waitFor();
      await pictureOf(page).locator(".node svg", { hasText: "\ufdfd" }).waitFor();
    });

    test("row and node are chosen together, and the picture is walked by keys", async () => {
      const page = await stage.open("support.csv");
      const picture = page.getByRole("group", { name: /^Picture/ });
      await picture.getByRole("img", { name: "Support: 11 nodes, from Ask" }).waitFor();
      const isWhole = (): Promise<boolean> =>
        picture.locator("[data-node]").evaluateAll((nodes) => {
          const frame = nodes[0]?.closest("svg")?.parentElement?.getBoundingClientRect();
          const inside = (node: (typeof nodes)[number]): boolean => {
            const { left, right, top, bottom } = node.getBoundingClientRect();
            if (frame === undefined) return false;
            return left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
          };
          return nodes.length === 11 && nodes.every(inside);
        });
      await expect.poll(isWhole).toBe(true);
      // All of it fits, and its names can be read all the same.
      const height = (await picture.getByText("Escalate").boundingBox())?.height ?? 0;
      expect(height).toBeGreaterThan(11);
      await picture.getByText("Escalate").click();
      const chosen = page.locator('[role="gridcell"][aria-selected="true"]');
      await chosen.filter({ hasText: /^Escalate$/ }).waitFor();
      await page.getByRole("gridcell", { name: "Ask", exact: true }).click();
      await picture.locator(".halo").waitFor();
      await picture.focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.getByText("DraftRefund, echo, from IsRefund on success").waitFor();
      await page.keyboard.press("ArrowRight");
      await chosen.filter({ hasText: /^IsUrgent$/ }).waitFor();
      await page.keyboard.press("+");
      await page.keyboard.press("Enter");
      await page
        .locator("[role=gridcell]:focus")
        .filter({ hasText: /^IsUrgent$/ })
        .waitFor();
    });

    test("900 nodes are one canvas from afar, and what is in view of them when near", async () => {
      const page = await stage.open("long.csv");
      const picture = pictureOf(page);
      await picture.getByRole("img", { name: "Long: 901 nodes, from N0" }).waitFor();
      await picture.locator("canvas[aria-hidden=true]").waitFor();
      expect(await picture.locator("[data-node]").count()).toBe(0);
      await expectAccessible(page);
      const box = await picture.boundingBox();
      if (box === null) throw new Error("the picture is not shown");
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      for (let i = 0; i < 12; i++) await page.mouse.wheel(0, -200);
      await expect.poll(() => picture.locator("[data-node]").count()).toBeGreaterThan(0);
      expect(await picture.locator("[data-node]").count()).toBeLessThan(60);
      const first = (): Promise<string | null> => picture.locator("[data-node] .name").first().textContent();
      const before = await first();
      const cell = page.locator('[role="gridcell"][aria-selected="true"]');
      const chosen = await cell.textContent();
      for (let i = 0; i < 4; i++) {
        await page.mouse.move(x, y + 200);
        await page.mouse.down();
        await page.mouse.move(x, y - 200, { steps: 4 });
        await page.mouse.up();
      }
      await expect.poll(first).not.toBe(before);
      // Who drags chooses nothing.
      expect(await cell.textContent()).toBe(chosen);
      await picture.focus();
      await page.keyboard.press("0");
      await picture.locator("canvas").waitFor();
      await page.mouse.click(box.x + 30, box.y + 30);
      await expect.poll(() => cell.textContent()).toMatch(/^N\d+$/);
    });

    test("the way of a run is marked in the picture and in the rows", async () => {
      const page = await stage.open("support.csv");
      const picture = pictureOf(page);
      await picture.getByText("ApproveRefund").waitFor();
      expect(await picture.locator(".way.taken").count()).toBe(0);
      await page.getByLabel("customer").fill("Ada");
      await page.getByLabel("question").fill("I want a refund");
      await page.getByRole("button", { name: "Start", exact: true }).click();
      await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
      await expect.poll(() => picture.locator(".way.taken").count()).toBe(4);
      await expect.poll(() => picture.locator('[data-mark="done"]').count()).toBe(3);
      await picture.locator('[data-mark="waits"]').getByText("ApproveRefund").waitFor();
      await page.getByRole("rowheader", { name: /^7 ?, waits$/ }).waitFor();
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await expect.poll(() => picture.locator('[data-mark="done"]').count()).toBe(6);
      // From the start over six nodes to the end.
      await expect.poll(() => picture.locator(".way.taken").count()).toBe(7);
      await expectAccessible(page);
    });

    test("what is wrong is marked, what is never reached is faint, and without a node there is a first step", async () => {
      const page = await stage.open("marked.csv");
      const picture = pictureOf(page);
      await picture.locator(".wrong .name").getByText("One").waitFor();
      expect(await picture.locator(".dead .name").allTextContents()).toContain("Alone");
      await page.goto(stage.addressOf("empty.csv"));
      await page.reload();
      await page.getByText("first step").waitFor();
      await expectAccessible(page);
    });

    test("a step is put behind the chosen node by its sign or by a key, and taken away by Esc", async () => {
      const page = await stage.open("support.csv");
      const picture = pictureOf(page);
      await picture.getByRole("img", { name: /^Support/ }).waitFor();
      await picture.locator(".add").click({ force: true });
      const editor = page.getByRole("textbox", { name: /^Node of/ });
      await editor.waitFor();
      await page.keyboard.press("Escape");
      await expect.poll(() => editor.count()).toBe(0);
      await picture.focus();
      await page.keyboard.press("Insert");
      await editor.fill("Thank");
      await page.keyboard.press("Enter");
      await picture.getByRole("img", { name: /^Support: 12 nodes/ }).waitFor();
      const rows = (): readonly string[] =>
        readFileSync(`${stage.studio.folder}/workflows/support.csv`, "utf8").split("\n");
      await expect.poll(() => rows()[2]).toMatch(/^Support,Ask,Thank,/);
      expect(rows()[3]).toMatch(/^Support,Thank,IsRefund,/);
    });
  },
);
