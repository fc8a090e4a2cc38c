import { readFileSync } from "node:fs";
import { test } from "vitest";
import { cellOf, expectSaved, openText, pressTo } from "../page/rows.js";
import { describeStudio } from "../page/stage.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");

describeStudio(
  "by keys alone",
  {},
  (stage) => {
    test("a target is broken and mended, a step is added and taken away", async () => {
      const page = await openText(stage, "support.csv", SUPPORT);
      const focused = page.locator("[role=gridcell]:focus");
      await pressTo(page, "F6", page.locator("[role=gridcell][tabindex='0']"));
      await pressTo(page, "ArrowDown", cellOf(page, "Decline", "Node"));
      await page.keyboard.press("ArrowRight");
      await page.keyboard.type("Clsoe");
      await page.getByText('did you mean "Close"').first().waitFor();
      await page.keyboard.press("Enter");
      await page.getByText("1 error, 0 warnings").waitFor();
      await page.keyboard.press("F8");
      await page
        .getByRole("gridcell", { name: /^Clsoe\. error/ })
        .and(focused)
        .waitFor();
      await page.keyboard.press("Control+.");
      await page.getByText("0 errors, 0 warnings").waitFor();
      await page.keyboard.press("Home");
      await page.keyboard.press("Shift+F10");
      await page.getByRole("menuitem", { name: "Add a step before Close" }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Node of Step" }).waitFor();
      await page.keyboard.type("Log");
      await page.keyboard.press("Enter");
      const added = SUPPORT.replace("Decline,Close", "Decline,Log").replace(
        "Support,Escalate,",
        "Support,Log,Close,,,,,,,,,,\nSupport,Escalate,",
      );
      await expectSaved(stage, page, "support.csv", added);
      await page.keyboard.press("Control+z");
      await expectSaved(stage, page, "support.csv", SUPPORT);
    });

    test("a graph is run, its question answered in the Inbox with a comment, and its way looked at", async () => {
      const page = await openText(stage, "run.csv", SUPPORT);
      await page.keyboard.press("Control+Enter");
      await page.locator("textarea[name=customer]:focus").waitFor();
      await page.keyboard.type("Ada");
      await page.keyboard.press("Tab");
      await pressTo(page, "Tab", page.locator("textarea[name=question]"));
      await page.keyboard.type("I want a refund");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
      await pressTo(page, "F6", page.getByRole("tab", { name: "Run" }));
      await page.keyboard.press("3");
      const card = page.getByRole("article", { name: "Support: ApproveRefund" });
      await pressTo(page, "Tab", card.getByRole("textbox", { name: "Comment" }));
      await page.keyboard.type("once only");
      await pressTo(page, "Tab", card.getByRole("button", { name: "Approve", exact: true }));
      await page.keyboard.press("Enter");
      await page.getByText("Answered “approve”. Support: completed · 2 more steps").waitFor();
      await page.keyboard.press("1");
      await page.getByRole("rowheader", { name: /^8 ?, done$/ }).waitFor();
      const picture = page.getByRole("group", { name: /^Picture/ });
      await picture.locator(".way.taken").nth(6).waitFor();
      await pressTo(page, "F6", picture);
      await page.keyboard.press("ArrowDown");
      await picture.locator(".halo").waitFor();
    });
  },
  "short",
);
