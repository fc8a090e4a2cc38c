import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { inCi } from "../../how-many.js";
import { type LocalSetup, startStudio, type TestStudio } from "../local.js";
import { CHROMIUM, hasBrowser } from "./browser.js";

export interface VisitOptions extends BrowserContextOptions {
  /** Words of faults that the test brings about itself, such as an answer of 404. */
  readonly allows?: RegExp;
  /** Done before the page is opened: it asks for its parts at once. */
  readonly first?: (page: Page) => Promise<unknown>;
}

/** What the tests of one block share. */
export interface Stage<Server> {
  readonly server: Server;
  /** Opens a page in a window of its own. When the test ends it is closed, and must not have had a fault. */
  readonly visit: (address: string, options?: VisitOptions) => Promise<Page>;
}

export interface StudioStage {
  readonly studio: TestStudio;
  /** With its token; an empty text is the list of sheets. */
  readonly addressOf: (sheet: string) => string;
  readonly visit: Stage<TestStudio>["visit"];
  /** Opens the Studio with its token at a sheet, such as `support.csv`, or at a place, such as `#/runs`. */
  readonly open: (place?: string, options?: VisitOptions) => Promise<Page>;
}

/** Only what hangs is to fail: a machine with other work may be very slow. */
const PATIENCE_MS = 120_000;

/** Most tests in a browser are for CI: they take more than a minute together. */
type Form = "short" | "long";

/** Why a block is skipped; null when it runs. */
function whyNot(form: Form): string | null {
  if (!hasBrowser) return `there is no ${CHROMIUM}`;
  return form === "long" && !inCi ? "CI=true runs it" : null;
}

/** Tests in a browser, with a server of their own. */
export function describeInBrowser<Server extends { readonly stop: () => Promise<void> }>(
  title: string,
  start: () => Promise<Server>,
  tests: (stage: Stage<Server>) => void,
  form: Form = "long",
): void {
  const why = whyNot(form);
  describe.skipIf(why !== null)(why === null ? title : `${title} (skipped: ${why})`, () => {
    let begun: { readonly server: Server; readonly browser: Browser };
    beforeAll(async () => {
      const launch = chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
      const [server, browser] = await Promise.all([start(), launch]);
      begun = { server, browser };
    });
    afterAll(async () => {
      await begun?.browser.close();
      await begun?.server.stop();
    });
    tests({
      get server() {
        return begun.server;
      },
      visit: (address, options) => visit(begun.browser, address, options),
    });
  });
}

/** Tests in a browser, with a Studio of one machine of their own. */
export function describeStudio(
  title: string,
  setup: LocalSetup,
  tests: (stage: StudioStage) => void,
  form: Form = "long",
): void {
  const start = (): Promise<TestStudio> => startStudio(setup);
  const studioTests = (stage: Stage<TestStudio>): void => {
    const addressOf = (sheet: string): string => {
      const { port, secret } = stage.server;
      const at = sheet === "" ? "" : `&at=${encodeURIComponent(sheet)}`;
      return `http://127.0.0.1:${port}/studio/#token=${secret.token}${at}`;
    };
    const open: StudioStage["open"] = async (place = "", options = {}) => {
      if (!place.startsWith("#")) return stage.visit(addressOf(place), options);
      const page = await stage.visit(addressOf(""), options);
      await page.locator(".rail").waitFor();
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
      return page;
    };
    tests({
      get studio() {
        return stage.server;
      },
      ...{ addressOf, open, visit: stage.visit },
    });
  };
  describeInBrowser(title, start, studioTests, form);
}

async function visit(
  browser: Browser,
  address: string,
  { allows, first, ...options }: VisitOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const faults = watch(page, new URL(address).origin);
  onTestFinished(async () => {
    await context.close();
    expect(faults.filter((fault) => allows?.test(fault) !== true)).toEqual([]);
  });
  await first?.(page);
  await page.goto(address);
  return page;
}

/** What no page may do: errors in its console, and requests to others. */
function watch(page: Page, origin: string): readonly string[] {
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(?:data|file):/.test(url)) faults.push(`asks ${url}`);
  });
  return faults;
}
