import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startService, type TestService } from "../../http/service.js";
import { expectAccessible } from "./browser.js";
import { describeInBrowser } from "./stage.js";

const SHEET = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt
Hello,Greet,Thank,echo,name,greeting,Hello {name}
Hello,Thank,Part,echo,name,thanks,Thank you
Hello,Part,,echo,name,parting,Good bye
`;
const KEYS = {
  ada: "permissions: [read, write, execute]",
  bob: "permissions: [read, write]",
  eve: "permissions: [read]",
} as const;
type Key = keyof typeof KEYS;
const keyOf = (name: Key): string => `fsk_${name}-0123456789-0123456789-0123456789`;
const digest = (key: string): string => createHash("sha256").update(key).digest("hex");
const entries = Object.entries(KEYS).map(
  ([name, more]) =>
    `    ${name}:\n      key: sha256:${digest(keyOf(name as Key))}\n      user_id: ${name}\n      ${more}\n`,
);

const serve = (studio: "read" | "edit") => (): Promise<TestService> => {
  const config = `server:\n  studio: ${studio}\nauthentication:\n  enabled: true\n  api_keys:\n${entries.join("")}`;
  return startService({ config, files: { "workflows/hello.csv": SHEET, "workflows/other.csv": SHEET } });
};

async function enter(page: Page, key: Key, isKept = false): Promise<void> {
  await page.getByLabel(/^API key/).fill(keyOf(key));
  if (isKept) await page.getByLabel("Keep for this tab").check();
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("grid").waitFor();
}

async function write(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole("gridcell", { name: from, exact: true }).last().dblclick();
  const field = page.locator(".editor textarea");
  await field.fill(to);
  await field.press("Enter");
  await page.getByText(to, { exact: true }).last().waitFor();
}

describeInBrowser("editing on a server, with two people", serve("edit"), (stage) => {
  const onDisk = (): string => readFileSync(join(stage.server.folder, "workflows/hello.csv"), "utf8");
  const open = async (key: Key, isKept = false, allows = /^$/): Promise<Page> => {
    writeFileSync(join(stage.server.folder, "workflows/hello.csv"), SHEET);
    const page = await stage.visit(`${stage.server.url}/studio/#/sheets/hello.csv`, { allows });
    page.on("dialog", (dialog) => void dialog.accept());
    await enter(page, key, isKept);
    return page;
  };
  const review = (page: Page) => page.getByRole("dialog", { name: "Save" });

  test("what a save would bring is said before it is written, and old problems are not", async () => {
    const page = await open("ada");
    await write(page, "Good bye", "Good bye {nobody}");
    await page.keyboard.press("Control+s");
    const brought = review(page).getByRole("status").filter({ hasText: "This brings 1 error" });
    await brought.getByText("row 4, Prompt of Part").waitFor();
    await expectAccessible(page);
    await review(page).getByRole("button", { name: "Save 1 row" }).click();
    await page.getByRole("status").filter({ hasText: "✓ Saved" }).waitFor();
    await write(page, "Thank you", "Thank you {nobody}");
    await page.keyboard.press("Control+s");
    await brought.getByText("row 3, Prompt of Thank").waitFor();
  });

  test("what was changed is looked at before it is written; then the log has who did it", async () => {
    const page = await open("ada");
    await write(page, "Thank you", "Many thanks");
    await page.getByRole("status").filter({ hasText: "Not saved yet" }).waitFor();
    await page.getByRole("gridcell", { name: "Part", exact: true }).last().click();
    await page.keyboard.press("Control+Shift+Minus");
    await page.keyboard.press("Control+s");
    const changed = review(page).getByRole("article", { name: "Thank changed" });
    await changed.getByText("Thank you").waitFor();
    await changed.getByText("Many thanks").waitFor();
    await review(page).getByRole("article", { name: "Part removed" }).getByText("Good bye").waitFor();
    await expectAccessible(page);
    expect(onDisk()).toBe(SHEET);
    await review(page).getByRole("button", { name: "Go on editing" }).click();
    await page.keyboard.press("Control+z");
    await page.getByRole("gridcell", { name: "Good bye", exact: true }).waitFor();
    expect(onDisk()).toBe(SHEET);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await review(page).getByRole("button", { name: "Save 1 row" }).click();
    await page.getByRole("status").filter({ hasText: "✓ Saved" }).waitFor();
    expect(onDisk()).toBe(SHEET.replace("Thank you", "Many thanks"));
    const line = stage.server
      .log()
      .split("\n")
      .find((one) => one.includes("a sheet was written"));
    expect(line).toMatch(/ada.*hello\.csv/);
    expect(line).not.toContain("Many thanks");
  });

  test("a draft outlives a reload, and no other tab and nobody else has it", async () => {
    const page = await open("ada", true);
    await write(page, "Thank you", "A draft of Ada's");
    await page.reload();
    await page.getByRole("gridcell", { name: "A draft of Ada's", exact: true }).waitFor();
    await page.getByRole("status").filter({ hasText: "Not saved yet" }).waitFor();
    const other = await stage.visit(`${stage.server.url}/studio/#/sheets/hello.csv`);
    await enter(other, "bob");
    await other.getByRole("gridcell", { name: "Thank you", exact: true }).waitFor();
    await other.getByRole("status").filter({ hasText: "✓ Saved" }).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await review(page).getByRole("button", { name: "Discard all" }).click();
    await page.getByRole("gridcell", { name: "Thank you", exact: true }).waitFor();
    await page.getByRole("status").filter({ hasText: "✓ Saved" }).waitFor();
    await page.reload();
    await page.getByRole("gridcell", { name: "Thank you", exact: true }).waitFor();
    expect(onDisk()).toBe(SHEET);
  });

  test("of two who change a sheet both keep their work, and a cell of both is a conflict", async () => {
    const ada = await open("ada", true);
    await write(ada, "Thank you", "Thanks from Ada");
    await write(ada, "Good bye", "Good bye from Ada");
    const bob = await stage.visit(`${stage.server.url}/studio/#/sheets/hello.csv`);
    await enter(bob, "bob");
    await write(bob, "Thank you", "Thanks from Bob");
    await write(bob, "Hello {name}", "Hello {name} from Bob");
    await bob.getByRole("button", { name: "Save", exact: true }).click();
    await review(bob).getByRole("button", { name: "Save 2 rows" }).click();
    await bob.getByRole("status").filter({ hasText: "✓ Saved" }).waitFor();
    await ada.getByRole("gridcell", { name: "Hello {name} from Bob", exact: true }).waitFor();
    await ada.getByRole("button", { name: "1 conflict" }).waitFor();
    await ada.reload();
    await ada.getByRole("button", { name: "1 conflict" }).click();
    await ada.getByRole("button", { name: "Save", exact: true }).click();
    await review(ada).getByText("1 conflict will stay as on the disk").waitFor();
    await review(ada).getByRole("button", { name: "Save 1 row" }).click();
    await expect.poll(onDisk).toContain("Good bye from Ada");
    expect(onDisk()).toContain("Thanks from Bob");
    await ada.getByRole("region", { name: "Conflicts" }).getByRole("button", { name: "Yours" }).click();
    await ada.getByRole("button", { name: "Save", exact: true }).click();
    await review(ada).getByRole("button", { name: "Save 1 row" }).click();
    await expect.poll(onDisk).toContain("Thanks from Ada");
    expect(onDisk()).toContain("Hello {name} from Bob");
  });

  test("a run takes what is saved, and says so", async () => {
    const page = await open("ada");
    await write(page, "Thank you", "Not yet");
    await page.getByRole("tab", { name: "Run" }).click();
    await page.getByLabel("name", { exact: true }).fill("Ada");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText("the sheet is not saved yet: a run takes what is saved").waitFor();
    expect(await page.getByLabel("name", { exact: true }).inputValue()).toBe("Ada");
  });

  test("whoever may only read is told so at once", async () => {
    const page = await open("eve");
    await page.getByText("Read only: you may not write sheets: your key lacks write").waitFor();
    await page.getByRole("gridcell", { name: "Thank you", exact: true }).dblclick();
    expect(await page.locator(".editor").count()).toBe(0);
    await expectAccessible(page);
  });
});

describeInBrowser("a server that only shows sheets", serve("read"), (stage) => {
  test("says so to whoever might write elsewhere", async () => {
    const page = await stage.visit(`${stage.server.url}/studio/#/sheets/hello.csv`);
    await enter(page, "ada");
    await page.getByText("Read only: sheets are only read here: server.studio is read").waitFor();
    await page.getByRole("gridcell", { name: "Thank you", exact: true }).dblclick();
    expect(await page.locator(".editor").count()).toBe(0);
  });
});
