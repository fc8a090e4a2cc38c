import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeStudio } from "./stage.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const WIDE = { viewport: { width: 1400, height: 900 } };
const ODD = `# first, with a comma
graph_name,node_name,next_node,agent_type,output_field,prompt
# second, with a comma
Odd,constructor,__proto__,echo,a,x
Odd,__proto__,,echo,b,y
`;

const cell = (page: Page, name: string): Locator => page.getByRole("gridcell", { name, exact: true });
const chosenName = (page: Page): Promise<string | null> =>
  page.getByRole("region", { name: "Chosen cell" }).locator("p").first().textContent();

describeStudio(
  "what people stumbled over, in a browser",
  { files: { "workflows/support.csv": SUPPORT, "workflows/odd.csv": ODD } },
  (stage) => {
    const onDisk = (name: string): string =>
      readFileSync(join(stage.studio.folder, "workflows", name), "utf8");

    test("name, next, agent and prompt of a step are seen at once", async () => {
      const page = await stage.open("support.csv", WIDE);
      const right = async (what: Locator): Promise<number> => {
        const { x = 0, width = 0 } = (await what.boundingBox()) ?? {};
        return x + width;
      };
      await cell(page, "Ask").waitFor();
      const edge = await right(page.locator(".grid"));
      const head = page.getByRole("columnheader", { name: "Prompt", exact: true });
      await expect.poll(() => right(head)).toBeLessThanOrEqual(edge);
      const next = page.getByRole("columnheader", { name: "Next", exact: true });
      expect([await next.locator(".of-file").textContent(), await next.getAttribute("title")]).toEqual([
        "next_node",
        "Next: next_node in the file",
      ]);
    });

    test("offers stay within the window, above the cell where there is no room beneath", async () => {
      const page = await stage.open("support.csv", { viewport: { width: 1280, height: 480 } });
      await cell(page, "Escalate").last().click();
      await page.getByText("new step").click();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await page.getByRole("option").first().waitFor();
      const [list, field] = await Promise.all([
        page.locator(".beneath").boundingBox(),
        page.locator(".editor textarea").boundingBox(),
      ]);
      expect(list?.y).toBeGreaterThanOrEqual(0);
      expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(field?.y ?? 0);
    });

    test("behind the name of a new step stands its next cell", async () => {
      const page = await stage.open("support.csv");
      await page.getByText("new step").click();
      await page.keyboard.type("Thank");
      await page.keyboard.press("Enter");
      await expect.poll(() => chosenName(page)).toBe("Next of Thank");
      await page.keyboard.press("Control+z");
      await expect.poll(() => onDisk("support.csv")).toBe(SUPPORT);
    });

    test("what cannot be done is said where it is seen", async () => {
      const page = await stage.open("support.csv", WIDE);
      await cell(page, "Ask").click();
      await page.keyboard.press("Control+.");
      const said = page.locator(".notice", { hasText: "There is no fix for this cell." });
      await said.waitFor();
      expect((await said.boundingBox())?.width).toBeGreaterThan(100);
      await page.keyboard.press("F2");
      await page.locator(".notice", { hasText: /^$/ }).waitFor({ state: "attached" });
    });

    test("names of sheets and graphs show what is hidden in them", async () => {
      stage.studio.write("workflows/bidi\u202e.csv", SUPPORT.replaceAll("Support", "Sup\u202eport"));
      const page = await stage.open();
      const line = page.getByRole("link", { name: "bidi\\u202e.csv" });
      await line.getByText("Sup\\u202eport (11 nodes)").waitFor();
      await line.click();
      await page.locator(".top .file", { hasText: "bidi\\u202e.csv" }).waitFor();
      expect(await page.locator(".top").textContent()).not.toContain("\u202e");
    });

    test("while a sheet is on its way its rows are hinted at; one that is refused says by which request", async () => {
      const page = await stage.open("", { allows: /401|408/ });
      let asked = 0;
      let go = (): void => {};
      const held = new Promise<void>((resolve) => {
        go = resolve;
      });
      await page.route("**/api/sheets/support.csv", async (route) => {
        await held;
        const { authorization: _, ...headers } = route.request().headers();
        asked++;
        // As a server answers that is too busy to take a request: it is sent again.
        if (asked === 1) return route.fulfill({ status: 408 });
        await route.continue({ headers });
      });
      await page.getByRole("link", { name: /^support\.csv/ }).click();
      await page.getByRole("list", { name: "Opening support.csv" }).waitFor();
      go();
      await page.getByText(/^support\.csv cannot be shown\. .* request [0-9a-f-]{36}$/).waitFor();
      expect(asked).toBe(2);
    });

    test("a name that is still worked out is written in its own sheet, wherever one has gone", async () => {
      const sheet = (graph: string, last = "Last"): string =>
        `graph_name,node_name,next_node,agent_type,prompt\n${graph},First,${last},echo,a\n${graph},${last},,echo,b\n`;
      stage.studio.write("workflows/one.csv", sheet("One"));
      stage.studio.write("workflows/other.csv", sheet("Other"));
      let go = (): void => {};
      const held = new Promise<void>((resolve) => {
        go = resolve;
      });
      const page = await stage.open("one.csv", {
        first: (page) => page.route("**/layout-*.js", (route) => held.then(() => route.continue())),
      });
      await page.getByText("0 errors, 0 warnings").waitFor();
      await cell(page, "Last").last().click();
      await page.keyboard.type("Final");
      await page.keyboard.press("Enter");
      const came = page.waitForResponse(/\/sheets\/other\.csv/);
      await page.evaluate('location.hash = "#/sheets/other.csv"');
      await (await came).finished();
      // Whoever opened the other one by now would write into it.
      await page.evaluate("new Promise((later) => setTimeout(later, 500))");
      go();
      await expect.poll(() => onDisk("one.csv")).toBe(sheet("One", "Final"));
      await page.getByRole("grid", { name: "Sheet other.csv" }).waitFor();
      expect(onDisk("other.csv")).toBe(sheet("Other"));
    });

    test("what lays pictures out and exchanges names may come late, and loses nothing", async () => {
      stage.studio.write("workflows/late.csv", SUPPORT);
      let isCut = true;
      // A part of the compiler itself is loaded again, too.
      let asked = 0;
      const page = await stage.open("", {
        allows: /ERR_FAILED/,
        first: async (page) => {
          await page.route("**/layout-*.js", (route) => (isCut ? route.abort() : route.continue()));
          await page.route("**/chunk-*.js", (route) => (++asked < 3 ? route.abort() : route.continue()));
        },
      });
      await page.getByRole("link", { name: /^late\.csv/ }).click();
      await page.getByText("0 errors, 0 warnings").waitFor();
      await cell(page, "Close").last().click();
      await page.keyboard.press("F2");
      await page.keyboard.type("d");
      await page.keyboard.press("Enter");
      // The cells that name it are as they were.
      await expect.poll(() => onDisk("late.csv")).toBe(SUPPORT.replace("Support,Close,", "Support,Closed,"));
      expect(asked).toBe(3);
      isCut = false;
      await page.getByRole("img", { name: /^Support: 11 nodes/ }).waitFor();
      await page.keyboard.press("Control+z");
      await expect.poll(() => onDisk("late.csv")).toBe(SUPPORT);
    });

    test("a comment is one text, whichever column the cursor comes from", async () => {
      const page = await stage.open("odd.csv");
      await page.getByText("# second, with a comma").first().click();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      const field = page.getByRole("textbox", { name: "Comment" });
      expect(await field.inputValue()).toBe("# second, with a comma");
      await field.fill("# second, and another");
      await page.keyboard.press("Enter");
      await expect
        .poll(() => onDisk("odd.csv"))
        .toBe(ODD.replace("second, with a", "second, and another").replace(" comma\nOdd", "\nOdd"));
    });

    test("steps with the names of what all objects have are found", async () => {
      const page = await stage.open("odd.csv");
      await page.getByText("constructor", { exact: true }).first().waitFor();
      for (const name of ["__proto__", "constructor"]) {
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox").fill(name);
        await page.getByRole("option", { name: new RegExp(`node ?${name}`) }).waitFor();
        await page.keyboard.press("Enter");
        await expect.poll(() => page.url()).toContain(`node=${name}`);
        await expect
          .poll(() => page.getByRole("region", { name: "Chosen cell" }).locator(".whole").textContent())
          .toBe(name);
      }
    });
  },
);
