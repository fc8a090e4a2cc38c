import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { downloadOf } from "../../cli/pull/link.js";
import { flowsheet } from "../cli/run.js";
import { listen } from "../net/server.js";

test.each([
  [
    "https://docs.google.com/spreadsheets/d/a-B_1/edit#gid=7",
    false,
    "https://docs.google.com/spreadsheets/d/a-B_1/export?format=csv&gid=7",
  ],
  [
    "https://docs.google.com/spreadsheets/d/a-B_1/edit?usp=sharing",
    false,
    "https://docs.google.com/spreadsheets/d/a-B_1/export?format=csv&gid=0",
  ],
  [
    "https://docs.google.com/spreadsheets/d/a-B_1/edit",
    true,
    "https://docs.google.com/spreadsheets/d/a-B_1/export?format=xlsx",
  ],
  ["https://x.sharepoint.com/:x:/s/a?e=1", true, "https://x.sharepoint.com/:x:/s/a?e=1&download=1"],
  ["https://example.com/a.csv", false, "https://example.com/a.csv"],
])("%s", (link, wantsBook, url) => {
  expect(downloadOf(link, wantsBook)).toBe(url);
});

const SHEET = "graph_name,node_name,prompt\nA,B,Hello\n";

test("a sheet is fetched, checked, written and compared", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "flowsheet-pull-"));
  let text = SHEET;
  await using server = await listen(({ url, headers }, answer) => {
    if (url === "/page") answer.setHeader("content-type", "text/html; charset=utf-8");
    if (url === "/private" && headers.authorization !== "Bearer t0k3n") answer.statusCode = 401;
    answer.end(text);
  });
  try {
    const yaml = `network:\n  allow: ["${server.host}"]\nlinks:\n  "${server.host}":\n    headers: {Authorization: env:TOKEN}\n`;
    writeFileSync(join(cwd, "flowsheet.yaml"), yaml);
    const env = { TOKEN: "Bearer t0k3n" };
    const pull = (path: string, ...more: readonly string[]) =>
      flowsheet(["pull", `http://${server.host}${path}`, ...more], { cwd, env });
    expect(await pull("/private", "a.csv")).toEqual({ code: 0, stdout: "", stderr: "wrote: a.csv\n" });
    expect(readFileSync(join(cwd, "a.csv"), "utf8")).toBe(SHEET);
    expect(await pull("/private", "a.csv", "--check")).toMatchObject({ code: 0 });
    text = SHEET.replace("Hello", "Bye");
    const changed = await pull("/private", "a.csv", "--check");
    expect(changed).toMatchObject({ code: 1 });
    expect(changed.stdout).toContain("+A,B,Bye");
    text = SHEET.replace("node_name", "nodes_nam");
    const bad = await pull("/private", "a.csv");
    expect(bad).toMatchObject({ code: 1 });
    expect(bad.stderr).toContain("missing-column");
    expect(readFileSync(join(cwd, "a.csv"), "utf8")).toBe(SHEET);
    const page = await pull("/page", "b.csv");
    expect(page.code).toBe(2);
    expect(page.stderr).toContain("link-needs-access");
    expect(existsSync(join(cwd, "b.csv"))).toBe(false);
    expect((await flowsheet(["pull", "http://127.0.0.1:9/x", "b.csv"], { cwd, env })).code).toBe(2);
    expect((await flowsheet(["pull", "support", "b.csv"], { cwd, env })).stderr).toContain("is no link");
    expect((await flowsheet(["pull"], { cwd })).stderr).toContain("pull needs a link and a file");
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
