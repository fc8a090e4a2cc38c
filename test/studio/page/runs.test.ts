import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./browser.js";
import { describeStudio } from "./stage.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const ORDERS = `graph,node,next,agent,inputs,output,prompt
Orders,Price,Charge,echo,item,price,{item} costs 129.50
Orders,Charge,Tell,flaky,price,receipt,
Orders,Tell,,echo,receipt,reply,Thank you: {receipt}
Refused,Price,Charge,echo,item,price,{item} costs 129.50
Refused,Charge,,refuse,price,receipt,
Slow,Wait,,slow,,x,
Pause,Wait,Say,pause,,x,
Pause,Say,,echo,x,y,It is {x}
Note,Ask,Say,input,who,note,What shall we tell {who}?
Note,Say,,echo,note,reply,"We say: {note}"
`;
/** The first call of each item fails, as a model that does not answer. */
const FLAKY = `import { defineAgent } from "flowsheet";
const seen = new Set();
export const FlakyAgent = defineAgent(({ price }) => {
  if (seen.has(price)) return "paid";
  seen.add(price);
  throw new Error("the model did not answer");
});
`;
const SLOW = `import { defineAgent } from "flowsheet";
export const SlowAgent = defineAgent((_inputs, { signal }) => new Promise((resolve) => {
  const timer = setTimeout(() => resolve("done"), 600_000);
  signal.addEventListener("abort", () => { clearTimeout(timer); resolve("stopped"); });
}));
`;

const REFUSE = `import { defineAgent } from "flowsheet";
export const RefuseAgent = defineAgent(() => { throw new Error("the bank refused the card"); });
`;
const PAUSE = `import { defineAgent } from "flowsheet";
export const PauseAgent = defineAgent(() => new Promise((resolve) => { setTimeout(resolve, 1_500, "over"); }));
`;

describeStudio(
  "Runs in a browser",
  {
    files: {
      "workflows/support.csv": SUPPORT,
      "workflows/orders.csv": ORDERS,
      "agents/flaky.js": FLAKY,
      "agents/slow.js": SLOW,
      "agents/pause.js": PAUSE,
      "agents/refuse.js": REFUSE,
    },
  },
  (stage) => {
    const start = async (graph_name: string, initial_state: object = {}, detach = false): Promise<string> => {
      const body = JSON.stringify({ graph_name, initial_state, options: { detach } });
      const { json } = await stage.studio.ask("POST /execute", ["Content-Type: application/json"], body);
      return String(json?.["run_id"]);
    };
    const lines = (page: Page) => page.getByRole("region", { name: "List of runs" }).getByRole("link");
    const view = (page: Page) => page.getByRole("region", { name: "Run", exact: true });
    const status = (page: Page, word: string) =>
      view(page)
        .getByRole("status")
        .filter({ hasText: new RegExp(`^${word}$`) });

    test("where nothing ran, it says so", async () => {
      const page = await stage.open("#/runs");
      await page.getByText("No run yet.").waitFor();
      await expectAccessible(page);
    });

    test("a failed run is found by what it was given, is looked at, and goes on again", async () => {
      const failed = await start("Orders", { item: "ord-118 desk" });
      await start("Support", { customer: "Ada", question: "Where is my parcel?" });
      const page = await stage.open("#/runs");
      await lines(page).first().getByText("Failed:").waitFor({ state: "attached" });
      expect(await lines(page).first().textContent()).toContain(
        "Charge: the model did not answer agent_failed",
      );
      await page.getByRole("button", { name: "Failed 1" }).waitFor();
      await page.getByRole("searchbox", { name: "Search runs" }).fill("ord-118");
      await expect.poll(() => lines(page).count()).toBe(1);
      await lines(page).first().click();
      await status(page, "Failed").waitFor();
      await view(page).getByRole("link", { name: "Charge, row 3, cell D3" }).waitFor();
      const step = page.getByRole("region", { name: "Step" });
      await step.getByText("ord-118 desk costs 129.50").waitFor();
      await step.getByText("the model did not answer").waitFor();
      await page.getByRole("img", { name: /^Orders: 3 nodes/ }).waitFor();
      // Nothing is edited here.
      expect(await page.locator("g.add").count()).toBe(0);
      await expectAccessible(page);
      await view(page).getByRole("button", { name: "Price", exact: false }).first().click();
      await expect.poll(() => page.url()).toContain(`#/runs/${failed}?step=1`);
      await step.getByText("Prompt").waitFor();
      await page
        .getByRole("group", { name: /^Picture/ })
        .getByText("Charge")
        .click();
      await step.getByText("the model did not answer").waitFor();
      await view(page).getByRole("button", { name: "Again" }).click();
      await status(page, "Completed").waitFor();
      await expect.poll(() => page.getByRole("button", { name: "Failed 0" }).count()).toBe(1);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.locator('html[data-theme="dark"]').waitFor();
      await expectAccessible(page);
    });

    test("a run at work is stopped, and comes into the list by itself", async () => {
      const page = await stage.open("#/runs");
      await lines(page).first().waitFor();
      const id = await start("Slow", {}, true);
      await page.getByRole("button", { name: "Running 1" }).click();
      await lines(page).first().click();
      await status(page, "Running").waitFor();
      expect(page.url()).toContain(id);
      await view(page).getByRole("button", { name: "Stop" }).click();
      await status(page, "Stopped").waitFor();
      await page.getByText("There are none.").waitFor();
      await page.getByRole("button", { name: "Stopped 1" }).waitFor();
    });

    test("a fork of a step begins a new run, with a field that is changed", async () => {
      const id = await start("Support", { customer: "Bob", question: "It is broken, urgent" });
      const page = await stage.open(`#/runs/${id}?step=2`);
      await page.getByRole("button", { name: "Fork from here" }).click();
      await page.getByLabel("Change field").fill("question");
      await page.getByLabel("to", { exact: true }).fill("I want a refund");
      await expectAccessible(page);
      await page.getByRole("button", { name: "Fork", exact: true }).click();
      await status(page, "Waits").waitFor();
      await view(page)
        .getByRole("link", { name: id.slice(0, 8) })
        .waitFor();
      await page.getByText("You wrote: I want a refund").first().waitFor();
      await page.getByRole("textbox", { name: "Comment" }).fill("so be it");
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await status(page, "Completed").waitFor();
    });

    test("one that is chosen stays chosen while others come", async () => {
      const id = await start("Support", { customer: "Eve", question: "Where is it?" });
      const page = await stage.open(`#/runs/${id}`);
      const chosen = page.locator('.run-line[aria-current="true"]');
      await chosen.waitFor();
      const before = await lines(page).count();
      await start("Support", { customer: "Eve", question: "Where is the other one?" });
      await expect.poll(() => lines(page).count()).toBe(before + 1);
      expect(await chosen.getAttribute("href")).toContain(id);
      await status(page, "Completed").waitFor();
    });

    test("more are read page by page", async () => {
      for (let i = 0; i < 55; i++) await start("Orders", { item: `crate ${i}` });
      const page = await stage.open("#/runs");
      await page.getByRole("searchbox", { name: "Search runs" }).fill("crate");
      await page.getByRole("button", { name: "Failed 55" }).waitFor();
      await expect.poll(() => lines(page).count()).toBe(50);
      await page.getByRole("button", { name: "More" }).click();
      await expect.poll(() => lines(page).count()).toBe(55);
      await page.getByRole("searchbox", { name: "Search runs" }).fill("nothing of the kind");
      await page.getByText("No run has these words.").waitFor();
      await expectAccessible(page);
    });

    test("an address of a run that is not there says so", async () => {
      const page = await stage.open(`#/runs/${"0".repeat(32)}`, { allows: /404/ });
      await page.getByText("There is no run 00000000 here, or not for you.").waitFor();
      await expectAccessible(page);
    });

    test("on a telephone the list leads to the run, and back", async () => {
      const page = await stage.open("#/runs", { viewport: { width: 390, height: 844 } });
      await lines(page).first().click();
      await status(page, "Failed").waitFor();
      expect(await lines(page).first().isVisible()).toBe(false);
      const wide = await page.evaluate("document.documentElement.scrollWidth");
      expect(wide).toBeLessThanOrEqual(390);
      await expectAccessible(page);
      await page.getByRole("button", { name: "All runs" }).click();
      await lines(page).first().waitFor();
      await expectAccessible(page);
    });

    test("a run of the drawer is answered in the Inbox, with a comment, and goes on in both", async () => {
      const page = await stage.open("#/sheets/support.csv");
      await page.getByLabel("customer").fill("Ada");
      await page.getByLabel("question").fill("I want a refund");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("textbox", { name: "Comment" }).waitFor();
      await page.getByRole("link", { name: "Inbox" }).click();
      const card = page.getByRole("article", { name: "Support: ApproveRefund" });
      await card.getByRole("textbox", { name: "Comment" }).fill("once only");
      await card.getByRole("button", { name: "Approve", exact: true }).click();
      await page.getByText("Answered “approve”. Support: completed · 2 more steps").waitFor();
      await page.getByRole("link", { name: "Sheets" }).click();
      const drawer = page.getByRole("tabpanel", { name: "Run" });
      await drawer
        .getByRole("status")
        .filter({ hasText: /^Completed$/ })
        .waitFor();
      await page.getByRole("rowheader", { name: /^8 ?, done$/ }).waitFor();
      // A visit that waited and went on is one step.
      await drawer.getByText(/^6 steps/).waitFor();
    });

    test("a run that fails again says so, and the chosen step stays", async () => {
      const id = await start("Refused", { item: "a lamp" });
      const page = await stage.open(`#/runs/${id}`);
      const step = page.getByRole("region", { name: "Step" });
      const failed = view(page).getByRole("button", { name: /^Charge/ });
      await expect.poll(() => failed.getAttribute("aria-current")).toBe("true");
      await view(page).getByRole("button", { name: "Again" }).click();
      await view(page)
        .getByText(/^Tried again at .*: it has failed again\.$/)
        .waitFor();
      expect(await failed.getAttribute("aria-current")).toBe("true");
      await step.getByText("the bank refused the card").waitFor();
      await expectAccessible(page);
      await view(page).getByRole("button", { name: "New run" }).waitFor();
    });

    test("in the drawer a failed run goes on again, with the same word", async () => {
      const page = await stage.open("#/sheets/orders.csv?graph=Refused");
      await page.getByLabel("item").fill("a desk");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      const drawer = page.getByRole("tabpanel", { name: "Run" });
      await drawer.getByRole("button", { name: "Charge, row 6" }).click();
      const chosen = page.locator('[role="gridcell"][aria-selected="true"]');
      await chosen.filter({ hasText: /^Charge$/ }).waitFor();
      // Rows and steps are chosen together, whichever way.
      await page.getByRole("gridcell", { name: "Price", exact: true }).nth(1).click();
      await drawer.locator('.step[aria-current="true"]').getByText("Price").waitFor();
      await drawer.getByRole("definition").filter({ hasText: "a desk costs 129.50" }).waitFor();
      await drawer.getByRole("button", { name: "Again" }).click();
      await drawer.getByText(/^Tried again at .*: it has failed again\.$/).waitFor();
      await expectAccessible(page);
    });

    test("another step than the one that asks is shown alone, and leads to the question", async () => {
      const id = await start("Support", { customer: "Eve", question: "I want a refund" });
      const page = await stage.open(`#/runs/${id}?step=1`);
      const step = page.getByRole("region", { name: "Step" });
      await step.getByText("ApproveRefund waits for an answer.").waitFor();
      expect(await step.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
      await expectAccessible(page);
      await step.getByRole("button", { name: "Show the question" }).click();
      await step.getByRole("button", { name: "Reject", exact: true }).click();
      await status(page, "Completed").waitFor();
      await view(page)
        .getByText(/^rejected, /)
        .waitFor();
      await expectAccessible(page);
    });

    test("a run goes on while the connection does not, and is found again", async () => {
      const page = await stage.open("#/sheets/orders.csv?graph=Pause", { allows: /ERR_FAILED/ });
      let broken = 0;
      await page.route("**/runs/*/events", (route) => {
        broken++;
        return broken < 3 ? route.abort() : route.continue();
      });
      await page.getByRole("button", { name: "Run", exact: true }).click();
      const drawer = page.getByRole("tabpanel", { name: "Run" });
      const word = (text: RegExp) => drawer.getByRole("status").filter({ hasText: text });
      await word(/^(Queued|Running)$/).waitFor();
      await word(/^Completed$/).waitFor();
      await drawer.getByText(/^2 steps/).waitFor();
      await drawer.getByRole("definition").filter({ hasText: "It is over" }).waitFor();
      expect(broken).toBeGreaterThan(0);
    });
  },
);
