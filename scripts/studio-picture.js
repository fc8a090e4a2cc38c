// Takes the pictures of the Studio for the README from the page itself: a run of examples/support.csv that waits.
// node scripts/studio-picture.js
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";
const MOST_BYTES = 150 * 1024;

const folder = mkdtempSync(join(tmpdir(), "flowsheet-picture-"));
copyFileSync("examples/support.csv", join(folder, "support.csv"));
const server = spawn(process.execPath, [resolve("dist/cli/bin.js"), "studio", "support.csv"], {
  cwd: folder,
});
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
try {
  const address = await addressOf(server);
  for (const scheme of ["light", "dark"]) await take(address, scheme, `docs/studio-${scheme}.png`);
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
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

async function take(address, colorScheme, file) {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    colorScheme,
    reducedMotion: "reduce",
  });
  await page.goto(address);
  await page.getByLabel("customer").fill("Ada");
  await page.getByLabel("question").fill("I want a refund");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  await page.getByRole("img", { name: /^Support: 11 nodes/ }).waitFor();
  await page.waitForTimeout(500);
  await page.screenshot({ path: file });
  await page.context().close();
  const { size } = statSync(file);
  if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes: more than ${MOST_BYTES}`);
  console.log(`${file}: ${size} bytes`);
}
