// How long a person waits for an answer of the page: the problem of what is typed, the row of a node, the first picture.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundleForBrowser } from "../../../scripts/bundle-browser.js";
import { sized } from "../size.js";
import { isDrawn, rest, spent } from "./page.js";

const FOLDER = fileURLToPath(new URL("../../../dist/studio", import.meta.url));
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const UNDERSTAND = `
  export { SheetDocument } from "./compiler/service/document.ts";
  export { worldFrom } from "./runtime/studio/world-data.ts";
  export { agentFacts } from "./runtime/agents/facts.ts";
`;
const NO_WORLD = {
  ...{ unknownAgent: "warning", customAgents: [], possibleAgents: [], passedOver: [] },
  ...{ prompts: [], sheets: [], connections: null, tables: [], lacks: [] },
};
const KEYS = sized(40, 4);
const CLICKS = sized(30, 3);

/** Each of them keeps the times of one kind. They run in the page. */
const WATCH = `
  globalThis.times = [];
  const painted = (since) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => times.push(performance.now() - since);
    requestAnimationFrame(() => port2.postMessage(null));
  };
  globalThis.watchProblem = (field) => {
    let since = null;
    field.addEventListener("keydown", ({ timeStamp }) => { since = timeStamp; }, true);
    new MutationObserver(() => {
      const said = document.querySelector("#judged")?.textContent ?? "";
      if (since === null || (said !== "") !== field.value.endsWith("q")) return;
      painted(since);
      since = null;
    }).observe(document.querySelector("#judged"), { subtree: true, childList: true, characterData: true });
  };
  globalThis.watchRows = () => {
    let since = null;
    document.querySelector(".drawn").addEventListener("click", ({ timeStamp }) => { since = timeStamp; }, true);
    new MutationObserver(() => {
      if (since === null) return;
      painted(since);
      since = null;
    }).observe(document.querySelector(".grid"), { subtree: true, childList: true, attributeFilter: ["aria-selected"] });
  };
`;

const share = (times, part) => {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
};
const taken = async (page, count) => {
  await page.waitForFunction((most) => globalThis.times.length >= most, count, { timeout: 120_000 });
  const times = await page.evaluate("times.splice(0)");
  return { p50: share(times, 0.5), p95: share(times, 0.95) };
};

/** From a key to the problem of the cell with it, in the first graph of a sheet and in its last. */
export async function measureProblems({ page, address }) {
  await page.goto(address);
  await isDrawn(page);
  await page.evaluate(WATCH);
  const large = await typeNames(page);
  for (const key of ["Escape", "Escape", "Control+End", "ArrowUp", "ArrowUp"]) await page.keyboard.press(key);
  await rest(page);
  const small = await typeNames(page);
  return { large, small };
}

/** Makes the name of a node one that is not there, and back, in the row that is chosen. */
async function typeNames(page) {
  const head = page.getByRole("columnheader", { name: /^Next/ });
  const column = await head.getAttribute("aria-colindex");
  const row = page.getByRole("row").filter({ has: page.locator('[aria-selected="true"]') });
  await row.locator(`[role="gridcell"][aria-colindex="${column}"]`).click();
  await page.keyboard.press("F2");
  const field = page.locator("textarea[aria-autocomplete]");
  await field.waitFor();
  await field.evaluate((element) => globalThis.watchProblem(element));
  await rest(page);
  for (let i = 0; i < KEYS; i++) {
    await page.keyboard.press(i % 2 === 0 ? "q" : "Backspace");
    await page.waitForFunction((count) => globalThis.times.length >= count, i + 1, { timeout: 120_000 });
  }
  return taken(page, KEYS);
}

/** From a click on a node to the frame that shows its row as the chosen one. */
export async function measureChoosing({ page, address }) {
  await page.goto(address);
  await isDrawn(page);
  await page.evaluate(WATCH);
  await page.evaluate("watchRows()");
  await rest(page);
  const box = await page.locator(".drawn").boundingBox();
  for (let i = 0; i < CLICKS; i++) {
    const [across, down] = [((i * 37) % 90) + 5, ((i * 53) % 90) + 5];
    await page.mouse.click(box.x + (box.width * across) / 100, box.y + (box.height * down) / 100);
    await page.waitForTimeout(60);
  }
  return taken(page, 1);
}

/** The first layout that a page makes, of a sheet's first graph: milliseconds of processor time. */
export async function measureLayout({ page, tools, address }, file) {
  const graph = JSON.stringify(await firstGraph(file));
  await page.goto(address);
  await isDrawn(page);
  const layout = readdirSync(FOLDER).find((name) => /^layout-.*\.js$/.test(name));
  await page.evaluate(`import("./${layout}").then((found) => { globalThis.layout = found; })`);
  await page.evaluate(`globalThis.given = ${graph}`);
  await rest(page);
  const before = await spent(tools);
  await page.evaluate("layout.layOutGraph(given).then(({ width }) => width)");
  return (await spent(tools)) - before;
}

/** As the page's compiler understands it. */
async function firstGraph(file) {
  const bundle = join(dirname(file), "understand.mjs");
  writeFileSync(bundle, (await bundleForBrowser(UNDERSTAND, { resolveDir: ROOT })).text);
  const { SheetDocument, worldFrom, agentFacts } = await import(pathToFileURL(bundle).href);
  const world = { world: worldFrom(NO_WORLD, "", agentFacts) };
  return SheetDocument.open("sheet.csv", readFileSync(file, "utf8"), world).view().graphs[0];
}
