import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { downloadOf } from "../../cli/pull/link.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { listen } from "../net/server.js";
import { bookOf, rowsOf } from "./made.js";

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

/** One worksheet looks things up in a second, and runs a graph of a third. */
const bookWith = (price: string): Uint8Array => {
  const header = [
    "graph_name",
    "node_name",
    "agent_type",
    "context.graph",
    "input_fields",
    "output_field",
    "prompt",
  ];
  const sheet = (name: string, ...rows: readonly (readonly string[])[]) => ({ name, data: rowsOf(rows) });
  return bookOf({
    sheets: [
      sheet("Flow", header, [
        ...["Post", "Price", "formula", "", "zone:string", "price"],
        `LOOKUP(zone, "Tariff", "${price}")`,
      ]),
      sheet("More", header, ["Outer", "Call", "graph", "Post", "zone", "price", ""]),
      sheet("Tariff", ["zone", price], ["EU", "high"]),
    ],
  });
};

test("the worksheets of a workbook are checked with each other, not with those of the old file", async () => {
  let price = "price";
  await using server = await listen((_, answer) => answer.end(bookWith(price)));
  const cwd = createFolder({ "flowsheet.yaml": `network: {allow: ["${server.host}"]}\n` });
  for (const file of ["post.xlsx", "workflows/post.xlsx"]) {
    mkdirSync(join(cwd, "workflows"), { recursive: true });
    const pull = () => flowsheet(["pull", `http://${server.host}/a`, file], { cwd });
    price = "price";
    expect(await pull()).toMatchObject({ code: 0, stderr: `wrote: ${file}\n` });
    price = "amount";
    expect(await pull()).toMatchObject({ code: 0, stderr: `wrote: ${file}\n` });
    expect(Buffer.from(bookWith(price)).equals(readFileSync(join(cwd, file)))).toBe(true);
    rmSync(join(cwd, file));
  }
});

test("a link that leads nowhere is told with what can be done about it", async () => {
  await using server = await listen(({ url }, answer) => {
    if (url === "/loop") answer.writeHead(302, { location: "/loop" });
    if (url === "/file") answer.writeHead(302, { location: "file:///etc/passwd" });
    answer.end("");
  });
  const cwd = createFolder({ "flowsheet.yaml": `network: {allow: ["${server.host}"]}\n` });
  const pull = async (path: string) =>
    (await flowsheet(["pull", `http://${server.host}${path}`, "a.csv"], { cwd })).stderr;
  expect(await pull("/loop")).toContain(
    "redirects more than 5 times\n  = help: is the link that of a sheet?",
  );
  expect(await pull("/file")).toBe("error: an address begins with https:// or http://, not with file:\n");
});

test("a workbook that is fetched runs graphs of the sheets beside the file that it becomes", async () => {
  const header = ["graph_name", "node_name", "agent_type", "context.graph", "input_fields", "output_field"];
  const flow = (name: string, zone: string) => ({
    name,
    data: rowsOf([header, [name, "Call", "graph", "Helper", `${zone}:string`, "greeting"]]),
  });
  const book = bookOf({ sheets: [flow("One", "zone"), flow("Two", "zone")] });
  await using server = await listen((_, answer) => answer.end(book));
  const cwd = createFolder({
    "flowsheet.yaml": `network: {allow: ["${server.host}"]}\n`,
    "flows/helper.csv":
      "graph_name,node_name,agent_type,input_fields,output_field,prompt\nHelper,A,echo,zone,greeting,Hello {zone}\n",
  });
  const pulled = await flowsheet(["pull", `http://${server.host}/a`, "flows/post.xlsx"], { cwd });
  expect(pulled).toMatchObject({ code: 0, stderr: "wrote: flows/post.xlsx\n" });
});
