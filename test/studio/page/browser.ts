import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

const CHROMIUM = "/usr/bin/chromium";

export const hasBrowser = existsSync(CHROMIUM);
/** Said by tests that need one. */
export const NO_BROWSER = hasBrowser ? "" : ` (skipped: there is no ${CHROMIUM})`;

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });

export interface Visit {
  readonly page: Page;
  /** What no page may do: errors in its console, and requests to others. */
  readonly faults: readonly string[];
  readonly leave: () => Promise<void>;
}

export async function visit(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  const { origin } = new URL(address);
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith("data:")) faults.push(`asks ${url}`);
  });
  await page.goto(address);
  return { page, faults, leave: () => context.close() };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Violations {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** Expects that axe finds nothing. Evaluated by the browser's tools, which the page's policy does not bind. */
export async function expectAccessible(page: Page): Promise<void> {
  const options = JSON.stringify({ runOnly: RULES });
  const found = (await page.evaluate(
    `globalThis.axe === undefined && (() => { ${axe} })(); axe.run(document, ${options})`,
  )) as Violations;
  expect(
    found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
  ).toEqual([]);
}
