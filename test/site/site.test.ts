import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { pageNames } from "../../cli/docs/site.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { expectAccessible } from "../studio/page/browser.js";
import { describeInBrowser } from "../studio/page/stage.js";

const HEADER =
  "graph_name,node_name,next_node,agent_type,context,input_fields,output_field,prompt,description\n";
const BAD = `</script><img src=x onerror=alert(1)>' & \u202e \u0000`;
const FILES = {
  "flowsheet.yaml": "workflows: workflows\n",
  "workflows/refund.csv":
    `${HEADER}Refund Desk,Ask,Pay,input,,,wish,What do you want?,"Asks ${BAD}"\n` +
    `Refund Desk,Pay,Each,echo,,wish,paid,"Paid {wish} ${BAD}",\n` +
    'Refund Desk,Each,,graph,"{""graph"": ""Item"", ""over"": ""list""}",list:list,x=all,,\n',
  "workflows/item.csv": `${HEADER}Item,One,,echo,,item,x,{item},\nindex,Two,,echo,,,y,two,\nITEM,Three,,echo,,,z,three,\n`,
  "workflows/refund.test.csv": `graph_name,case,given,answers,expect_state\nRefund Desk,"${BAD}","{""list"": []}","{""Ask"": ""money""}","{""wish"": ""money""}"\n`,
} as const;

async function made(files: { readonly [path: string]: string } = FILES): Promise<string> {
  const cwd = createFolder(files);
  const { code, stderr } = await flowsheet(["docs"], { cwd });
  expect([code, stderr]).toEqual([0, expect.stringContaining("open workflow-docs/index.html")]);
  return cwd;
}

const pagesIn = (cwd: string): ReadonlyMap<string, string> => {
  const folder = join(cwd, "workflow-docs");
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
};

test("each graph has a page, and made again every page has the same bytes", async () => {
  const cwd = await made();
  const pages = pagesIn(cwd);
  expect([...pages.keys()].sort()).toEqual(
    ["index-2.html", "index.html", "item-2.html", "item.html", "refund-desk.html"].sort(),
  );
  expect((await flowsheet(["docs"], { cwd })).code).toBe(0);
  expect(pagesIn(cwd)).toEqual(pages);
});

test("all links lead somewhere, and nothing is loaded", async () => {
  const pages = pagesIn(await made());
  for (const [name, text] of pages) {
    const ids = new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
    const links = [...text.matchAll(/ href="([^"]*)"/g)].map(([, href = ""]) => href);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links)
      expect(link.startsWith("#") ? ids.has(link.slice(1)) : pages.has(link), `${name}: ${link}`).toBe(true);
    expect(text.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(
      /https?:|<(?:img|image|use|link|iframe|script)\s|@import|url\(/,
    );
  }
  expect(pages.get("refund-desk.html")).toContain('<a href="item-2.html">Item</a>');
});

test("no text of a sheet becomes markup, and only the page's own script may run", async () => {
  for (const [, text] of pagesIn(await made())) {
    expect(text).not.toMatch(/<img|onerror=(?!alert\(1\)&gt;)/);
    for (const hidden of ["\u202e", "\u0000"]) expect(text.includes(hidden)).toBe(false);
    const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, body = ""]) => body);
    const allowed = scripts.map((body) => `'sha256-${createHash("sha256").update(body).digest("base64")}'`);
    expect(text).toContain(`script-src ${allowed[0] ?? "'none'"};`);
    expect(scripts.length).toBeLessThan(2);
  }
});

test("what test sheets expect stands as examples, and prompts and settings stand with their steps", async () => {
  const text = pagesIn(await made()).get("refund-desk.html") ?? "";
  for (const words of ["What do you want?", "Ask: money", "wish: money", "<dt>over</dt>"])
    expect(text).toContain(words);
});

test("--check fails when a page is out of date; --clean removes pages of graphs that are gone, and no other", async () => {
  const cwd = await made();
  const own = join(cwd, "workflow-docs/mine.html");
  writeFileSync(own, "<p>mine</p>");
  expect((await flowsheet(["docs", "--check"], { cwd })).code).toBe(0);
  writeFileSync(join(cwd, "workflows/item.csv"), `${HEADER}Item,Other,,echo,,item,x,{item},\n`);
  expect((await flowsheet(["docs", "--check"], { cwd })).code).toBe(1);
  const told = await flowsheet(["docs"], { cwd });
  expect(told.stderr).toContain("index-2.html is made from no graph any more; --clean removes it");
  const stale = await flowsheet(["docs", "--check"], { cwd });
  expect([stale.code, stale.stderr]).toEqual([1, expect.stringContaining("index-2.html is made from no")]);
  expect((await flowsheet(["docs", "--clean"], { cwd })).code).toBe(0);
  expect([...pagesIn(cwd).keys()].sort()).toEqual([
    "index.html",
    "item.html",
    "mine.html",
    "refund-desk.html",
  ]);
  writeFileSync(join(cwd, "workflow-docs/item.html"), "mine, too");
  expect((await flowsheet(["docs"], { cwd })).code).toBe(2);
});

test("pages of one sheet are made again without those of others", async () => {
  const cwd = await made();
  writeFileSync(join(cwd, "workflows/item.csv"), `${HEADER}Item,Other,,echo,,item,x,{item},\n`);
  expect((await flowsheet(["docs", "workflows/item.csv", "--clean"], { cwd })).code).toBe(0);
  expect([...pagesIn(cwd).keys()].sort()).toEqual(["index.html", "item.html", "refund-desk.html"]);
});

test("a file of somebody else stops the whole site, whatever it says further on", async () => {
  const cwd = await made();
  const before = pagesIn(cwd);
  const mine = `${"mine ".repeat(100)}@generated by flowsheet`;
  writeFileSync(join(cwd, "workflow-docs/item.html"), mine);
  writeFileSync(join(cwd, "workflows/refund.csv"), `${HEADER}Refund,One,,echo,,item,x,{item},\n`);
  const { code, stderr } = await flowsheet(["docs", "--clean"], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining("item.html was not written by flowsheet")]);
  expect(pagesIn(cwd)).toEqual(new Map(before).set("item.html", mine));
});

test("a link among the pages does not take text to a file of somebody else", async () => {
  const cwd = await made();
  const page = join(cwd, "workflow-docs/item.html");
  const others = join(cwd, "others.txt");
  for (const [words, target] of [
    ["was not written by flowsheet", others],
    ["is a link to a file that is not there", join(cwd, "new.txt")],
  ] as const) {
    rmSync(page);
    symlinkSync(target, page);
    writeFileSync(others, "mine");
    const { code, stderr } = await flowsheet(["docs"], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect([readFileSync(others, "utf8"), existsSync(join(cwd, "new.txt"))]).toEqual(["mine", false]);
  }
});

test("a sheet with errors makes no pages", async () => {
  const cwd = createFolder({ "bad.csv": `${HEADER}Bad,One,Tow,echo,,,x,y,\n` });
  const { code, stderr } = await flowsheet(["docs"], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining("unknown-node")]);
});

test("names of pages are in kebab case, and numbered where they are taken", () => {
  expect(pageNames(["OrderApproval", "Order approval", "Index", "€", "Größe 2", "../etc"])).toEqual([
    ...[
      "order-approval.html",
      "order-approval-2.html",
      "index-2.html",
      "graph.html",
      "größe-2.html",
      "etc.html",
    ],
  ]);
});

const noServer = async () => ({ stop: async () => {} });

describeInBrowser("in a browser", noServer, (stage) => {
  test.each(["light", "dark"] as const)(
    "the first page finds graphs by what they say, %s",
    async (colorScheme) => {
      const page = await stage.visit(pathToFileURL(join(await made(), "workflow-docs/index.html")).href, {
        colorScheme,
      });
      const shown = () => page.locator("li:visible a").allTextContents();
      expect(await shown()).toEqual(["ITEM", "Item", "Refund Desk", "index"]);
      await page.getByRole("searchbox").fill("want What");
      await expect.poll(shown).toEqual(["Refund Desk"]);
      await expectAccessible(page);
      await page.getByRole("link", { name: "Refund Desk" }).click();
      await page.getByRole("heading", { name: "Refund Desk" }).waitFor();
      await expectAccessible(page);
    },
  );
});
