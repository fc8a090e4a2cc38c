import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./browser.js";
import { cellOf, expectSaved, onDisk, openText } from "./rows.js";
import { describeStudio, type VisitOptions } from "./stage.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");

/** What Chromium does at Ctrl+C and Ctrl+V, with a clipboard of its own. */
const clipboardScript = (what: "copy" | "paste", text: string): string => `(() => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", ${JSON.stringify(text)});
  const event = new ClipboardEvent(${JSON.stringify(what)}, { clipboardData, bubbles: true, cancelable: true });
  document.activeElement.dispatchEvent(event);
  return clipboardData.getData("text/plain");
})()`;

/** A page so busy that its next frame is far. */
const SLOW_FRAMES = `{
  const frame = requestAnimationFrame;
  requestAnimationFrame = (draw) => setTimeout(() => frame(draw), 1000);
}`;

describeStudio("editing in a browser", {}, (stage) => {
  const open = (name: string, text: string, options: VisitOptions = {}): Promise<Page> =>
    openText(stage, name, text, options);
  const saved = (page: Page, name: string, text: string): Promise<void> =>
    expectSaved(stage, page, name, text);

  test("a target that is misspelt is judged as it is typed, and mended", async () => {
    const page = await open("target.csv", SUPPORT);
    await cellOf(page, "Decline", "Next").click();
    await page.keyboard.type("Clsoe");
    const field = page.getByRole("textbox", { name: "Next of Decline" });
    expect(await field.inputValue()).toBe("Clsoe");
    await page.getByText('did you mean "Close"').first().waitFor();
    // Nothing else is judged while the editor is open.
    expect(await page.getByRole("status").filter({ hasText: "0 errors" }).count()).toBe(1);
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await saved(page, "target.csv", SUPPORT.replace("Decline,Close", "Decline,Clsoe"));
    const count = page.getByRole("status").getByRole("button", { name: "1 error, 0 warnings" });
    await page.getByRole("tab", { name: "Run", selected: true }).waitFor();
    await count.click();
    await page.getByRole("tab", { name: "Problems", selected: true }).waitFor();
    await page.getByRole("tabpanel").getByText('did you mean "Close"').waitFor();
    await expectAccessible(page);
    await page.keyboard.press("F8");
    await page.keyboard.press("Control+.");
    await saved(page, "target.csv", SUPPORT);
    await page.keyboard.press("Control+z");
    await saved(page, "target.csv", SUPPORT.replace("Decline,Close", "Decline,Clsoe"));
  });

  test("a step is added as the last row, named, moved, copied and taken away; undo gives the bytes of before", async () => {
    const page = await open("rows.csv", SUPPORT);
    await cellOf(page, "Close", "Node").click();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.type("Log");
    await page.keyboard.press("Enter");
    await cellOf(page, "Log", "Next").click();
    await page.keyboard.type("END");
    await page.keyboard.press("Tab");
    await page
      .locator("[role=gridcell]:focus")
      .and(cellOf(page, "Log", "Agent"))
      .waitFor();
    await page.keyboard.press("Control+Shift+D");
    const name = page.getByRole("textbox", { name: "Node of Log2" });
    await name.fill("Keep");
    await page.keyboard.press("Enter");
    await cellOf(page, "Keep", "Next").click();
    await page.keyboard.press("Control+Alt+ArrowUp");
    await expect
      .poll(() => onDisk(stage, "rows.csv"))
      .toBe(`${SUPPORT}Support,Keep,END,,,,,,,,,,\nSupport,Log,END,,,,,,,,,,\n`);
    await cellOf(page, "Keep", "Next").click();
    await page.keyboard.press("Control+Shift+-");
    await expect.poll(() => onDisk(stage, "rows.csv")).toBe(`${SUPPORT}Support,Log,END,,,,,,,,,,\n`);
    for (let step = 0; step < 6; step++) await page.keyboard.press("Control+z");
    await saved(page, "rows.csv", SUPPORT);
  });

  test("a name is exchanged with the cells that hold it, as one step", async () => {
    const page = await open("names.csv", SUPPORT);
    await cellOf(page, "Close", "Node").click();
    await page.keyboard.press("F2");
    await page.getByRole("checkbox", { name: /and the 5 cells that name it/ }).waitFor();
    await page.keyboard.type("d");
    await page.keyboard.press("Enter");
    await saved(page, "names.csv", SUPPORT.replaceAll(",Close,", ",Closed,"));
    await page.keyboard.press("Control+z");
    await saved(page, "names.csv", SUPPORT);
  });

  test("what may be written is offered; nothing is selected before an arrow", async () => {
    const page = await open("offers.csv", SUPPORT);
    await cellOf(page, "Decline", "Next").click();
    await page.keyboard.type("Esc");
    const list = page.getByRole("listbox", { name: "What may be written" });
    await list.getByRole("option", { name: /^Escalate/ }).waitFor();
    expect(await list.getByRole("option", { selected: true }).count()).toBe(0);
    await page.keyboard.press("ArrowDown");
    await list.getByRole("option", { name: /^Escalate/, selected: true }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Tab");
    await saved(page, "offers.csv", SUPPORT.replace("Decline,Close", "Decline,Escalate"));
  });

  test("Esc leaves the cell as it was, leaving the field keeps what was typed, Alt+Enter breaks the line", async () => {
    const crlf = SUPPORT.replaceAll("\n", "\r\n");
    const page = await open("keys.csv", crlf);
    await cellOf(page, "Decline", "Inputs").click();
    await page.keyboard.type("lost");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await cellOf(page, "Decline", "Inputs")
      .filter({ hasText: /^customer$/ })
      .waitFor();
    await page.keyboard.press("F2");
    await page.keyboard.press("Alt+Enter");
    await page.keyboard.type("question");
    await cellOf(page, "Ask", "Next").click();
    const written = crlf.replace(
      ',echo,,,customer,reply,"Dear {customer}, we',
      ',echo,,,"customer\r\nquestion",reply,"Dear {customer}, we',
    );
    await saved(page, "keys.csv", written);
  });

  test("no key is lost between a cell that is left and the next frame", async () => {
    const page = await open("quick.csv", SUPPORT);
    await cellOf(page, "Decline", "Inputs").click();
    await page.evaluate(SLOW_FRAMES);
    await page.keyboard.press("F2");
    await page.keyboard.press("Escape");
    await page.keyboard.press("F2");
    await page.keyboard.type("|question");
    await page.keyboard.press("Enter");
    await page.keyboard.type("draft");
    await page.keyboard.press("Enter");
    const written = SUPPORT.replace("echo,,,customer,reply", "echo,,,customer|question,reply").replace(
      ',customer|question,reply,"Dear {customer}, our',
      ',draft,reply,"Dear {customer}, our',
    );
    await saved(page, "quick.csv", written);
  });

  test("a block is copied to and pasted from a spreadsheet, filled down and emptied", async () => {
    const page = await open(
      "block.csv",
      "graph,node,next,agent,prompt\nB,A,B,echo,one\nB,B,C,echo,two\nB,C,,echo,three\n",
    );
    const at = (node: string, column: number) =>
      cellOf(page, node, "Node").locator("xpath=..").locator(`[aria-colindex="${column}"]`);
    const paste = (text: string): Promise<void> =>
      page.evaluate(clipboardScript("paste", text)).then(() => {});
    await at("B", 5).click();
    await paste('"two\n""lines"""\tx\r\nplain\r\n');
    const pasted =
      'graph,node,next,agent,prompt\nB,A,B,echo,one\nB,B,C,echo,"two\n""lines"""\nB,C,,echo,plain\n';
    await saved(page, "block.csv", pasted);
    await at("A", 5).click();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    const copied = await page.evaluate(clipboardScript("copy", ""));
    expect(copied).toBe('one\r\n"two\n""lines"""\r\nplain');
    await page.keyboard.press("Control+d");
    await saved(
      page,
      "block.csv",
      'graph,node,next,agent,prompt\nB,A,B,echo,one\nB,B,C,echo,"one"\nB,C,,echo,one\n',
    );
    await page.keyboard.press("Delete");
    await saved(page, "block.csv", 'graph,node,next,agent,prompt\nB,A,B,echo,\nB,B,C,echo,""\nB,C,,echo,\n');
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await saved(page, "block.csv", pasted);
  });

  test("words that are composed are kept by no key of the composition", async () => {
    const page = await open("ime.csv", "graph,node,next,agent,prompt\nI,A,,echo,one\n");
    await cellOf(page, "A", "Node").locator("xpath=..").locator('[aria-colindex="4"]').click();
    await page.keyboard.press("F2");
    const client = await page.context().newCDPSession(page);
    await client.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
    await page
      .getByRole("textbox", { name: "Prompt of A" })
      .dispatchEvent("keydown", { key: "Enter", isComposing: true });
    await page.getByRole("textbox", { name: "Prompt of A" }).waitFor();
    await client.send("Input.insertText", { text: "日本" });
    await page.keyboard.press("Enter");
    await saved(page, "ime.csv", "graph,node,next,agent,prompt\nI,A,,echo,one日本\n");
  });

  test("a program writes the file while a cell is edited: others merge, the same cell is a conflict", async () => {
    const page = await open("two.csv", SUPPORT);
    const columns = (text: string, change: (cells: string) => string): string => change(text);
    for (const [choice, result] of [
      ["On disk", "Theirs"],
      ["Yours", "Mine"],
      ["Both", "Theirs|Mine"],
    ] as const) {
      stage.studio.write("workflows/two.csv", SUPPORT);
      await cellOf(page, "Decline", "Next")
        .filter({ hasText: /^Close$/ })
        .waitFor();
      await cellOf(page, "Decline", "Next").click();
      await page.keyboard.type("Mine");
      const theirs = columns(SUPPORT, (text) =>
        text.replace("Decline,Close", "Decline,Theirs").replace("Escalate,Close", "Escalate,END"),
      );
      stage.studio.write("workflows/two.csv", theirs);
      await cellOf(page, "Escalate", "Next").filter({ hasText: /^END$/ }).waitFor();
      await page.keyboard.press("Enter");
      await cellOf(page, "Decline", "Next").click();
      // What the editor was opened on is what it wrote over.
      if ((await page.getByRole("button", { name: "1 conflict" }).count()) === 0)
        await page.getByRole("button", { name: "1 conflict" }).waitFor();
      await page.getByRole("gridcell", { name: "Mine. conflict: it was changed elsewhere, too" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("region", { name: "Chosen cell" }).getByRole("button", { name: choice }).click();
      await saved(page, "two.csv", theirs.replace("Decline,Theirs", `Decline,${result}`));
    }
  });

  test("a step is put between two others, with two cells that lead to it and on; undo takes both back", async () => {
    const page = await open("between.csv", SUPPORT);
    const menuOf = async (node: string): Promise<void> => {
      await cellOf(page, node, "Node").click({ button: "right" });
      await page.getByRole("menu", { name: "Row" }).waitFor();
    };
    await menuOf("SendRefund");
    await page.getByRole("menuitem", { name: "Add a step before Close" }).click();
    const name = page.getByRole("textbox", { name: "Node of Step" });
    await name.waitFor();
    await page.keyboard.press("Escape");
    await cellOf(page, "Step", "Node").waitFor({ state: "detached" });
    expect(onDisk(stage, "between.csv")).toBe(SUPPORT);
    await menuOf("SendRefund");
    await page.keyboard.press("Enter");
    await name.fill("Log");
    await page.keyboard.press("Enter");
    const added = SUPPORT.replace("SendRefund,Close", "SendRefund,Log").replace(
      "Support,Decline,",
      "Support,Log,Close,,,,,,,,,,\nSupport,Decline,",
    );
    await saved(page, "between.csv", added);
    await page.getByRole("img", { name: "Support: 12 nodes, from Ask" }).waitFor();
    await cellOf(page, "Log", "Next").click();
    await page.keyboard.press("Control+z");
    await saved(page, "between.csv", SUPPORT);
  });

  test("without a connection typing and problems go on, and edits stay", async () => {
    const page = await open("offline.csv", SUPPORT, { allows: /ERR_INTERNET_DISCONNECTED/ });
    await page.context().setOffline(true);
    await cellOf(page, "Decline", "Next").click();
    await page.keyboard.type("Clsoe");
    await page.getByText('did you mean "Close"').first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("1 error, 0 warnings").waitFor();
    await page.getByText("Not saved: the server does not answer · trying again").waitFor();
    expect(onDisk(stage, "offline.csv")).toBe(SUPPORT);
    await page.context().setOffline(false);
    await saved(page, "offline.csv", SUPPORT.replace("Decline,Close", "Decline,Clsoe"));
  });

  test("a file that is gone can be written again, one that is read only says why", async () => {
    const page = await open("gone.csv", SUPPORT, { allows: /404/ });
    rmSync(join(stage.studio.folder, "workflows", "gone.csv"));
    await page.getByText("gone.csv is gone from the disk.").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Write it again" }).click();
    await saved(page, "gone.csv", SUPPORT);
    stage.studio.write("workflows/target.txt", SUPPORT);
    symlinkSync(
      join(stage.studio.folder, "workflows", "target.txt"),
      join(stage.studio.folder, "workflows", "link.csv"),
    );
    const linked = await stage.open("link.csv");
    await linked.getByText("Read only: it is a symbolic link").waitFor();
    await cellOf(linked, "Decline", "Next").click();
    await linked.keyboard.type("x");
    await linked
      .getByRole("status")
      .filter({ hasText: /^This sheet is not changed here/ })
      .waitFor();
    expect(await linked.getByRole("textbox", { name: /^Next/ }).count()).toBe(0);
  });

  test("a row is written as a form, its prompt with the fields to pick", async () => {
    const page = await open("form.csv", SUPPORT);
    await cellOf(page, "Decline", "Next").click();
    await page.keyboard.press("Space");
    const form = page.getByRole("region", { name: "Row", exact: true });
    const prompt = form.getByLabel("Prompt", { exact: true });
    await form.getByRole("button", { name: "question", exact: true }).waitFor();
    expect(await form.locator("mark").allTextContents()).toEqual(["{customer}"]);
    await expectAccessible(page);
    await prompt.focus();
    await page.keyboard.press("Control+End");
    await form.getByRole("button", { name: "question", exact: true }).click();
    await form.getByLabel("Next", { exact: true }).fill("END");
    const written = SUPPORT.replace("Please call us.", "Please call us.{question}").replace(
      "Decline,Close",
      "Decline,END",
    );
    await form.getByLabel("Agent").focus();
    await saved(page, "form.csv", written);
    await form
      .getByText(/question/)
      .first()
      .waitFor();
    await form.getByRole("button", { name: "Next row" }).click();
    await form.getByRole("heading", { name: "Escalate" }).waitFor();
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    await page.locator("[role=gridcell]:focus").waitFor();
  });
});
