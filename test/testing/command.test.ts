import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const FLOW = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt
Hello,Ask,Greet,input,,name,Your name?
Hello,Greet,,echo,name,greeting,Hello {name}!
`;
const GOOD = `case,given,expect_state
greets,"{""name"": ""Ada""}","{""greeting"": ""Hello Ada!""}"
`;
const BAD = GOOD.replace("Hello Ada!", "Hello Bo!");

describe("which test sheets are run", () => {
  test("those of the folder, without arguments and configuration", async () => {
    const cwd = createFolder({ "a.csv": FLOW, "a.test.csv": GOOD, "sub/b.csv": FLOW, "sub/b.test.csv": BAD });
    const { code, stdout } = await flowsheet(["test"], { cwd });
    expect([code, stdout]).toEqual([0, "ok   a.test.csv: 1 case\n\n1 passed, 0 failed\n"]);
  });

  test("those of the workflows folder, with a configuration", async () => {
    const files = {
      "flowsheet.yaml": "workflows: flows\n",
      "flows/x/a.csv": FLOW,
      "flows/x/a.test.csv": GOOD,
    };
    const { code, stdout } = await flowsheet(["test"], { cwd: createFolder(files) });
    expect([code, stdout]).toEqual([0, "ok   flows/x/a.test.csv: 1 case\n\n1 passed, 0 failed\n"]);
  });

  test.each([["a.test.csv"], ["a.csv"], ["a"], ["."], ["*.test.csv"], ["a.csv", "a.test.csv", "."]])(
    "%s",
    async (...args) => {
      const cwd = createFolder({ "a.csv": FLOW, "a.test.csv": GOOD });
      const { code, stdout } = await flowsheet(["test", ...args], { cwd });
      expect([code, stdout]).toEqual([0, "ok   a.test.csv: 1 case\n\n1 passed, 0 failed\n"]);
    },
  );

  test.each([
    ["b.csv", "b.Test.csv"],
    ["b.CSV", "b.test.csv"],
    ["B.csv", "b.TEST.CSV"],
  ])("%s is tested by %s", async (sheet, tests) => {
    const cwd = createFolder({ [sheet]: FLOW, [tests]: GOOD });
    for (const named of [[], [sheet], [tests]]) {
      const { code, stdout } = await flowsheet(["test", "--coverage", ...named], { cwd });
      expect([code, stdout.split("\n")[0]]).toEqual([0, `ok   ${tests}: 1 case`]);
      expect(stdout).not.toContain("without a test sheet");
    }
  });

  test.skipIf(process.platform !== "linux")(
    "of two sheets whose names differ in case only, the test sheet tests the one that is spelled like it",
    async () => {
      const cwd = createFolder({ "a.csv": FLOW, "A.csv": FLOW, "a.test.csv": GOOD });
      const { stdout } = await flowsheet(["test", "--coverage", "--json"], { cwd });
      expect(JSON.parse(stdout).untested).toEqual(["A.csv"]);
    },
  );

  test.each([
    [["b.csv"], "b.csv has no test sheet"],
    [["c.csv"], "cannot open c.csv: there is no such file"],
    [["c.test.csv"], "cannot open c.test.csv: there is no such file"],
    [["lonely.test.csv"], "cannot open lonely.csv: there is no such file"],
    [["-"], "standard input is no test sheet"],
    [["*.tsv"], 'no file matches "*.tsv"'],
    [["a.csv", "--threshold", "50"], "--threshold is for --coverage"],
    [["a.csv", "--coverage", "--threshold", "101"], "--threshold must be a number from 0 to 100"],
    [["a.csv", "--yes"], "--yes is for --update"],
    [["a.csv", "--update", "--json"], "--update shows a diff"],
    [
      ["a.csv", "--update", "--coverage", "--threshold", "5"],
      "--update and --threshold cannot be used together",
    ],
    [["a.csv", "--json", "--format", "junit"], "cannot be used together"],
  ] as const)("%s is wrong usage", async (args, message) => {
    const cwd = createFolder({ "a.csv": FLOW, "a.test.csv": GOOD, "b.csv": FLOW, "lonely.test.csv": GOOD });
    const { code, stderr } = await flowsheet(["test", ...args], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test("a folder without any is wrong usage", async () => {
    const { code, stderr } = await flowsheet(["test"], { cwd: createFolder({ "a.csv": FLOW }) });
    expect([code, stderr.split("\n")[0]]).toEqual([2, "error: there is no test sheet"]);
  });
});

describe("formats", () => {
  test("json tells every case, with what it came to", async () => {
    const cwd = createFolder({ "a.csv": FLOW, "a.test.csv": BAD });
    const { code, stdout, stderr } = await flowsheet(["test", "--json", "--coverage"], { cwd });
    expect([code, stderr]).toEqual([1, ""]);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ passed: 0, failed: 1, diagnostics: [] });
    expect(report.cases[0]).toMatchObject({
      file: "a.test.csv",
      line: 2,
      cell: "A2",
      graph: "Hello",
      case: "greets",
      passed: false,
      status: "completed",
      path: ["Ask", "Greet"],
      state: { name: "Ada", greeting: "Hello Ada!" },
      error: null,
      failures: [
        {
          column: "expect_state",
          line: 2,
          cell: "C2",
          compared: [{ what: "greeting", expected: '"Hello Bo!"', actual: '"Hello Ada!"' }],
        },
      ],
    });
    expect(report.coverage[0]).toMatchObject({
      sheet: "a.csv",
      graph: "Hello",
      nodes: { total: 2, taken: 2, missed: [], percent: 100 },
    });
  });

  test("coverage counts sheets that nobody tests, unless others were named", async () => {
    const cwd = createFolder({
      "a.csv": FLOW,
      "a.test.csv": GOOD,
      "b.csv": FLOW.replaceAll("Hello,", "Other,"),
      "notes.csv": "who,what\nAda,tea\n",
    });
    const all = ["test", "--coverage", "--threshold", "90"];
    const whole = await flowsheet(all, { cwd });
    expect(whole.code).toBe(1);
    expect(whole.stdout).toMatch(/Other +0 % \(0 of 2\)/);
    expect(whole.stdout).toContain("\nwithout a test sheet:\n  b.csv\n");
    expect(whole.stderr).toContain('error: graph "Other": 0 % of its nodes are covered');
    const json = JSON.parse((await flowsheet([...all, "--json"], { cwd })).stdout);
    expect(json.coverage[1]).toMatchObject({ sheet: "b.csv", graph: "Other", nodes: { total: 2, taken: 0 } });
    expect(json.untested).toEqual(["b.csv"]);
    for (const narrow of [["a.csv"], ["--filter", "greets"]]) {
      const { code, stdout } = await flowsheet([...all, ...narrow], { cwd });
      expect([code, stdout.includes("Other")]).toEqual([0, false]);
    }
  });

  test("with a filter, coverage is of the sheets of which a case was chosen", async () => {
    const cwd = createFolder({
      "a.csv": FLOW,
      "a.test.csv": GOOD,
      "b.csv": FLOW.replaceAll("Hello,", "Other,"),
      "b.test.csv": GOOD.replace("greets", "meets"),
    });
    const args = ["test", "--coverage", "--filter", "greets", "--json"];
    const { coverage, untested } = JSON.parse((await flowsheet(args, { cwd })).stdout);
    expect(coverage).toMatchObject([{ sheet: "a.csv" }]);
    expect([coverage.length, untested]).toEqual([1, []]);
  });

  test("a sheet with errors that nobody tests does not reach a threshold", async () => {
    const cwd = createFolder({
      "a.csv": FLOW,
      "a.test.csv": GOOD,
      "b.csv": FLOW.replace(",Greet,", ",Gret,"),
    });
    const { code, stdout, stderr } = await flowsheet(["test", "--coverage", "--threshold", "1"], { cwd });
    expect([code, stderr]).toEqual([
      1,
      "error: b.csv has errors, and no test sheet\n  = help: run: flowsheet validate b.csv\n",
    ]);
    expect(stdout).toContain("\nwithout a test sheet:\n  b.csv  (has errors)\n");
    const nothing = await flowsheet(["test", "--coverage", "--threshold", "0"], { cwd });
    expect([nothing.code, nothing.stderr]).toEqual([0, ""]);
  });

  test("json tells problems of the test sheet", async () => {
    const cwd = createFolder({ "a.csv": FLOW, "a.test.csv": "case,mocks\nx,{\n" });
    const { code, stdout } = await flowsheet(["test", "--json"], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      passed: 0,
      failed: 1,
      diagnostics: [{ code: "bad-case", cell: "B2", field: "mocks" }],
    });
  });

  test("junit is XML, whatever the cases are named", async () => {
    const named = BAD.replace("greets", '"<&>""\u0007 ]]>"');
    const cwd = createFolder({ "a.csv": FLOW, "a.test.csv": `${named}bad,{,\n` });
    const { code, stdout } = await flowsheet(["test", "--format", "junit"], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('<testsuites name="flowsheet" tests="2" failures="2">');
    expect(stdout).toContain(
      'name="&lt;&amp;&gt;&quot;\\x07 ]]&gt;" classname="Hello" file="a.test.csv" line="2"',
    );
    expect(stdout).not.toMatch(/[\x00-\x08]/);
    expect(stdout.match(/<failure/g)).toHaveLength(2);
  });
});

test.each([
  ["an error of the sheet of which no case knows", `${GOOD.trimEnd()},surplus\n`, [], "long-row"],
  ["a graph below the threshold", GOOD, ["--coverage", "--threshold", "90"], "90 %"],
])("junit is not green when the exit code is 1: %s", async (_what, cases, more, told) => {
  const flow = `${FLOW}Hello,Rest,,echo,,rest,more\n`;
  const cwd = createFolder({ "a.csv": flow, "a.test.csv": cases });
  const { code, stdout } = await flowsheet(["test", "--format", "junit", ...more], { cwd });
  expect(code).toBe(1);
  expect(stdout).toMatch(/<testsuites name="flowsheet" tests="1" failures="0" errors="\d">/);
  expect(stdout.slice(stdout.indexOf("<error"))).toContain(told);
});

describe("a test sheet that cannot be opened", () => {
  // Its sheet is not there.
  const files = { "a.csv": FLOW, "a.test.csv": GOOD, "lost.test.csv": GOOD };

  test("is an error in junit, beside what the others gave", async () => {
    const { code, stdout } = await flowsheet(["test", "--format", "junit"], { cwd: createFolder(files) });
    expect(code).toBe(2);
    expect(stdout).toContain('<testsuites name="flowsheet" tests="1" failures="0" errors="1">');
    expect(stdout).toMatch(/<testsuite name="lost.test.csv" tests="0" .*\n.*\n.*<error message=".*lost.csv/);
  });

  test("alone gives junit that is not green, too, and one message as text", async () => {
    const cwd = createFolder({ "lost.test.csv": GOOD });
    const { code, stdout } = await flowsheet(["test", "--format", "junit"], { cwd });
    expect([code, stdout]).toEqual([2, expect.stringContaining('tests="0" failures="0" errors="1"')]);
    const text = await flowsheet(["test"], { cwd });
    expect([text.code, text.stdout, text.stderr.match(/^error/gm)?.length]).toEqual([2, "", 1]);
  });

  test("is named in JSON", async () => {
    const { code, stdout } = await flowsheet(["test", "--json"], { cwd: createFolder(files) });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      passed: 1,
      unopened: [{ file: "lost.test.csv", message: expect.stringContaining("lost.csv") }],
    });
  });
});

describe("--filter and cases that are not in order", () => {
  const cwd = (): string => createFolder({ "a.csv": FLOW, "a.test.csv": `${GOOD}broken,{,\n` });

  test("errors of other cases do not count", async () => {
    const { code, stdout, stderr } = await flowsheet(["test", "--filter", "greets"], { cwd: cwd() });
    expect([code, stdout, stderr]).toEqual([0, "ok   a.test.csv: 1 case\n\n1 passed, 0 failed\n", ""]);
  });

  test("those of the chosen ones do", async () => {
    const { code, stdout, stderr } = await flowsheet(["test", "--filter", "Hello: bro"], { cwd: cwd() });
    expect([code, stdout]).toEqual([1, expect.stringContaining("0 passed, 1 failed")]);
    expect(stderr).toContain("bad-case");
  });
});

describe("--update", () => {
  const sheet = `\ufeffsep=;\r\n# kept as it is\r\nCase;Given;"expect_path";expect_state;#mine\r\ngreets;"{""name"": ""Ada""}";Ask;"{ ""greeting"": ""x"",  ""name"": {""$any"": ""string""} }";"note; here"\r\n\r\nbare;"{""name"": ""Bo""}";;;`;
  const updated = sheet
    .replace(";Ask;", ";Ask>Greet;")
    .replace('""x""', '""Hello Ada!""')
    .replace('Bo""}";;;', 'Bo""}";Ask>Greet;"{""name"":""Bo"",""greeting"":""Hello Bo!""}";');

  test("without a terminal shows the difference and writes nothing", async () => {
    const cwd = createFolder({ "a.csv": FLOW, "a.test.csv": sheet });
    const { code, stdout, stderr } = await flowsheet(["test", "--update"], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain("+bare;");
    expect(stderr).toContain("nothing was written: --yes writes it");
    expect(readFileSync(join(cwd, "a.test.csv"), "utf8")).toBe(sheet);
  });

  test("with --yes changes the cells and no other byte; the cases pass then", async () => {
    const cwd = createFolder({ "a.csv": FLOW, "a.test.csv": sheet });
    const { code, stderr } = await flowsheet(["test", "--update", "--yes"], { cwd });
    expect([code, stderr]).toEqual([0, "updated: a.test.csv: 2 cases\n"]);
    expect(readFileSync(join(cwd, "a.test.csv"), "utf8")).toBe(updated);
    expect((await flowsheet(["test"], { cwd })).code).toBe(0);
    const again = await flowsheet(["test", "--update", "--yes"], { cwd });
    expect([again.code, again.stderr]).toEqual([0, "note: there is nothing to update\n"]);
  });

  test("takes over status, error, absent fields and fields that are gone", async () => {
    const flow = `graph_name,node_name,next_node,agent_type,output_field,prompt\nG,A,B,echo,a,one\nG,B,,failure,b,two\n`;
    const cases = `case,mocks,expect_status,expect_state,expect_absent,expect_error
throws,"{""A"": {""throw"": ""late""}}",completed,,"a, b",
works,,failed,"{""a"": 1, ""error"": ""two""}","b|a",nothing
other,"{""A"": {""throw"": ""late""}}",,,,early
object,"{""A"": {""throw"": ""late""}}",,,,"{""node"": ""B"", ""message"": ""early""}"
gone,"{""A"": {""throw"": ""late""}}",failed,"{""a"": ""one""}",,
`;
    const cwd = createFolder({ "a.csv": flow, "a.test.csv": cases });
    expect((await flowsheet(["test", "--update", "--yes"], { cwd })).code).toBe(0);
    expect(
      readFileSync(join(cwd, "a.test.csv"), "utf8"),
    ).toBe(`case,mocks,expect_status,expect_state,expect_absent,expect_error
throws,"{""A"": {""throw"": ""late""}}",failed,,"a, b",
works,,completed,"{""a"": ""one"", ""error"": ""two""}","",
other,"{""A"": {""throw"": ""late""}}",,,,late
object,"{""A"": {""throw"": ""late""}}",,,,"{""node"":""A"",""message"":""late""}"
gone,"{""A"": {""throw"": ""late""}}",failed,"{}",,
`);
    expect((await flowsheet(["test"], { cwd })).code).toBe(0);
  });

  test("leaves what no expectation can mend", async () => {
    const flow = "graph_name,node_name,agent_type,output_field,prompt\nG,A,llm,a,Hello\n";
    const cwd = createFolder({ "a.csv": flow, "a.test.csv": "case,expect_path\nx,\ny,\n" });
    const { code, stderr } = await flowsheet(["test", "--update", "--yes"], { cwd });
    expect([code, stderr]).toEqual([1, "note: there is nothing to update\n"]);
  });

  test.each([
    ["a case that is not in order", `${BAD}broken,{,\n`],
    ["a row that is too long", `${BAD.trimEnd()},surplus\n`],
    ["a case that no expectation can mend", `case,given,expect_state\nbare,"{""name"": ""Bo""}",\nwaits,,\n`],
  ])("ends with 1 while there is %s", async (_what, cases) => {
    const cwd = createFolder({ "a.csv": FLOW, "a.test.csv": cases });
    const { code, stderr } = await flowsheet(["test", "--update", "--yes"], { cwd });
    expect(stderr).toContain("updated: a.test.csv: 1 case\n");
    expect(code).toBe(1);
  });

  test("says which column is missing", async () => {
    const cwd = createFolder({ "a.csv": FLOW, "a.test.csv": "case\nwaits\n" });
    const { code, stderr } = await flowsheet(["test", "--update", "--yes"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('a.test.csv has no column expect_status, which case "waits" needs');
  });
});

describe("validate", () => {
  test("checks a test sheet that is named, also beside sheets", async () => {
    const cwd = createFolder({ "a.csv": FLOW, "a.test.csv": GOOD.replace("greeting", "greting") });
    const alone = await flowsheet(["validate", "a.test.csv"], { cwd });
    expect([alone.code, alone.stdout.split("\n")[0]]).toEqual([
      1,
      'error unknown-field: graph "Hello" has no field "greting"',
    ]);
    const both = await flowsheet(["validate", "a.csv", "--csv", "a.test.csv", "--json"], { cwd });
    expect(JSON.parse(both.stdout)).toMatchObject({ valid: false, errors: 1, graphs: [{ name: "Hello" }] });
    const missing = await flowsheet(["validate", "b.test.csv"], { cwd });
    expect([missing.code, missing.stderr.split("\n")[0]]).toEqual([
      2,
      "error: cannot open b.test.csv: there is no such file",
    ]);
  });

  test("passes over those that it finds", async () => {
    const cwd = createFolder({ "a.csv": FLOW, "a.test.csv": GOOD });
    const { code, stdout, stderr } = await flowsheet(["validate"], { cwd });
    expect([code, stdout, stderr]).toEqual([
      0,
      "a.csv: no problems (1 graph, 2 nodes)\n",
      "note: passed over a.test.csv: a test sheet\n",
    ]);
  });
});

test("custom agents run, and what they ask of a model is refused", async () => {
  const flow =
    "graph_name,node_name,agent_type,next_on_failure,input_fields,output_field\nG,A,shout,B,word:string,loud\nG,B,echo,,error,loud\n";
  const agent = `import { defineAgent } from "flowsheet";
export const ShoutAgent = defineAgent(async ({ word }, { services }) => {
  if (word === "model") await services.llm.generate({ prompt: "x" }, {});
  return word.toUpperCase();
});
`;
  const cases = `case,given,expect_state\nruns,"{""word"": ""hey""}","{""loud"": ""HEY""}"\nasks,"{""word"": ""model""}",\n`;
  const cwd = createFolder({ "a.csv": flow, "a.test.csv": cases, "agents/shout.js": agent });
  const { code, stdout, stderr } = await flowsheet(["test"], { cwd });
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toContain("case: an agent asks a model, which a test must not do");
  expect(stdout).toContain("1 passed, 1 failed");
});

test("a case that never ends is ended by the run's time-out", async () => {
  const flow = "graph_name,node_name,agent_type,output_field\nG,A,sleeper,b\n";
  const agent = `import { defineAgent } from "flowsheet";
export const SleeperAgent = defineAgent(() => new Promise((resolve) => setTimeout(resolve, 60_000)));
`;
  const cwd = createFolder({
    "flowsheet.yaml": "execution:\n  timeout_ms: 200\n",
    "workflows/a.csv": flow,
    "workflows/a.test.csv": `case,expect_error\nslow,"{""code"": ""run_timeout""}"\n`,
    "agents/sleeper.js": agent,
  });
  const { code, stdout } = await flowsheet(["test"], { cwd });
  expect([code, stdout]).toEqual([0, "ok   workflows/a.test.csv: 1 case\n\n1 passed, 0 failed\n"]);
});
