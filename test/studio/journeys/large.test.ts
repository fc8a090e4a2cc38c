import { expect, test } from "vitest";
import { inCi } from "../../how-many.js";
import { onDisk } from "../page/rows.js";
import { describeStudio } from "../page/stage.js";

const ROWS = 100_000;
const OF_A_GRAPH = 50;

/** Graphs of 50 nodes, one after the other. */
const LARGE = `graph,node,next,agent\n${Array.from({ length: ROWS }, (_, i) => {
  const [graph, node] = [Math.floor(i / OF_A_GRAPH), i % OF_A_GRAPH];
  return `G${graph},N${i},${node === OF_A_GRAPH - 1 ? "" : `N${i + 1}`},echo\n`;
}).join("")}`;

describeStudio("100,000 rows", { files: { "workflows/large.csv": LARGE } }, (stage) => {
  test.skipIf(!inCi)("a cell is written as in any other sheet", async () => {
    // On a busy machine the server understands the sheet for longer than a request may take to arrive: it is sent again.
    const page = await stage.open("large.csv", { allows: /408/ });
    page.setDefaultTimeout(240_000);
    await page.getByRole("gridcell", { name: "N1", exact: true }).first().click();
    await page.getByText("0 errors, 0 warnings").waitFor();
    await page.getByRole("img", { name: "G0: 50 nodes, from N0" }).waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Home");
    await page.locator("[role=gridcell]:focus", { hasText: /^N99999$/ }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.locator("[role=gridcell]:focus", { hasText: /^N99998$/ }).waitFor();
    const next = page.locator("[role=row]", { has: page.locator("[role=gridcell]:focus") });
    const column = await page.getByRole("columnheader", { name: /^Next/ }).getAttribute("aria-colindex");
    await next.locator(`[role="gridcell"][aria-colindex="${column}"]`).click();
    await page.keyboard.type("N999999");
    await page.keyboard.press("Enter");
    await page.getByText("1 error").first().waitFor();
    await expect
      .poll(() => onDisk(stage, "large.csv"), { timeout: 240_000 })
      .toBe(LARGE.replace("N99998,N99999,", "N99998,N999999,"));
  });
});
