import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder, snapshot } from "./folder.js";
import { flowsheet, type RunOptions } from "./run.js";
import { ASK, BROKEN, CLEAN, HEADER, MERGED, sheetOf, WARNED } from "./sheets.js";

const validate = (args: readonly string[], options: RunOptions) => flowsheet(["validate", ...args], options);

interface Report {
  readonly valid: boolean;
  readonly errors: number;
  readonly warnings: number;
  readonly diagnostics: readonly {
    readonly code: string;
    readonly file: string;
    readonly cell: string | null;
  }[];
  readonly graphs: readonly { readonly name: string; readonly nodes: number }[];
}
const reportOf = (stdout: string): Report => JSON.parse(stdout) as Report;

describe("exit codes", () => {
  test.each([
    ["a clean sheet", CLEAN, [], 0],
    ["an error", BROKEN, [], 1],
    ["a warning", WARNED, [], 0],
    ["a warning with --strict", WARNED, ["--strict"], 1],
    ["a clean sheet with --strict", CLEAN, ["--strict"], 0],
    ["an empty file", "", [], 1],
    ["a header alone", sheetOf(HEADER), [], 1],
    ["no sheet at all", "hello", [], 1],
  ])("%s", async (_name, sheet, args, code) => {
    const ended = await validate(["a.csv", ...args], { cwd: createFolder({ "a.csv": sheet }) });
    expect([ended.code, ended.stderr]).toEqual([code, ""]);
    expect(ended.stdout).not.toBe("");
  });
});

describe("findings", () => {
  test("stand at their cell, with the cure", async () => {
    const { stdout } = await validate(["a.csv"], { cwd: createFolder({ "a.csv": BROKEN }) });
    expect(stdout).toBe(`error unknown-node: next_node names a node that graph "Support" does not have
  --> a.csv:2:13   cell C2 · graph Support · node Ask
   2 | Support,Ask,Anwser,,input,,,,question,What is your question?
     |             ^^^^^^ did you mean "Answer" (row 3)?
  = fix: write "Answer" (--fix)

1 error in a.csv
`);
  });

  test("as JSON are the only thing on stdout", async () => {
    const cwd = createFolder({ "a.csv": BROKEN, "b.csv": CLEAN });
    const { stdout } = await validate(["a.csv", "b.csv", "--format", "json"], { cwd });
    expect(reportOf(stdout)).toMatchObject({
      valid: false,
      errors: 1,
      diagnostics: [{ code: "unknown-node", file: "a.csv", cell: "C2" }],
      graphs: [
        { name: "Support", nodes: 2 },
        { name: "Support", nodes: 2 },
      ],
    });
    expect((await validate(["--json", "b.csv"], { cwd })).stdout).toBe(
      (await validate(["--format=json", "b.csv"], { cwd })).stdout,
    );
  });

  test("as SARIF and as annotations", async () => {
    const cwd = createFolder({ "a.csv": BROKEN });
    const sarif = JSON.parse((await validate(["a.csv", "--format", "sarif"], { cwd })).stdout) as {
      readonly version: string;
      readonly runs: readonly { readonly results: readonly { readonly ruleId: string }[] }[];
    };
    expect(sarif.version).toBe("2.1.0");
    expect(sarif.runs[0]?.results[0]?.ruleId).toBe("unknown-node");
    const { stdout } = await validate(["a.csv", "--format", "github"], { cwd });
    expect(stdout).toMatch(/^::error file=a\.csv,line=2,/);
  });

  test("--quiet leaves findings and takes away the rest", async () => {
    const cwd = createFolder({ "a.csv": BROKEN, "b/b.csv": CLEAN, "b/c.test.csv": "" });
    expect(await validate(["--quiet", "b"], { cwd })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect((await validate(["--quiet", "a.csv"], { cwd })).stdout).toContain("unknown-node");
  });
});

describe("which sheets", () => {
  test("those that are named, each once, in their order", async () => {
    const cwd = createFolder({ "b.csv": CLEAN, "a.csv": CLEAN });
    const { stdout } = await validate(["b.csv", "./b.csv", "--csv", "a.csv", "--csv", "b.csv", "--json"], {
      cwd,
    });
    expect(reportOf(stdout).graphs).toHaveLength(2);
  });

  test("folders, with the folders in them", async () => {
    const cwd = createFolder({
      "flows/a.csv": BROKEN,
      "flows/deep/b.CSV": CLEAN,
      "flows/node_modules/c.csv": BROKEN,
    });
    const { stdout } = await validate(["flows", "--json"], { cwd });
    expect(reportOf(stdout)).toMatchObject({ errors: 1, diagnostics: [{ file: "flows/a.csv" }] });
    expect(reportOf(stdout).graphs).toHaveLength(2);
  });

  test("patterns", async () => {
    const cwd = createFolder({ "flows/a.csv": CLEAN, "flows/deep/b.csv": BROKEN, "c.csv": CLEAN });
    const { code, stdout } = await validate(["flows/**/*.csv", "--json"], { cwd });
    expect([code, reportOf(stdout).graphs.length]).toEqual([1, 2]);
    expect(reportOf(stdout).diagnostics[0]?.file).toBe("flows/deep/b.csv");
    expect(await validate(["nothing/*.csv"], { cwd })).toMatchObject({
      code: 2,
      stderr: 'error: no file matches "nothing/*.csv"\n',
    });
  });

  test("a file whose name looks like a pattern is that file", async () => {
    const cwd = createFolder({ "a[1].csv": CLEAN, "a1.csv": BROKEN });
    expect((await validate(["a[1].csv"], { cwd })).code).toBe(0);
  });

  test("standard input", async () => {
    const cwd = createFolder();
    expect(await validate(["-"], { cwd, input: CLEAN })).toMatchObject({
      code: 0,
      stdout: "<stdin>: no problems (1 graph, 2 nodes)\n",
    });
    expect((await validate(["--csv", "-"], { cwd, input: BROKEN })).stdout).toContain("--> <stdin>:2:13");
    expect((await validate(["-"], { cwd, input: "" })).stdout).toContain("empty-sheet");
  });

  test("all of the working folder without a name or a configuration, but not of the folders in it", async () => {
    const cwd = createFolder({
      "a.csv": CLEAN,
      "b.csv": CLEAN,
      "a.test.csv": "graph_name,case\nSupport,one\n",
      "people.csv": "name_of_person,age\nAda,36\n",
      "deep/c.csv": BROKEN,
    });
    const { code, stdout, stderr } = await validate([], { cwd });
    expect([code, stdout]).toEqual([0, "2 sheets: no problems (2 graphs, 4 nodes)\n"]);
    expect(stderr).toContain("note: passed over a.test.csv: a test sheet\n");
    expect(stderr).toContain(
      "note: passed over people.csv: it has neither a graph_name nor a node_name column\n",
    );
  });

  test("all of the configured folder, from anywhere below the configuration", async () => {
    const cwd = createFolder({
      "flowsheet.yaml": "workflows: flows\n",
      "flows/a.csv": CLEAN,
      "flows/deep/b.csv": BROKEN,
      "c.csv": BROKEN,
      "src/x.txt": "",
    });
    for (const folder of [cwd, join(cwd, "src"), join(cwd, "flows/deep")]) {
      const { stdout } = await validate(["--json"], { cwd: folder });
      expect(reportOf(stdout)).toMatchObject({ errors: 1, graphs: [{}, {}] });
    }
    const elsewhere = createFolder();
    const { stdout } = await validate(["--json", "--config", join(cwd, "flowsheet.yaml")], {
      cwd: elsewhere,
    });
    // A configuration without a sheet is what is checked.
    expect(reportOf(stdout)).toMatchObject({ errors: 0, graphs: [] });
  });

  test("a table of something else is checked when it is named", async () => {
    const cwd = createFolder({ "people.csv": "name_of_person,age\nAda,36\n" });
    expect((await validate(["people.csv"], { cwd })).stdout).toContain("missing-column");
    expect(await validate(["."], { cwd })).toMatchObject({ code: 2, stdout: "" });
  });

  test("a sheet with a title above its header is not passed over", async () => {
    const cwd = createFolder({ "a.csv": `Our process,,\n${CLEAN}` });
    const { code, stdout } = await validate([], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain("missing-column");
  });

  test("none: exit 2", async () => {
    const cwd = createFolder({ "a.test.csv": "" });
    for (const args of [[], ["."]]) {
      const { code, stdout, stderr } = await validate(args, { cwd });
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("error: there is no sheet");
    }
  });

  test("links to sheets count, links to folders do not", async () => {
    const cwd = createFolder({ "real/a.csv": BROKEN, "flows/b.csv": CLEAN });
    symlinkSync(join(cwd, "real/a.csv"), join(cwd, "flows/link.csv"));
    symlinkSync(join(cwd, "real"), join(cwd, "flows/folder"));
    const { stdout } = await validate(["flows", "--json"], { cwd });
    expect(reportOf(stdout).graphs).toHaveLength(2);
  });
});

describe("what a sheet can find around it", () => {
  const agentSheet = (type: string): string => sheetOf(HEADER, `Support,Ask,,,${type},,,,question,`);

  test("agents of the agents folder, by their text", async () => {
    const cwd = createFolder({
      "agents/weather.ts": "throw 1;\nexport class NextRowAgent extends Agent<object, object> {}\n",
      "a.csv": agentSheet("next_row"),
      "b.csv": agentSheet("NextRowAgent"),
      "c.csv": agentSheet("next_rov"),
    });
    expect((await validate(["a.csv", "b.csv", "--strict"], { cwd })).code).toBe(0);
    const { code, stdout } = await validate(["c.csv"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^warning unknown-agent: [\s\S]*next_?row/);
  });

  test("prompts of the prompts folder", async () => {
    const cwd = createFolder({
      "prompts/ask.md": "Hello {name}",
      "prompts/prompts.yaml": "ask: Hello\n",
      "a.csv": sheetOf(HEADER, "Support,Ask,,,echo,,,,greeting,prompt:ask"),
      "b.csv": sheetOf(HEADER, "Support,Ask,,,echo,,,,greeting,file:ask.md"),
      "c.csv": sheetOf(HEADER, "Support,Ask,,,echo,,,,greeting,file:../../etc/passwd"),
    });
    expect((await validate(["a.csv", "--strict"], { cwd })).code).toBe(0);
    expect((await validate(["b.csv"], { cwd })).stdout).toContain("unknown-placeholder");
    expect((await validate(["c.csv"], { cwd })).stdout).toMatch(
      /missing-prompt: .*the path leads out of the project/,
    );
  });

  test("graphs of the other sheets of its folder", async () => {
    const call = (graph: string): string =>
      sheetOf(HEADER, `"Main",Call,,"{""graph"": ""${graph}""}",graph,,,,answer,`);
    const cwd = createFolder({
      "flows/support.csv": CLEAN,
      "flows/good.csv": call("Support"),
      "flows/full.csv": call("support::Support"),
      "flows/bad.csv": call("Suport"),
    });
    expect(await validate(["flows/good.csv", "flows/full.csv"], { cwd })).toMatchObject({ code: 0 });
    const { stdout } = await validate(["flows/bad.csv"], { cwd });
    expect(stdout).toMatch(/unknown-graph[\s\S]*did you mean "Support"/);
  });

  test("a key that a model needs", async () => {
    const cwd = createFolder({ "a.csv": sheetOf(HEADER, "Support,Ask,,,openai,,,,answer,Hello") });
    const bare = await validate(["a.csv"], { cwd });
    expect([bare.code, bare.stdout]).toEqual([
      0,
      expect.stringMatching(/missing-dependency.*there: OPENAI_API_KEY\n/),
    ]);
    expect(bare.stdout).toContain("set OPENAI_API_KEY in the environment");
    expect((await validate(["a.csv", "--strict"], { cwd, env: { OPENAI_API_KEY: "x" } })).code).toBe(0);
  });
});

test("validation changes no file", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": "workflows: .\n",
    "a.csv": MERGED,
    "b.csv": BROKEN.replace("Anwser", "Nowhere"),
    "agents/x.ts": "",
  });
  const before = snapshot(cwd);
  for (const args of [[], ["a.csv"], ["--dry-run", "a.csv"], ["--json"], ["--fix", "b.csv"]])
    await validate(args, { cwd });
  expect(snapshot(cwd)).toEqual(before);
});

test("a very long row and a million braces are harmless", async () => {
  const cwd = createFolder({
    "a.csv": sheetOf(HEADER, `Support,Ask,,,echo,,,,answer,"${"{".repeat(1_000_000)}"`),
    "b.csv": sheetOf(HEADER, `${ASK}${",x".repeat(150)}`),
  });
  const started = performance.now();
  expect((await validate(["a.csv"], { cwd })).code).toBeLessThan(2);
  expect((await validate(["b.csv"], { cwd })).code).toBe(1);
  expect(performance.now() - started).toBeLessThan(10_000);
});
