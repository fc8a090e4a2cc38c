import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";

export const CHROMIUM = "/usr/bin/chromium";

export const hasBrowser = existsSync(CHROMIUM);

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
