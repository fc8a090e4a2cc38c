import { existsSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HELLO, KEYS, startService, type TestService } from "./service.js";

const CHROMIUM = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));
if (CHROMIUM === undefined) console.warn("no Chromium here: the tests of the pages are skipped");

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const EVIL = `graph_name,node_name,agent_type,description,prompt\n<img src=x onerror=alert(1)>,A,echo,<b>bold</b>,x\n`;

describe.skipIf(CHROMIUM === undefined)("in a browser", () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startService({ files: { "workflows/hello.csv": HELLO, "workflows/evil.csv": EVIL } });
    const { chromium } = await import("playwright-core");
    browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: FLAGS });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** A page, and all that must not happen on it. */
  async function open(
    path: string,
    width = 1_200,
  ): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const faults: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("dialog", (dialog) => faults.push(`dialog ${dialog.message()}`));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(service.url) && !url.startsWith("data:")) faults.push(`it leaves for ${url}`);
    });
    await page.goto(`${service.url}${path}`, { waitUntil: "networkidle" });
    return { page, faults };
  }

  /** Whether all pictures have arrived. */
  async function drawn(page: Page): Promise<unknown> {
    for (let i = 0; i < 50; i++) {
      const all = "[...document.images].every((one) => one.complete && one.naturalWidth > 0)";
      if ((await page.evaluate(all)) === true) return true;
      await page.waitForTimeout(100);
    }
    return false;
  }

  test("I09 / asks for a key, then shows the workflows and their pictures, on a phone, too", async () => {
    const { page, faults } = await open("/", 390);
    expect(await page.textContent("body")).not.toContain("hello.csv");
    await page.fill("#key", KEYS.readonly);
    await page.click("button");
    await page.locator("img").nth(1).waitFor();
    expect(await drawn(page)).toBe(true);
    expect(await page.textContent("#list")).toContain("<img src=x onerror=alert(1)>");
    expect(await page.isVisible("#ask")).toBe(false);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(faults).toEqual([]);
  });

  test("/docs runs a workflow with a key", async () => {
    const { page, faults } = await open("/docs");
    await page.click(".authorize");
    const header = page.locator(".auth-container", { hasText: "X-API-Key" });
    await header.locator("input").fill(KEYS.executor);
    await header.locator("button.authorize").click();
    await page.click(".btn-done >> nth=0");
    await page.click("#operations-runs-execute .opblock-summary-control");
    await page.click("#operations-runs-execute .try-out__btn");
    await page.fill(
      "#operations-runs-execute textarea",
      '{"graph_name":"Hello","initial_state":{"name":"Ada"}}',
    );
    await page.click("#operations-runs-execute .execute");
    await page.waitForSelector("#operations-runs-execute .live-responses-table");
    expect(await page.textContent("#operations-runs-execute .live-responses-table")).toContain("Hello Ada");
    expect(faults).toEqual([]);
  });

  test("/redoc shows every route", async () => {
    const { page, faults } = await open("/redoc");
    await page.waitForSelector("h1, h2");
    expect(await page.textContent("body")).toContain("Go on with a suspended run");
    expect(faults).toEqual([]);
  });
});
