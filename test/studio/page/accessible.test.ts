import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, test } from "vitest";
import { expectAccessible } from "./browser.js";
import { cellOf } from "./rows.js";
import { describeStudio, type StudioStage } from "./stage.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const CASES = readFileSync("examples/support.test.csv", "utf8");
const files = {
  "workflows/support.csv": SUPPORT,
  "workflows/support.test.csv": CASES,
  "workflows/broken.csv": SUPPORT.replaceAll("Support", "Broken").replace("Decline,Close", "Decline,Clsoe"),
  "workflows/empty.csv": "graph,node,next,agent\n",
  "workflows/no-sheet.csv": '"never closed\n',
};

const refund = { customer: "Ada", question: "I want a refund" };

/** Runs of the server, one of which waits. */
async function startRun({ studio }: StudioStage): Promise<string> {
  const body = JSON.stringify({ graph_name: "Support", initial_state: refund });
  const { json } = await studio.ask("POST /execute", ["Content-Type: application/json"], body);
  return String(json?.["run_id"]);
}

const sheet = async (stage: StudioStage, name = "support.csv"): Promise<Page> => {
  const page = await stage.open(name, { allows: /404|422/ });
  await page.getByRole("img", { name: /: \d+ nodes, from/ }).waitFor();
  return page;
};
const tab = async (page: Page, name: string): Promise<Page> => {
  await page.getByRole("tab", { name }).click();
  await page.getByRole("tabpanel", { name }).waitFor();
  return page;
};

/** Each screen with what it may show, brought to where axe looks at it. */
const SCREENS: { readonly [name: string]: (stage: StudioStage) => Promise<Page> } = {
  "a key is asked for": async (stage) => {
    const page = await stage.visit(`http://127.0.0.1:${stage.studio.port}/studio/`, { allows: /401/ });
    await page.getByLabel(/API key/).fill("wrong");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("The server does not take this key or token.").waitFor();
    return page;
  },
  "list of sheets": async (stage) => {
    const page = await stage.open();
    await page.getByRole("link", { name: /broken/ }).waitFor();
    return page;
  },
  "a sheet, with the form of a run": async (stage) => {
    const page = await sheet(stage);
    await page.getByLabel("customer").fill("Ada");
    return page;
  },
  "a sheet, its problems, and one of them in its cell": async (stage) => {
    const page = await sheet(stage, "broken.csv");
    await page.getByRole("button", { name: /^✕ Error/ }).click();
    return page;
  },
  "a sheet without rows": async (stage) => {
    const page = await stage.open("empty.csv");
    await page.getByText("first step").waitFor();
    return page;
  },
  "a file that is no sheet": async (stage) => {
    const page = await stage.open("no-sheet.csv");
    await page.getByRole("tab", { name: /Problems/ }).waitFor();
    return page;
  },
  "a cell that is written, with what may be written": async (stage) => {
    const page = await sheet(stage);
    await cellOf(page, "Decline", "Next").click();
    await page.keyboard.type("Es");
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    return page;
  },
  "the menu of a row": async (stage) => {
    const page = await sheet(stage);
    await cellOf(page, "Decline", "Node").click({ button: "right" });
    await page.getByRole("menu", { name: "Row" }).waitFor();
    return page;
  },
  "a row as a form": async (stage) => {
    const page = await sheet(stage);
    await cellOf(page, "Decline", "Next").click();
    await page.keyboard.press("Space");
    await page.getByRole("region", { name: "Row", exact: true }).waitFor();
    return page;
  },
  "cases, and one that has passed": async (stage) => {
    const page = await tab(await sheet(stage), "Tests");
    await page.getByRole("button", { name: "Run all cases" }).click();
    await page.getByText("11 of 11 nodes").waitFor();
    return page;
  },
  "the module of a graph": async (stage) => {
    const page = await tab(await sheet(stage), "Module");
    await page.locator(".code-line").first().waitFor();
    return page;
  },
  "a run that is led": async (stage) => {
    const page = await sheet(stage);
    await page.getByLabel("customer").fill("Ada");
    await page.getByLabel("question").fill("I want a refund");
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await page.getByRole("region", { name: "Paused before Ask" }).waitFor();
    return page;
  },
  "a run that asks, in the drawer": async (stage) => {
    const page = await sheet(stage);
    await page.getByLabel("customer").fill("Ada");
    await page.getByLabel("question").fill("I want a refund");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
    return page;
  },
  "list of runs, and one that waits": async (stage) => {
    const id = await startRun(stage);
    const page = await stage.open(`#/runs/${id}`);
    await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
    await page.getByRole("img", { name: /: \d+ nodes, from/ }).waitFor();
    return page;
  },
  "the Inbox": async (stage) => {
    await startRun(stage);
    const page = await stage.open("#/inbox");
    await page.getByRole("article").first().waitFor();
    return page;
  },
  "what is found": async (stage) => {
    const page = await sheet(stage);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /^Find/ }).fill("refund");
    await page.getByRole("option").first().waitFor();
    return page;
  },
  "the table of keys": async (stage) => {
    const page = await sheet(stage);
    await page.getByRole("tab", { name: "Run" }).focus();
    await page.keyboard.press("?");
    await page.getByRole("region", { name: "In the picture" }).waitFor();
    return page;
  },
};

describeStudio("axe finds nothing", { files, compiles: true }, (stage) => {
  describe.each(Object.entries(SCREENS))("%s", (_, arrange) => {
    test("light and dark", async () => {
      const page = await arrange(stage);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
        await expectAccessible(page);
      }
    });
  });
});
