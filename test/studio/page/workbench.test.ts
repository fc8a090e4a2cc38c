import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./browser.js";
import { describeStudio, type VisitOptions } from "./stage.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const CASES = readFileSync("examples/support.test.csv", "utf8").replace("duty team", "nobody");

const HALF = `graph,node,agent,on_success,on_failure,inputs,context.when
Half,Ask,branching,Left,Right,word,"{""word"": ""yes""}"
Half,Left,echo,,,word,
Half,Right,echo,,,word,
`;

/** In both colours. */
async function expectAllAccessible(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator('html[data-theme="dark"]').waitFor();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "light" });
  await page.locator('html[data-theme="light"]').waitFor();
}

describeStudio(
  "tests, modules and debugging in the page",
  {
    files: {
      "workflows/support.csv": SUPPORT,
      "workflows/support.test.csv": CASES,
      "workflows/half.csv": HALF,
      "workflows/half.test.csv": 'case,given\nyes,"{""word"":""yes""}"\n',
      "workflows/kept.csv": SUPPORT.replaceAll("Support", "Kept"),
      "workflows/bare.csv": SUPPORT.replaceAll("Support", "Bare"),
    },
    compiles: true,
  },
  (stage) => {
    const open = async (sheet = "support.csv", options: VisitOptions = {}) => {
      const page = await stage.open(sheet, options);
      await page.getByRole("gridcell", { name: "Ask", exact: true }).waitFor();
      await page.getByLabel(/customer|word/).waitFor();
      return page;
    };

    test("the cases of a sheet are run, and one that fails shows what was expected beside what came", async () => {
      const page = await open();
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
    });

    test("a run is kept as a case, which passes at once and is among the cases then", async () => {
      const page = await open("kept.csv");
      await page.getByLabel("customer").fill("Ada");
      await page.getByLabel("question").fill("Where is it?");
      await page.getByRole("button", { name: "Start" }).click();
      await page
        .getByRole("status")
        .filter({ hasText: /^Completed$/ })
        .waitFor();
      await page.getByRole("button", { name: "Keep this run as a case" }).click();
      await page.getByLabel("Name of the case").fill("a plain answer");
      await expectAllAccessible(page);
      await page.getByRole("button", { name: "Keep", exact: true }).click();
      await page
        .getByText("✓ Kept in kept.test.csv as “a plain answer”. It was run once, and passes.")
        .waitFor();
      await page.getByRole("tab", { name: "Tests" }).click();
      const panel = page.getByRole("tabpanel", { name: "Tests" });
      await panel.getByRole("button", { name: /not run a plain answer/ }).waitFor();
      await panel.getByRole("button", { name: "Run all cases" }).click();
      await panel.getByRole("status").filter({ hasText: "1 passed, 0 failed" }).waitFor();
    });

    test("what no case came to is shown in the picture, and told", async () => {
      const page = await open("half.csv");
      await page.getByRole("tab", { name: "Tests" }).click();
      await page.getByRole("button", { name: "Run all cases" }).click();
      await page.getByRole("region", { name: "Not tested" }).getByText("Ask -> Right (failure)").waitFor();
      const picture = page.getByRole("group", { name: /^Picture/ });
      await picture.locator(".node.untested").getByText("Right").waitFor();
      await expect.poll(() => picture.locator(".way.untested").count()).toBeGreaterThan(0);
      await expectAllAccessible(page);
      await page.getByRole("tab", { name: "Run" }).click();
      await expect.poll(() => picture.locator(".untested").count()).toBe(0);
    });

    test("a run is led step by step: it stops at a break, a field is set, and it goes on", async () => {
      const page = await open();
      await page.getByLabel("customer").fill("Ada");
      await page.getByLabel("question").fill("I want a refund");
      await page.getByRole("gridcell", { name: "IsRefund", exact: true }).last().click();
      await page.keyboard.press("F9");
      await page.getByRole("rowheader", { name: /^4 ?, break$/ }).waitFor();
      await page.keyboard.press("F10");
      const stop = page.getByRole("region", { name: "Paused before IsRefund" });
      await stop.getByRole("definition").filter({ hasText: "I want a refund" }).first().waitFor();
      await page.locator('[role="gridcell"][aria-selected="true"]', { hasText: /^IsRefund$/ }).waitFor();
      await expectAllAccessible(page);
      await stop.getByLabel("Field").fill("question");
      await stop.getByLabel("Value").fill("Where is my parcel?");
      await stop.getByRole("button", { name: "Set" }).click();
      await stop.getByRole("definition").filter({ hasText: "Where is my parcel?" }).first().waitFor();
      await page.keyboard.press("F10");
      await page.getByRole("region", { name: "Paused before IsUrgent" }).waitFor();
      await page.keyboard.press("F5");
      await page
        .getByRole("status")
        .filter({ hasText: /^Completed$/ })
        .waitFor();
      await page.getByRole("rowheader", { name: /^11 ?, done$/ }).waitFor();
    });

    test("a question of a run that is led is answered; it can be stopped", async () => {
      const page = await open();
      await page.getByLabel("customer").fill("Ada");
      await page.getByLabel("question").fill("I want a refund");
      await page.getByRole("button", { name: "Step", exact: true }).click();
      await page.getByRole("region", { name: "Paused before Ask" }).waitFor();
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("button", { name: "Reject", exact: true }).click();
      await page
        .getByRole("status")
        .filter({ hasText: /^Completed$/ })
        .waitFor();
      await page.getByRole("button", { name: /Decline/ }).waitFor();
      await page.getByRole("button", { name: "New run" }).click();
      await page.getByRole("button", { name: "Step", exact: true }).click();
      await page.getByRole("region", { name: "Paused before Ask" }).waitFor();
      await page.getByRole("button", { name: "Stop", exact: true }).click();
      await page
        .getByRole("status")
        .filter({ hasText: /^Stopped$/ })
        .waitFor();
    });

    test("the module of a graph is shown, its lines and the rows are chosen together, and it is written", async () => {
      const page = await open("support.csv", { allows: /422/ });
      await page.getByRole("tab", { name: "Module" }).click();
      const panel = page.getByRole("tabpanel", { name: "Module" });
      await panel
        .getByRole("status")
        .filter({ hasText: "There is no such file yet. Compile writes it" })
        .waitFor();
      await panel.getByText("generated/support.gen.ts").waitFor();
      await page.getByRole("gridcell", { name: "Apologize", exact: true }).last().click();
      await panel.locator(".code-line.chosen", { hasText: "Apologize: node(echo<string>, {" }).waitFor();
      await panel.locator(".code-line", { hasText: "/** Closes the ticket */" }).click();
      await page.locator('[role="gridcell"][aria-selected="true"]', { hasText: /^Close$/ }).waitFor();
      await page.keyboard.press("ArrowUp");
      await page.locator('[role="gridcell"][aria-selected="true"]', { hasText: /^Apologize$/ }).waitFor();
      await expectAllAccessible(page);
      await panel.getByRole("button", { name: "Compile" }).click();
      await panel.getByText("created   generated/support.gen.ts").waitFor();
      await panel.getByRole("status").filter({ hasText: "The file is up to date" }).waitFor();
      // As a compiler in a terminal does, or git.
      const file = join(stage.studio.folder, "generated/support.gen.ts");
      const text = readFileSync(file, "utf8");
      rmSync(file);
      await panel.getByRole("status").filter({ hasText: "There is no such file yet" }).waitFor();
      writeFileSync(file, text);
      await panel.getByRole("status").filter({ hasText: "The file is up to date" }).waitFor();
      stage.studio.write("workflows/support.csv", SUPPORT.replace("Decline,Close", "Decline,Clsoe"));
      await panel.getByText("the graph has errors").waitFor();
      stage.studio.write("workflows/support.csv", SUPPORT);
      await panel.getByRole("status").filter({ hasText: "The file is up to date" }).waitFor();
    });

    test("a sheet without a test sheet says how to make one", async () => {
      const page = await open("bare.csv");
      await page.getByRole("tab", { name: "Tests" }).click();
      await page.getByText("bare.test.csv").waitFor();
    });
  },
);
