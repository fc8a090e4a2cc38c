import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { onDisk } from "./rows.js";
import { describeStudio } from "./stage.js";

const HELLO = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,description
Hello,Ask,Tidy,input,,name:string,What is your name?,Asks for the name
Hello,Tidy,Greet,echo,name,full_name,,Writes the name as a name is written
Hello,Greet,,echo,full_name,greeting,"Hello {full_name}, welcome to Flowsheet!",Says hello
`;
const WRONG = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt
Wrong,Ask,Anwser,echo,name,asked,Hello {name}
Wrong,Answer,,echo,asked,answer,Bye {asked}
`;

/** Where the focus is: in which part of the page, and on what. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const at = document.activeElement;
    const part = at.closest(".drawer-body, .grid, [role=dialog], dialog");
    return [part?.className.split(" ")[0] ?? "nowhere", at.id || at.textContent.slice(0, 40)].join(": ");
  })()`);

/** Writes over a cell, and presses the key that runs the graph while the cell is edited. */
async function runWith(page: Page, cell: Locator, text: string): Promise<void> {
  await cell.click();
  await page.keyboard.press("F2");
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
  await page.keyboard.press("Control+Enter");
}

describeStudio(
  "keys and words go on from where a person is, in a browser",
  { files: { "workflows/hello.csv": HELLO, "workflows/wrong.csv": WRONG } },
  (stage) => {
    test("the drawer keeps the focus when a run takes the place of its form, and so do its forms", async () => {
      const page = await stage.open("hello.csv");
      await page.getByLabel("name", { exact: true }).fill("ada ");
      await page.getByRole("button", { name: "Start", exact: true }).click();
      await page.getByText("Completed").first().waitFor();
      await expect.poll(() => focused(page)).toMatch(/^drawer-body: drawer-panel$/);
      await page.getByRole("button", { name: "Keep this run as a case" }).click();
      await expect.poll(() => focused(page)).toBe("drawer-body: case-name");
      expect(await page.getByLabel("Name of the case").inputValue()).toBe("ada: it completes");
      await page.getByRole("button", { name: "Do not keep it" }).click();
      await expect.poll(() => focused(page)).toMatch(/^drawer-body: drawer-panel$/);
    });

    test("Ctrl+Enter in a cell keeps what was typed, and runs the graph with it", async () => {
      const page = await stage.open("hello.csv");
      await page.getByLabel("name", { exact: true }).fill("Ada");
      const prompt = page.getByRole("gridcell", { name: /^Hello \{full_name\}/ });
      await runWith(page, prompt, "Good day {full_name}");
      await page.getByText("Completed").first().waitFor();
      await page.getByText("Good day Ada").first().waitFor();
      await expect.poll(() => onDisk(stage, "hello.csv")).toContain("Good day {full_name}");
      await page.locator(".grid [role=gridcell]").first().click();
      await page.keyboard.press("Control+z");
      await expect.poll(() => onDisk(stage, "hello.csv")).toBe(HELLO);
    });

    test("Ctrl+Enter in the name of a node runs the graph with the new name", async () => {
      const page = await stage.open("hello.csv");
      await page.getByLabel("name", { exact: true }).fill("Ada");
      await runWith(page, page.getByRole("gridcell", { name: "Greet", exact: true }).last(), "Welcome");
      await page.getByText("Completed").first().waitFor();
      await page.locator(".step").getByText("Welcome").waitFor();
      await expect.poll(() => onDisk(stage, "hello.csv")).toBe(HELLO.replaceAll(",Greet,", ",Welcome,"));
      await page.locator(".grid [role=gridcell]").first().click();
      await page.keyboard.press("Control+z");
      await expect.poll(() => onDisk(stage, "hello.csv")).toBe(HELLO);
    });

    test("Ctrl+Enter in the form of a row keeps what was typed, too, and the place in it", async () => {
      const page = await stage.open("hello.csv");
      await page.getByLabel("name", { exact: true }).fill("Ada");
      await page.getByRole("gridcell", { name: /^Hello \{full_name\}/ }).click();
      await page.keyboard.press("Space");
      const form = page.getByRole("region", { name: "Row", exact: true });
      const prompt = form.getByRole("textbox", { name: "Prompt" });
      await prompt.fill("Good night {full_name}");
      await page.keyboard.press("Control+Enter");
      await page.getByText("Good night Ada").first().waitFor();
      await expect.poll(() => onDisk(stage, "hello.csv")).toContain("Good night {full_name}");
      await prompt.and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+z");
      await expect.poll(() => onDisk(stage, "hello.csv")).toBe(HELLO);
    });

    test("from the list of problems F8 leads to the cell, and Ctrl+. mends it there", async () => {
      const page = await stage.open("wrong.csv");
      await page.getByRole("tab", { name: /^Problems/ }).click();
      // The problems come behind the rows.
      await page.getByRole("button", { name: /^✕ Error/ }).waitFor();
      await page.keyboard.press("F8");
      await expect.poll(() => focused(page)).toMatch(/^grid: Anwser/);
      const list = page.getByRole("tabpanel");
      expect(await list.textContent()).toContain('does not have. Did you mean "Answer" (row 3)?');
      await page.keyboard.press("Control+.");
      await expect.poll(() => onDisk(stage, "wrong.csv")).toContain("Wrong,Ask,Answer,");
      await page.keyboard.press("Control+z");
      await expect.poll(() => onDisk(stage, "wrong.csv")).toBe(WRONG);
    });

    test("why a run did not begin leads to the problems, and is gone when they are mended", async () => {
      const page = await stage.open("wrong.csv", { allows: /422/ });
      await page.getByRole("tab", { name: "Run" }).click();
      await page.getByLabel("name", { exact: true }).fill("Ada");
      await page.getByRole("button", { name: "Start", exact: true }).click();
      await page.getByRole("button", { name: "Show the problems" }).click();
      await page.getByRole("button", { name: 'write "Answer"' }).click();
      await page.getByText("No problems in this sheet.").waitFor();
      await page.getByRole("tab", { name: "Run" }).click();
      await page.getByRole("button", { name: "Start", exact: true }).waitFor();
      expect(await page.getByText("Not run").count()).toBe(0);
      await page.locator(".grid [role=gridcell]").first().click();
      await page.keyboard.press("Control+z");
      await expect.poll(() => onDisk(stage, "wrong.csv")).toBe(WRONG);
    });

    test.each([
      ["undo", "Take the last step back"],
      ["redo", "Do it again"],
      ["inbox", "Go to Inbox"],
    ])("Find knows %s", async (words, name) => {
      const page = await stage.open("hello.csv");
      await page.getByText("new step").waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill(words);
      await page.getByRole("option", { name }).waitFor();
    });

    test("a new sheet is begun beside others, under names that are free", async () => {
      const page = await stage.open();
      await page.getByRole("button", { name: "A greeting" }).click();
      await page.getByRole("img", { name: /^Hello2: 1 node/ }).waitFor();
      expect(onDisk(stage, "hello2.csv")).toContain("Hello2,Greet,");
      expect(onDisk(stage, "hello.csv")).toBe(HELLO);
    });

    test("what the columns are called and the words of the last row are not cut", async () => {
      const page = await stage.open("hello.csv", { viewport: { width: 1440, height: 900 } });
      await page.getByText("new step").waitFor();
      const cut = await page.evaluate(
        `[...document.querySelectorAll(".of-file, .row.new .cell, .cell.pinned")]
          .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)`,
      );
      expect(cut).toEqual([]);
    });

    test("the address that was printed is taken where the token is asked for", async () => {
      const address = stage.addressOf("hello.csv");
      const page = await stage.visit(address.replace(/#.*/, ""));
      await page.getByLabel("API key or token").fill(address);
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("link", { name: /^hello\.csv/ }).waitFor();
    });
  },
);
