import { readFileSync } from "node:fs";
import { test } from "vitest";
import { cellOf, expectSaved, openText } from "../page/rows.js";
import { describeStudio } from "../page/stage.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");

describeStudio("a step is added in the picture", {}, (stage) => {
  test("two cells are rewired; undone twice, the file has the bytes of before", async () => {
    const page = await openText(stage, "support.csv", SUPPORT);
    const picture = page.getByRole("group", { name: /^Picture/ });
    await cellOf(page, "SendRefund", "Node").click();
    // Between SendRefund and Close.
    await picture.locator(".add").click({ force: true });
    const name = page.getByRole("textbox", { name: "Node of Step" });
    await name.fill("Log");
    await page.keyboard.press("Enter");
    const added = SUPPORT.replace("SendRefund,Close", "SendRefund,Log").replace(
      "Support,Decline,",
      "Support,Log,Close,,,,,,,,,,\nSupport,Decline,",
    );
    await expectSaved(stage, page, "support.csv", added);
    await picture.getByRole("img", { name: "Support: 12 nodes, from Ask" }).waitFor();
    await cellOf(page, "Log", "Agent").click();
    await page.keyboard.type("success");
    await page.keyboard.press("Tab");
    await expectSaved(stage, page, "support.csv", added.replace("Log,Close,,", "Log,Close,,success"));
    await cellOf(page, "Log", "Next").click();
    await page.keyboard.press("Control+z");
    await expectSaved(stage, page, "support.csv", added);
    await page.keyboard.press("Control+z");
    await expectSaved(stage, page, "support.csv", SUPPORT);
    await picture.getByRole("img", { name: "Support: 11 nodes, from Ask" }).waitFor();
  });
});
