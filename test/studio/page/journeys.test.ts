import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { expectAccessible } from "./browser.js";
import { describeStudio } from "./stage.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const BROKEN = SUPPORT.replaceAll("Support", "Broken").replace("Decline,Close", "Decline,Clsoe");
const HOSTILE = `graph,node,next,agent,prompt
Evil,One,Two,echo,<img src=x onerror=alert(1)>
Evil,Two,,echo,"<script>alert(1)</script>\u202e"
`;
const LONG = ["graph,node,next,agent", ...Array.from({ length: 900 }, (_, i) => `Long,N${i},N${i + 1},echo`)];

describeStudio(
  "the page in a browser",
  {
    files: {
      "workflows/support.csv": SUPPORT,
      "workflows/team/broken.csv": BROKEN,
      "workflows/hostile.csv": HOSTILE,
      "workflows/long.csv": `${LONG.join("\n")}\nLong,N900,,echo\n`,
    },
  },
  (stage) => {
    test("the list of sheets leads to a sheet, whose problems are found, and back", async () => {
      const page = await stage.open();
      await page.getByRole("link", { name: /team\/broken\.csv.*1 error/ }).click();
      const cell = page.getByRole("gridcell", { name: /^Clsoe\. error: / });
      await cell.waitFor();
      expect(page.url()).not.toContain(stage.studio.secret.token);
      expect(await cell.getAttribute("aria-invalid")).toBe("true");
      await page.getByRole("button", { name: /^✕ Error/ }).click();
      await page.getByRole("region", { name: "Chosen cell" }).getByText('did you mean "Close"').waitFor();
      expect(page.url()).toMatch(/#\/sheets\/team\/broken\.csv\?graph=Broken&node=Decline$/);
      await page.goBack();
      await page.getByRole("heading", { name: "Sheets" }).waitFor();
    });

    test("a sheet that changes on the disk is shown as it then is", async () => {
      stage.studio.write("workflows/live.csv", "graph,node,next,agent\nLive,First,,echo\n");
      const page = await stage.open("live.csv");
      await page.getByRole("gridcell", { name: "First", exact: true }).waitFor();
      stage.studio.write(
        "workflows/live.csv",
        "graph,node,next,agent\nLive,First,Thrid,echo\nLive,Third,,echo\n",
      );
      await page.getByRole("gridcell", { name: "Third", exact: true }).waitFor();
      await page.getByRole("gridcell", { name: /^Thrid\. error: / }).waitFor();
    });

    test("keys move in the grid, of which only the rows in view are there", async () => {
      const page = await stage.open("long.csv");
      const grid = page.getByRole("grid", { name: "Sheet long.csv" });
      await grid.waitFor();
      expect(await grid.getAttribute("aria-rowcount")).toBe("903");
      await page.getByRole("gridcell", { name: "N0", exact: true }).click();
      const focused = page.locator("[role=gridcell]:focus");
      const press = async (key: string, text: string): Promise<void> => {
        await page.keyboard.press(key);
        await focused.filter({ hasText: new RegExp(`^${text}$`) }).waitFor();
      };
      await press("ArrowDown", "N1");
      await press("ArrowRight", "N2");
      await press("End", "echo");
      await press("Control+End", "echo");
      await press("Home", "N900");
      await press("PageUp", "N8[0-9][0-9]");
      expect(await page.getByRole("row").count()).toBeLessThan(80);
      await press("Control+Home", "N0");
    });

    test("a graph is run to its question, answered, and looked at step by step", async () => {
      const page = await stage.open("support.csv");
      const run = page.getByRole("button", { name: "Run", exact: true });
      await page.getByLabel("customer").fill("Ada");
      await page.getByLabel("question").fill("I want a refund");
      await run.click();
      await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await page
        .getByRole("status")
        .filter({ hasText: /^Completed$/ })
        .waitFor();
      await page.getByRole("button", { name: /^DraftRefund/ }).click();
      const panel = page.getByRole("tabpanel", { name: "Run" });
      await panel
        .getByRole("definition")
        .filter({ hasText: "Dear Ada, we refund your last order." })
        .waitFor();
      await page.locator('[role="gridcell"][aria-selected="true"]', { hasText: /^DraftRefund$/ }).waitFor();
      await page.getByRole("rowheader", { name: /^6 ?, done$/ }).waitFor();
      await page.getByRole("button", { name: "New run" }).click();
      expect(await page.getByLabel("customer").inputValue()).toBe("Ada");
      await run.click();
      await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page
        .getByRole("status")
        .filter({ hasText: /^Stopped$/ })
        .waitFor();
    });

    test("what keeps a graph from running is said", async () => {
      const page = await stage.open("team/broken.csv", { allows: /422/ });
      await page.getByRole("tab", { name: "Run" }).click();
      await page.getByLabel("customer").fill("Ada");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page
        .getByRole("status")
        .filter({ hasText: /^Not run$/ })
        .waitFor();
      await page.getByRole("button", { name: "Show the problems" }).click();
      await page.getByRole("tab", { name: "Problems", selected: true }).waitFor();
    });

    test("a value that is refused stays in the form, with the reason at its field", async () => {
      const page = await stage.open("support.csv", { allows: /422/ });
      await page.getByRole("tab", { name: "Run" }).click();
      const [customer, approval] = [
        page.getByLabel("customer"),
        page.getByLabel("approval", { exact: true }),
      ];
      await customer.fill("Ada");
      await page.getByLabel("question").fill("Where is it?");
      await approval.fill("I want a refund");
      await page.getByRole("button", { name: "Start" }).click();
      await page.locator('[aria-invalid="true"]:focus').waitFor();
      expect(await approval.getAttribute("aria-invalid")).toBe("true");
      const said = page.locator(`#${(await approval.getAttribute("aria-describedby"))?.split(" ")[0]}`);
      expect(await said.textContent()).toContain("approve");
      expect([await customer.inputValue(), await approval.inputValue()]).toEqual(["Ada", "I want a refund"]);
      await expectAccessible(page);
      await approval.fill("");
      await page.getByRole("button", { name: "Start" }).click();
      await page
        .getByRole("status")
        .filter({ hasText: /^Completed$/ })
        .waitFor();
    });

    test("what a sheet says is text, and nothing else", async () => {
      const page = await stage.open("hostile.csv");
      await page.getByRole("gridcell", { name: "<img src=x onerror=alert(1)>", exact: true }).waitFor();
      await page.getByRole("gridcell", { name: "<script>alert(1)</script>\\u202e", exact: true }).waitFor();
      expect(await page.locator("img").count()).toBe(0);
    });

    test("without a token it asks for one, and shows nothing", async () => {
      const page = await stage.visit(`http://127.0.0.1:${stage.studio.port}/studio/#/sheets/support.csv`, {
        allows: /401/,
      });
      const field = page.getByLabel(/API key or token/);
      await field.fill("wrong");
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByText("The server does not take this key or token.").waitFor();
      await field.fill(stage.studio.secret.token);
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("grid", { name: "Sheet support.csv" }).waitFor();
    });

    test("axe finds nothing, light and dark, wide and narrow", async () => {
      const page = await stage.open();
      await page.getByRole("link", { name: /team\/broken/ }).waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: /team\/broken/ }).click();
      await page.getByRole("button", { name: /^✕ Error/ }).click();
      await page.getByRole("img", { name: /11 nodes/ }).waitFor();
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.locator('html[data-theme="dark"]').waitFor();
      await expectAccessible(page);
      await page.getByRole("tab", { name: "Run" }).click();
      await page.setViewportSize({ width: 360, height: 740 });
      await page.getByLabel("customer").waitFor();
      await expectAccessible(page);
    });
  },
);
