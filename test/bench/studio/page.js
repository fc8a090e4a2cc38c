// A page of the Studio in a browser, as `flowsheet studio` serves it, and what it costs.
import { spawn } from "node:child_process";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { sized } from "../size.js";

export const CHROMIUM = "/usr/bin/chromium";
const BIN = fileURLToPath(new URL("../../../dist/cli/bin.js", import.meta.url));

/** Opens a sheet, measures, and closes all. */
export async function withPage(file, measure) {
  const server = await serve(file);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const tools = await page.context().newCDPSession(page);
    await tools.send("Performance.enable", { timeDomain: "threadTicks" });
    return await measure({ page, tools, address: server.address });
  } finally {
    await browser.close();
    server.stop();
  }
}

async function serve(file) {
  const server = spawn(process.execPath, [BIN, "studio", basename(file)], { cwd: dirname(file) });
  let told = "";
  for (const stream of [server.stdout, server.stderr])
    stream.on("data", (text) => {
      told += text;
    });
  const found = () => /http:\S+#token=\S+/.exec(told)?.[0];
  for (let i = 0; i < 600 && found() === undefined; i++) await new Promise((go) => setTimeout(go, 50));
  const address = found();
  if (address === undefined) throw new Error(`the Studio did not start: ${told}`);
  return { address, stop: () => server.kill() };
}

/** Milliseconds of processor time that the page's main thread has spent. */
export async function spent(tools) {
  const { metrics } = await tools.send("Performance.getMetrics");
  return 1_000 * metrics.find(({ name }) => name === "TaskDuration").value;
}

export async function heapMb(tools) {
  for (let i = 0; i < 3; i++) await tools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await tools.send("Runtime.getHeapUsage");
  return usedSize / 1024 / 1024;
}

export const isDrawn = (page) =>
  page.locator(".painted :is(svg, canvas)").first().waitFor({ timeout: 120_000 });

/** Lets the page do what it has begun. */
export const rest = (page) => page.waitForTimeout(sized(600, 100));
