// Takes pictures of the Studio from the page itself.
// node scripts/studio-picture.js             the two of the README: a run of examples/support.csv that waits
// node scripts/studio-picture.js --all DIR   eight pages in both colours and on a telephone, to be looked at by a person
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { largeGraph } from "../test/bench/sheets.js";

const CHROMIUM = "/usr/bin/chromium";
const MOST_BYTES = 200 * 1024;
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const LONG_NAME = "Ask the customer whether the parcel has come, and in which state it was";

/** Each page, brought to what it shows at its best or at its worst. */
const PAGES = {
  sheets: ({ page }) => page.getByRole("link", { name: /large\.csv.*1,?000 nodes/ }).waitFor(),
  waits: async ({ page, open }) => {
    await open("support.csv");
    await startRefund(page);
  },
  problems: async ({ page, open }) => {
    await open("broken.csv");
    await page
      .getByRole("button", { name: /^✕ Error/ })
      .first()
      .click();
  },
  tests: async ({ page, open }) => {
    await open("support.csv");
    await page.getByRole("tab", { name: "Tests" }).click();
    await page.getByRole("button", { name: "Run all cases" }).click();
    await page.getByText("11 of 11 nodes").waitFor();
  },
  module: async ({ page, open }) => {
    await open("support.csv");
    await page.getByRole("tab", { name: "Module" }).click();
    await page.locator(".code-line").first().waitFor();
  },
  large: ({ open }) => open("large.csv"),
  runs: async ({ page, at }) => {
    await at("#/runs");
    await page.getByRole("region", { name: "List of runs" }).getByRole("link").first().click();
    await page.getByRole("img", { name: /: \d+ nodes/ }).waitFor({ state: "attached" });
  },
  inbox: async ({ page, at }) => {
    await at("#/inbox");
    await page.getByRole("article").first().waitFor();
  },
};

/** Wide, the rows of a sheet are a grid; on a telephone they are a list, and a row is a form. */
const PHONE_PAGES = {
  ...PAGES,
  row: async ({ page, open }) => {
    await open("support.csv");
    await page.getByRole("button", { name: /^DraftRefund/ }).click();
    await page.getByRole("region", { name: "Row", exact: true }).waitFor();
  },
};

async function startRefund(page) {
  await page.getByLabel("customer").fill("Ada");
  await page.getByLabel("question").fill("I want a refund");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
}

const all = process.argv[2] === "--all" ? (process.argv[3] ?? "pictures") : null;
const folder = mkdtempSync(join(tmpdir(), "flowsheet-picture-"));
for (const name of ["support.csv", "support.test.csv"])
  copyFileSync(join("examples", name), join(folder, name));
if (all !== null) {
  const broken = ["graph,node,next,agent,inputs,output,prompt"];
  broken.push(
    `Broken,"${LONG_NAME}",Anwser,human,customer,reply,May {custmer} go on?`,
    "Broken,Answer,,echo,reply,,{reply}",
  );
  writeFileSync(join(folder, "broken.csv"), `${broken.join("\n")}\n`);
  writeFileSync(join(folder, "large.csv"), largeGraph(1_000));
  mkdirSync(all, { recursive: true });
}
const args = all === null ? ["support.csv"] : [];
const server = spawn(process.execPath, [resolve("dist/cli/bin.js"), "studio", ...args], {
  cwd: folder,
  // A pipe that nobody reads would stop the server when it is full.
  stdio: ["ignore", "pipe", "ignore"],
});
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
try {
  const address = await addressOf(server);
  for (const scheme of ["light", "dark"])
    if (all === null)
      await take(address, "waits", { scheme, viewport: WIDE, file: `docs/studio-${scheme}.png` });
    else await takeAll(address, scheme);
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function takeAll(address, scheme) {
  for (const [kind, viewport, pages] of [
    ["wide", WIDE, PAGES],
    ["phone", PHONE, PHONE_PAGES],
  ])
    for (const name of Object.keys(pages))
      await take(address, name, { scheme, viewport, file: join(all, `${name}-${kind}-${scheme}.png`) });
}

async function addressOf(child) {
  let told = "";
  for await (const text of child.stdout) {
    told += text;
    const found = /http:\S+#token=\S+/.exec(told);
    if (found !== null) return found[0];
  }
  throw new Error("the Studio did not start");
}

async function take(address, name, { scheme, viewport, file }) {
  const page = await browser.newPage({ viewport, colorScheme: scheme, reducedMotion: "reduce" });
  const at = (place) => page.evaluate(`location.hash = ${JSON.stringify(place)}`);
  const open = async (sheet) => {
    await at(`#/sheets/${sheet}`);
    await page.getByRole("img", { name: /: [\d,]+ nodes?, from/ }).waitFor({ state: "attached" });
  };
  await page.goto(address);
  await page.locator(".rail").waitFor();
  await PHONE_PAGES[name]({ page, at, open });
  await page.waitForTimeout(500);
  await page.screenshot({ path: file });
  await page.context().close();
  const { size } = statSync(file);
  if (all === null && size > MOST_BYTES)
    throw new Error(`${file} has ${size} bytes: more than ${MOST_BYTES}`);
  console.log(`${file}: ${size} bytes`);
}
