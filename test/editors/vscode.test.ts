import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { understandTests } from "../../compiler/understand-tests.js";
import { findProgram, looksLikeSheet, startOf } from "../../editors/vscode/src/find.js";
import { pageOf } from "../../editors/vscode/src/page.js";
import { createFolder } from "../cli/folder.js";
import { testWorld, understandText } from "../world.js";

const FOLDER = "editors/vscode";
const json = (file: string) => JSON.parse(readFileSync(file, "utf8"));

interface Snippet {
  readonly prefix: string;
  readonly body: string | readonly string[];
}
const snippets = Object.values(json(`${FOLDER}/snippets/csv.json`) as { [name: string]: Snippet });

/** A snippet as it stands when nothing is typed into it: each place holds its first text. */
function expanded(prefix: string): string {
  const { body } = snippets.find((one) => one.prefix === prefix) as Snippet;
  const lines = Array.isArray(body) ? body.join("\n") : String(body);
  const texts = new Map<string, string>();
  let text = lines.replace("$0", "");
  // The innermost places first; a place without a text takes that of its number.
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(/\$\{(\d+):((?:[^\\${}]|\\.|\{(?!\$))*)\}/, (_, number: string, first: string) => {
      texts.set(number, first.replace(/\\(.)/g, "$1"));
      return texts.get(number) ?? "";
    });
    text = text.replace(/\$\{(\d+)\}/g, (whole, number: string) => texts.get(number) ?? whole);
  }
  return text;
}

const prefixes = snippets.map(({ prefix }) => prefix);
const nodes = prefixes.filter((prefix) => prefix.startsWith("fs-") && prefix !== "fs-case");

describe("the snippets", () => {
  test.each(nodes)("%s is a row of the sheet", (prefix) => {
    const other = expanded("fs-echo").replace("Graph,Node", "Other,Node");
    const { diagnostics, graphs } = understandText(`${expanded("flowsheet")}${expanded(prefix)}\n${other}\n`);
    expect(diagnostics).toEqual([]);
    expect(graphs.map(({ name }) => name)).toEqual(["Graph", "Other"]);
  });

  test("the case is one of the node that writes a text", () => {
    const { graphs } = understandText(`${expanded("flowsheet")}${expanded("fs-echo")}\n`);
    const text = `${expanded("flowsheet-test")}${expanded("fs-case")}\n`;
    const tests = { file: "a.test.csv", bytes: new TextEncoder().encode(text) };
    const { diagnostics, cases } = understandTests(tests, { graphs, agents: testWorld().agents });
    expect(diagnostics).toEqual([]);
    expect(cases).toHaveLength(1);
  });

  test("the documentation names them all", () => {
    const readme = readFileSync(`${FOLDER}/README.md`, "utf8");
    expect(prefixes.filter((prefix) => !readme.includes(`\`${prefix}\``))).toEqual([]);
  });
});

describe("the program", () => {
  test("is that of the folder, or the one that the setting names", () => {
    const folder = createFolder({ "tools/flowsheet": "", "node_modules/.bin/flowsheet": "" });
    const installed = join(folder, "node_modules/.bin/flowsheet");
    expect(findProgram(folder, "", "linux")).toEqual({ path: installed });
    expect(findProgram(folder, " tools/flowsheet ", "linux")).toEqual({
      path: join(folder, "tools/flowsheet"),
    });
    expect(findProgram(folder, installed, "linux")).toEqual({ path: installed });
    writeFileSync(join(folder, "node_modules/.bin/flowsheet.cmd"), "");
    expect(findProgram(folder, "", "win32")).toEqual({ path: `${installed}.cmd` });
  });

  test("a missing one is told with its cure", () => {
    const folder = createFolder({});
    mkdirSync(join(folder, "node_modules"));
    expect(findProgram(folder, "", "linux")).toEqual({
      missing: "flowsheet is not installed in this folder: run npm install --save-dev flowsheet",
    });
    expect(findProgram(folder, "no/such", "linux")).toEqual({
      missing: `flowsheet.path names ${join(folder, "no/such")}, which is not there`,
    });
  });

  test("only .cmd files are started by a shell", () => {
    expect(startOf("/a b/flowsheet")).toEqual({ command: "/a b/flowsheet", shell: false });
    expect(startOf("C:\\a b\\flowsheet.cmd")).toEqual({ command: '"C:\\a b\\flowsheet.cmd"', shell: true });
  });

  test.each<[string, string, boolean]>([
    ["a.csv", "graph_name,node_name\n", true],
    ["a.csv", "GraphName;Node Name\n", true],
    ["a.csv", "name,price\nnode_name,2\n", false],
    ["a.test.csv", "case,given\n", true],
    ["a.test.csv", "name,price\n", false],
  ])("is missed beside %s with %j: %s", (file, text, isMissed) => {
    expect(looksLikeSheet(file, text)).toBe(isMissed);
  });
});

describe("the page of the preview", () => {
  const picture = { graph: '"><script>', svg: "<svg><script>alert(1)</script></svg>" };

  test("runs nothing, and loads nothing", () => {
    const page = pageOf(picture, "abc");
    expect(page).toContain("default-src 'none'; img-src data:; style-src 'nonce-abc'");
    expect(page).not.toContain("<script");
    expect(page).toContain(Buffer.from(picture.svg).toString("base64"));
  });

  test("says what to do without a graph", () => {
    expect(pageOf(null, "abc")).toContain("Put the cursor into a row of a graph");
  });
});

describe("the package", () => {
  const manifest = json(`${FOLDER}/package.json`);
  const source = readdirSync(`${FOLDER}/src`)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(`${FOLDER}/src/${name}`, "utf8"))
    .join("\n");

  test("has the version of flowsheet, and is no part of its package", () => {
    const root = json("package.json");
    expect(manifest.version).toBe(root.version);
    expect(root.workspaces).toBeUndefined();
    expect(root.files.some((file: string) => file.startsWith("editors"))).toBe(false);
  });

  test("its lockfile holds no addresses of downloads", () => {
    expect(readFileSync(`${FOLDER}/package-lock.json`, "utf8")).not.toContain('"resolved"');
  });

  test("registers each command that it contributes, and no other", () => {
    const contributed = manifest.contributes.commands.map(({ command }: { command: string }) => command);
    const registered = [...source.matchAll(/\bof\(\s*"(flowsheet\.\w+)"/g)].map(([, name]) => name);
    expect(registered.toSorted()).toEqual(contributed.toSorted());
  });

  test("is off in workspaces that are not trusted", () => {
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(false);
  });
});
