import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { type Block, readBlocks, writeBlocks } from "./page.js";
import { openPageShell, type PageShell, type Printed } from "./page-shell.js";

/*
 * How a block of docs/*.md is run:
 * - a block that names a file, as in ```csv orders.csv, is that file; all of a page stand in one folder, in their order
 * - sh runs there, each line as a reader types it; the json (of stdout) or text (of both) after it is what it prints;
 *   its exit code is 0, or what a comment such as "# exit code 3" in its last line says
 * - ts is type-checked, all of a page as one module; with json or text after it, it is run
 * - yaml is validated as a configuration
 * - <!-- not run: why --> above a block excludes it
 */

/** Pages whose blocks of these languages another test runs. */
const ELSEWHERE: { readonly [page: string]: { readonly languages: readonly string[]; readonly by: string } } =
  {
    "agents.md": { languages: ["csv", "sh", "json", "text", "yaml"], by: "test/docs/agents-doc.test.ts" },
    "debugging.md": { languages: ["csv", "sh", "json", "text", ""], by: "test/debug/docs.test.ts" },
    "testing.md": { languages: ["csv", "console"], by: "test/docs/testing-doc.test.ts" },
    "observing.md": { languages: ["sh", "js"], by: "test/otel/telemetry.test.ts" },
    "many-machines.md": { languages: ["sh", "text"], by: "test/postgres/docs.test.ts" },
    "columns.md": { languages: ["csv"], by: "test/cases/columns-doc.test.ts" },
    "diagnostics.md": { languages: ["csv", "text"], by: "test/diagnostics/explanations.test.ts" },
  };

/** More exclusions than these need a better reason than "it was easier". */
const MOST_EXCLUDED = 5;

const pages = readdirSync("docs").filter((name) => name.endsWith(".md"));
const blocksOf = (page: string): readonly Block[] =>
  readBlocks(`docs/${page}`).filter(({ language }) => ELSEWHERE[page]?.languages.includes(language) !== true);

const isOutput = ({ language, path }: Block): boolean =>
  path === "" && (language === "json" || language === "text");
const isRun = ({ language }: Block): boolean => language === "sh" || language === "ts";

/** Whether this test knows what to do with a block. */
function isKnown(block: Block, before: Block | undefined): boolean {
  if (block.excluded !== null || block.path !== "") return true;
  if (isOutput(block)) return before !== undefined && isRun(before) && before.excluded === null;
  return isRun(block) || block.language === "yaml";
}

/** What differs from run to run. */
const steady = (text: string): string =>
  text
    .replace(/^([│\d ]*[✓✗!…] .*? {2})\d+(?:\.\d+)? ms/gm, "$10.1 ms")
    .replace(/\bfsk_[\w-]{20,}/g, "fsk_…")
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-01-31T12:00:00.000Z")
    .replace(/[\d.]+ m?s ago/g, "2 s ago")
    .replace(/the run [0-9a-f]{8} of [\d-]+ [\d:]+ UTC/g, "the run 3f2a91c4 of 2026-01-31 12:00 UTC")
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<request_id>")
    .replace(/\b[0-9a-f]{32,}\b/g, "<run_id>")
    .replace(/("duration_ms": ?)[\d.]+/g, "$10")
    .trim();

/** With GOLDEN=write the outputs of a page become what is printed: by their lines. */
const printedNow = new Map<number, string>();

/** JSON with its short lists and mappings on one line each. */
function laidOut(json: string): string {
  let text = JSON.stringify(JSON.parse(json), null, 2);
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(/(?<=: |^ *)([[{])\n([^[\]{}]*?)\n *([\]}])/gm, (whole, open, inner) => {
      const line = inner.replace(/\n? {2,}/g, " ").trim();
      if (line.length > 90) return whole;
      return open === "{" ? `{ ${line} }` : `[${line}]`;
    });
  }
  return text;
}

const linesOf = (text: string): readonly string[] => text.split("\n").sort();

function compare(block: Block, { stdout, all }: Printed): void {
  if (process.env["GOLDEN"] === "write") {
    printedNow.set(block.line, `${block.language === "text" ? steady(all) : laidOut(steady(stdout))}\n`);
    return;
  }
  const at = `the output in line ${block.line}`;
  // Both streams of a command come over pipes of their own: which line comes first is not fixed.
  if (block.language === "text") expect(linesOf(steady(all)), at).toEqual(linesOf(steady(block.content)));
  else expect(JSON.parse(steady(stdout)), at).toEqual(JSON.parse(steady(block.content)));
}

async function runPage(page: string): Promise<void> {
  printedNow.clear();
  const blocks = blocksOf(page).filter(({ excluded }) => excluded === null);
  const usesExamples = blocks.some(({ content }) => content.includes("examples/"));
  const shell = await openPageShell(usesExamples ? ["examples", "generated"] : []);
  const modules: Block[] = [];
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1];
    const output = next !== undefined && isOutput(next) ? next : null;
    if (block.path !== "") shell.write(block.path, block.content);
    if (block.language === "yaml") await validateYaml(shell, block);
    if (block.language === "ts" && block.path === "") modules.push(block);
    if (block.language === "ts" && output !== null) compare(output, await runModule(shell, block));
    if (block.language !== "sh" || block.path !== "") continue;
    const printed = await shell.run(block.content);
    const code = Number(/# exit code (\d+)[^\n]*\n$/.exec(block.content)?.[1] ?? 0);
    expect(printed.code, `line ${block.line}:\n${printed.all}`).toBe(code);
    if (output !== null) compare(output, printed);
    else expect(printed.all, `line ${block.line}`).not.toContain('"/problems/');
  }
  const named = blocks.filter(({ language, path }) => language === "ts" && path !== "");
  if (modules.length + named.length > 0) await checkTypes(shell, modules, named);
  if (printedNow.size > 0) writeBlocks(`docs/${page}`, printedNow);
}

async function validateYaml(shell: PageShell, { path, content, line }: Block): Promise<void> {
  const name = path === "" ? "page.yaml" : path;
  if (path === "") shell.write(name, content);
  // A variable that is not set is what a reader has who has not set it.
  const { all, code } = await shell.run(`flowsheet validate --config ${name}`);
  if (path === "") rmSync(join(shell.cwd(), name));
  const findings = all
    .split("\n")
    .filter((text) => /^(?:error|warning) (?!config-unset-variable)/.test(text));
  expect([findings, code === 2], `line ${line}`).toEqual([[], false]);
}

async function runModule(shell: PageShell, { path, content }: Block): Promise<Printed> {
  const name = path === "" ? "page.ts" : path;
  if (path === "") shell.write(name, content);
  const outfile = join(shell.cwd(), `${name.replaceAll("/", "-")}.mjs`);
  const entryPoints = [join(shell.cwd(), name)];
  const target = { bundle: true, format: "esm", platform: "node", target: "node20" } as const;
  await build({ entryPoints, outfile, packages: "external", ...target });
  return shell.run(`node ${outfile}`);
}

async function checkTypes(
  shell: PageShell,
  modules: readonly Block[],
  named: readonly Block[],
): Promise<void> {
  const cwd = shell.cwd();
  const require = createRequire(import.meta.url);
  const types = join(dirname(require.resolve("@types/node/package.json")), "..");
  for (const [name, from] of [
    ["@types", types],
    ["express", join(types, "../express")],
  ] as const) {
    if (!existsSync(join(cwd, "node_modules", name))) symlinkSync(from, join(cwd, "node_modules", name));
  }
  writeFileSync(join(cwd, "page.ts"), `${modules.map(({ content }) => content).join("\n")}\nexport {};\n`);
  const compilerOptions = {
    target: "es2023",
    module: "nodenext",
    types: ["node"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  };
  const files = ["page.ts", ...named.map(({ path }) => path)];
  writeFileSync(join(cwd, "tsconfig.page.json"), JSON.stringify({ compilerOptions, files }));
  const said = await new Promise<string>((resolve) => {
    const tsc = join(dirname(require.resolve("@typescript/native/package.json")), "bin/tsc");
    execFile(process.execPath, [tsc, "-p", "tsconfig.page.json"], { cwd }, (_, out, err) =>
      resolve(out + err),
    );
  });
  expect(said).toBe("");
}

describe("every block of the documentation is run", () => {
  test.each(pages)("%s", async (page) => runPage(page), 120_000);

  test("no block is left over", () => {
    const left = pages.flatMap((page) => {
      const blocks = blocksOf(page);
      return blocks
        .filter((block, index) => !isKnown(block, blocks[index - 1]))
        .map(({ language, line }) => `docs/${page}:${line} ${language}`);
    });
    expect(left).toEqual([]);
  });

  test("few blocks are excluded", () => {
    const excluded = pages.flatMap((page) =>
      readBlocks(`docs/${page}`).flatMap(({ excluded: why, line }) =>
        why === null ? [] : [`docs/${page}:${line} ${why}`],
      ),
    );
    expect(excluded.length, excluded.join("\n")).toBeLessThanOrEqual(MOST_EXCLUDED);
  });

  test("the tests of other pages are there", () => {
    expect(Object.values(ELSEWHERE).filter(({ by }) => !existsSync(by))).toEqual([]);
  });
});

describe("docs/README.md", () => {
  test("names every page, and all links of the pages lead somewhere", () => {
    const index = readFileSync("docs/README.md", "utf8");
    expect(pages.filter((page) => page !== "README.md" && !index.includes(`(${page})`))).toEqual([]);
    const broken = pages.flatMap((page) => {
      const text = readFileSync(`docs/${page}`, "utf8").replace(/^```.*?^```$/gms, "");
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, to = ""]) => to);
      return links.filter((to) => !existsSync(join("docs", to))).map((to) => `${page}: ${to}`);
    });
    expect(broken).toEqual([]);
  });
});
