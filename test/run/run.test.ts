import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { type Ended, flowsheet } from "../cli/run.js";
import { HELLO, ORDER, sheetOf } from "./sheets.js";

const stdoutOf = ({ stdout }: Ended): Record<string, unknown> =>
  JSON.parse(stdout) as Record<string, unknown>;

describe("what a run tells", () => {
  test("the final state on stdout, a line a node on stderr", async () => {
    const cwd = createFolder({ "hello.csv": HELLO });
    const ended = await flowsheet(["run", "hello.csv", "--input", "name=Ada"], { cwd });
    expect(ended.code).toBe(0);
    expect(stdoutOf(ended)).toEqual({ name: "Ada", greeting: "Hello Ada" });
    expect(ended.stderr).toMatch(/^✓ Ask {2}[\d.]+ ms\n✓ Greet {2}[\d.]+ ms\n$/);
  });

  test("--json: the whole result, with these keys in this order, and nothing else on stdout", async () => {
    const cwd = createFolder({ "hello.csv": HELLO });
    const ended = await flowsheet(["run", "hello.csv", "--input", "name=Ada", "--json"], { cwd });
    const result = stdoutOf(ended);
    expect(Object.keys(result)).toEqual([
      ...["run_id", "graph_name", "status", "success", "state", "path", "steps", "duration_ms"],
      ...["error", "waiting"],
    ]);
    expect(result).toMatchObject({
      graph_name: "Hello",
      status: "completed",
      success: true,
      state: { name: "Ada", greeting: "Hello Ada" },
      path: ["Ask", "Greet"],
      steps: 2,
      error: null,
      waiting: [],
    });
    expect(result["run_id"]).toMatch(/^[0-9a-f]{32}$/);
    expect(result["duration_ms"]).toBeGreaterThan(0);
  });

  test("--quiet leaves the data", async () => {
    const cwd = createFolder({ "hello.csv": HELLO });
    const ended = await flowsheet(["run", "hello.csv", "--input", "name=Ada", "--quiet"], { cwd });
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(stdoutOf(ended)).toEqual({ name: "Ada", greeting: "Hello Ada" });
  });

  test("branches are shown as branches, and a path is that of the sheet", async () => {
    const sheet = sheetOf(
      "Both,S,A|B,echo,,,x,s,{x},",
      "Both,A,M,echo,,,x,a,,",
      "Both,B,M,echo,,,x,b,,",
      "Both,M,,echo,,,a|b,m,{a}{b},",
    );
    const ended = await flowsheet(["run", "a.csv", "--input", "x=1", "--json"], {
      cwd: createFolder({ "a.csv": sheet }),
    });
    expect(stdoutOf(ended)["path"]).toEqual(["S", "A", "B", "M"]);
    expect(ended.stderr.replace(/[\d.]+ ms/g, "")).toBe("✓ S  \n│1 ✓ A  \n│2 ✓ B  \n✓ M  \n");
  });

  test("what happens inside of a sub-graph is shown only in a trace", async () => {
    const cwd = createFolder({
      "loop.csv":
        "graph_name,node_name,agent_type,input_fields,output_field,prompt,context\n" +
        'Loop,Each,graph,items:list,line=lines,,"{""graph"": ""One"", ""over"": ""items""}"\n' +
        "One,Say,echo,item,line,{item}!,\n",
    });
    const args = ["run", "loop.csv", "--graph", "Loop", "--state", '{"items": [1, 2]}'];
    const plain = await flowsheet(args, { cwd });
    expect(plain.stderr.replace(/[\d.]+ ms/g, "")).toBe("✓ Each  \n");
    expect((await flowsheet([...args, "--trace"], { cwd })).stderr).toContain("✓ Each[1]/Say");
  });

  test("--trace: every visit with inputs, prompt, output, outcome and time", async () => {
    const cwd = createFolder({ "hello.csv": HELLO });
    const shown = await flowsheet(["run", "hello.csv", "--input", "name=Ada", "--trace"], { cwd });
    expect(shown.stderr).toContain("✓ Greet");
    expect(shown.stderr).toContain(
      '    inputs  {"name":"Ada"}\n    prompt  Hello Ada\n    output  {"greeting":"Hello Ada"}\n',
    );
    const ended = await flowsheet(["run", "hello.csv", "--input", "name=Ada", "--trace", "--json"], { cwd });
    expect(stdoutOf(ended)["trace"]).toEqual([
      expect.objectContaining({ step: 1, node: "Ask", outcome: "success", output: { name: "Ada" } }),
      {
        step: 2,
        node: "Greet",
        visit: 1,
        branch: [],
        attempts: 1,
        outcome: "success",
        duration_ms: expect.any(Number) as number,
        inputs: { name: "Ada" },
        prompt: "Hello Ada",
        output: { greeting: "Hello Ada" },
        error: null,
      },
    ]);
  });

  test("a failed run: exit 1, its node and the cell of its agent", async () => {
    const sheet = sheetOf(
      "# a comment",
      "Cut,A,B,echo,,,x,a,,",
      "Cut,B,,switch,,,a,b,,",
      "Cut,C,,echo,,,,c,hi,",
    ).replace("Cut,B,,switch", "Cut,B,C|D,switch");
    const cwd = createFolder({ "flows/cut.csv": `${sheet}Cut,D,,echo,,,,d,hi,\n` });
    const ended = await flowsheet(["run", "flows/cut.csv", "--input", "x=E", "--json"], { cwd });
    expect(ended.code).toBe(1);
    expect(stdoutOf(ended)).toMatchObject({
      status: "failed",
      success: false,
      state: { x: "E", a: "E" },
      path: ["A", "B"],
      error: { code: "agent_failed", graph: "Cut", node: "B", file: "flows/cut.csv", line: 4, cell: "D4" },
    });
    const told = await flowsheet(["run", "flows/cut.csv", "--input", "x=E"], { cwd });
    expect(told.stderr).toContain("error agent_failed: ");
    expect(told.stderr).toContain("  --> flows/cut.csv:4   cell D4 · graph Cut · node B\n");
  });

  test.each([
    ["G,N,,formula,,,net:number,x,10 / net,", "I2"],
    ['G,N,,branching,END,,net:number,,,"{""if"": ""10 / net > 1""}"', "J2"],
  ])("what a formula throws is told at its own cell: %s", async (row, cell) => {
    const cwd = createFolder({ "a.csv": sheetOf(row) });
    const ended = await flowsheet(["run", "a.csv", "--input", "net=0"], { cwd });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(
      `error agent_failed: a division by zero\n  --> a.csv:2   cell ${cell} · graph G · node N\n`,
    );
  });

  test("I08: control characters in values, messages and names cannot reach the terminal", async () => {
    const evil = "\x1b[2J\x9b31m\u202e\x07";
    const sheet = sheetOf(
      "Evil,A,B,echo,,,x,a,,",
      "Evil,B,C|D,switch,,,a,b,,",
      "Evil,C,,echo,,,,c,,",
      "Evil,D,,echo,,,,d,,",
    );
    const cwd = createFolder({ "a.csv": sheet });
    for (const more of [[], ["--json"], ["--trace"], ["--trace", "--json"]]) {
      const ended = await flowsheet(["run", "a.csv", "--state", "-", ...more], {
        cwd,
        input: JSON.stringify({ x: evil, [`f${evil}`]: evil }),
      });
      expect(ended.code).toBe(1);
      expect(ended.stdout + ended.stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
      const { state = stdoutOf(ended) } = stdoutOf(ended);
      expect(state).toMatchObject({ x: evil, a: evil });
    }
  });
});

describe("what a run is given", () => {
  const TYPED = sheetOf(
    "Typed,A,,echo,,,n:number|b:boolean|l:string[]|o:object|t:string|c:'red'/'blue'|w?,out,{n} {b} {l} {o} {t} {c} {w},",
  );
  const typed = (...inputs: readonly string[]): Promise<Ended> =>
    flowsheet(["run", "a.csv", "--json", ...inputs.flatMap((input) => ["--input", input])], {
      cwd: createFolder({ "a.csv": TYPED }),
    });

  test("--input is read by the field's type", async () => {
    const ended = await typed(
      "n=-4.5",
      "b=yes",
      'l=["a","b"]',
      'o={"k":[1]}',
      "t=007",
      "c=red",
      "w=42",
      "w=a=b",
    );
    expect(ended.code).toBe(0);
    expect(stdoutOf(ended)["state"]).toMatchObject({
      n: -4.5,
      b: true,
      l: ["a", "b"],
      o: { k: [1] },
      t: "007",
      c: "red",
      w: "a=b",
      out: '-4.5 true ["a","b"] {"k":[1]} 007 red a=b',
    });
  });

  test.each([
    ["n=many", 'input "n" must be number, not "many"'],
    ["n=1.000,50", 'input "n" must be number, not "1.000,50"\n  = help: write 1000.50'],
    ["n=1,500", 'input "n" must be number, not "1,500"'],
    ["b=perhaps", 'input "b" must be boolean, not "perhaps"'],
    ["o=[1]", 'input "o" must be object, not "[1]"'],
    ["c=green", `input "c" must be 'red'/'blue', not "green"`],
    ["c=Redd", `input "c" must be 'red'/'blue', not "Redd"\n  = help: did you mean "red"?`],
  ])("%s is wrong usage: exit 2, nothing is run", async (input, message) => {
    const right = ["n=1", "b=no", "l=a", "o={}", "t=x", "c=blue"].filter((one) => one[0] !== input[0]);
    const ended = await typed(...right, input);
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toBe(`error: ${message}\n`);
  });

  test("all that is missing is named, each with who reads it or what was probably meant", async () => {
    const sheet = sheetOf("G,A,,echo,,,customer:string|amount:number,out,,");
    const ended = await flowsheet(["run", "a.csv", "--input", "custmer=Ada"], {
      cwd: createFolder({ "a.csv": sheet }),
    });
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain(
      'error: input "customer" is missing\n  = help: "custmer" was given: did you mean "customer"?',
    );
    expect(ended.stderr).toContain('error: input "amount" is missing\n  = help: it is read by "A"');
    expect(ended.stderr.indexOf('"customer" is missing')).toBeLessThan(
      ended.stderr.indexOf('"amount" is missing'),
    );
  });

  describe("a field that is only looked into", () => {
    const inside = (...args: readonly string[]): Promise<Ended> => {
      const sheet = sheetOf(
        "G,A,,echo,,,first=items.0|w=order.weight:number|u=order.unit?:string,out,{first} {w}{u},",
      );
      return flowsheet(["run", "a.csv", "--json", ...args], { cwd: createFolder({ "a.csv": sheet }) });
    };

    test("is read as JSON", async () => {
      const ended = await inside("--input", 'items=["a","b"]', "--input", 'order={"weight":5}');
      expect(stdoutOf(ended)["state"]).toEqual({ items: ["a", "b"], order: { weight: 5 }, out: "a 5" });
    });

    test.each([
      [
        "items=a",
        'input "items" must be a list or an object as JSON, not "a"\n  = help: what reads it looks inside',
      ],
      ['items=["a"', 'input "items" must be a list or an object as JSON, not "[\\"a\\""'],
      ['order={"weight":"5"}', 'input "order.weight" must be number, not "5"'],
      ["order={}", 'input "order.weight" must be number, not unset'],
      ['order={"weight":5,"unit":1}', 'input "order.unit" must be string, not 1'],
    ])("%s is wrong usage: exit 2, nothing is run", async (input, message) => {
      const right = ['items=["a"]', 'order={"weight":5}'].filter((one) => one[0] !== input[0]);
      const ended = await inside(...[...right, input].flatMap((one) => ["--input", one]));
      expect([ended.code, ended.stdout]).toEqual([2, ""]);
      expect(ended.stderr).toContain(`error: ${message}`);
    });
  });

  test.each([
    ["limit?:number", 'input "limit" must be number, not null\n  = help: leave it out where there is none\n'],
    ["limit:number", 'input "limit" must be number, not null\n'],
  ])("null for %s: %s", async (input, message) => {
    const cwd = createFolder({ "a.csv": sheetOf(`G,A,,echo,,,${input},out,{limit},`) });
    const ended = await flowsheet(["run", "a.csv", "--state", '{"limit":null}'], { cwd });
    expect(ended).toEqual({ code: 2, stdout: "", stderr: `error: ${message}` });
  });

  test.each([
    ["G,A,,echo,,,order,out,{order.total} {order.items.0},", "5 a"],
    ['G,A,,formula,,,o=order,out,"o.total * 2 & o.items.0",', "10a"],
  ])("a field that a prompt or a formula looks into is read as JSON: %s", async (row, out) => {
    const ended = await flowsheet(["run", "a.csv", "--json", "--input", 'order={"total":5,"items":["a"]}'], {
      cwd: createFolder({ "a.csv": sheetOf(row) }),
    });
    expect(stdoutOf(ended)["state"]).toMatchObject({ out });
  });

  describe("a field that is looked into, and put into a prompt as a whole", () => {
    const said = async (input: string): Promise<unknown> => {
      const sheet = sheetOf("G,A,B,echo,,,city=order.city,a,{city},", "G,B,,echo,,,order,out,{order},");
      const ended = await flowsheet(["run", "a.csv", "--input", input], {
        cwd: createFolder({ "a.csv": sheet }),
      });
      return stdoutOf(ended);
    };

    test.each([
      ['order={"city":"Oslo"}', { order: { city: "Oslo" }, a: "Oslo", out: '{"city":"Oslo"}' }],
      ["order=Oslo", { order: "Oslo", a: "", out: "Oslo" }],
      ["order=7", { order: "7", a: "", out: "7" }],
    ])("%s", async (input, expected) => {
      expect(await said(input)).toEqual(expected);
    });
  });

  test("an unknown field is kept, with a warning", async () => {
    const cwd = createFolder({ "hello.csv": HELLO });
    const ended = await flowsheet(["run", "hello.csv", "--input", "name=Ada", "--input", "nmae=x"], { cwd });
    expect(ended.code).toBe(0);
    expect(stdoutOf(ended)).toEqual({ name: "Ada", nmae: "x", greeting: "Hello Ada" });
    expect(ended.stderr).toContain('note: graph "Hello" knows no field "nmae"');
  });

  test("--state is JSON, a file or standard input; --input beats it", async () => {
    const cwd = createFolder({ "hello.csv": HELLO, "ada.json": '{"name": "Ada"}' });
    const greeted = async (input: string, ...args: readonly string[]): Promise<unknown> =>
      stdoutOf(await flowsheet(["run", "hello.csv", ...args], { cwd, input }))["greeting"];
    expect(await greeted("", "--state", '{"name": "Ada"}')).toBe("Hello Ada");
    expect(await greeted("", "--state", "@ada.json")).toBe("Hello Ada");
    expect(await greeted('{"name": "Zoë"}', "--state", "-")).toBe("Hello Zoë");
    expect(await greeted("", "--state", "@ada.json", "--input", "name=Bob")).toBe("Hello Bob");
  });

  test.each([
    ["{bad", "--state is no JSON"],
    ["[1]", "--state must be a JSON object"],
    ["null", "--state must be a JSON object"],
    ["@none.json", "cannot open none.json: there is no such file"],
    ["@.", "cannot open .: it is a folder"],
    ["@bytes.json", "bytes.json is not UTF-8 text"],
    ['{"__proto__": {"admin": true}}', '"__proto__" cannot be the name of a field'],
    ['{"constructor": 1}', '"constructor" cannot be the name of a field'],
    [`{"name": ${"[".repeat(5_000)}${"]".repeat(5_000)}}`, "nested more than"],
  ])("--state %.40s: exit 2", async (state, message) => {
    const cwd = createFolder({ "hello.csv": HELLO, "bytes.json": Uint8Array.of(0x7b, 0xe9, 0x7d) });
    const ended = await flowsheet(["run", "hello.csv", "--state", state], { cwd });
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).not.toContain("    at ");
  });

  test.each([
    [["--input", "name"], "--input takes name=value"],
    [["--input", "=x"], "--input takes name=value"],
    [["--input", "__proto__=x"], '"__proto__" cannot be the name of a field'],
    [["--state", "@"], "--state @ names no file"],
    [["--timeout", "0"], "--timeout must be a whole number"],
    [["--timeout", "1.5"], "--timeout must be a whole number"],
    [["--max-steps", "many"], "--max-steps must be a whole number"],
    [["--state", "-", "-"], "standard input cannot be the sheet and the state"],
  ])("%j: exit 2", async (args, message) => {
    const cwd = createFolder({ "hello.csv": HELLO });
    const sheet = args.includes("-") ? [] : ["hello.csv"];
    const ended = await flowsheet(["run", ...sheet, ...args], { cwd, input: HELLO });
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain(message);
  });
});

describe("which graph", () => {
  const TWO = sheetOf("One,A,,echo,,,,a,one,", "Two,A,,echo,,,,a,two,");

  test("the only one needs no name; with several exit 2 lists them", async () => {
    const cwd = createFolder({ "two.csv": TWO });
    const ended = await flowsheet(["run", "two.csv"], { cwd });
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain('two.csv has 2 graphs: "One", "Two"');
    expect(ended.stderr).toContain("--graph");
    expect(stdoutOf(await flowsheet(["run", "two.csv", "--graph", "Two"], { cwd }))).toEqual({ a: "two" });
  });

  test("an unknown one: exit 2 with a suggestion", async () => {
    const ended = await flowsheet(["run", "two.csv", "--graph", "Tow"], {
      cwd: createFolder({ "two.csv": TWO }),
    });
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain('two.csv has no graph "Tow"\n  = help: did you mean "Two"?');
  });

  test("without a sheet it is found by its name, in the configured folder", async () => {
    const cwd = createFolder({
      "flowsheet.yaml": "workflows: flows\n",
      "flows/two.csv": TWO,
      "flows/deep/hello.csv": HELLO,
      "flows/deep/hello.test.csv": HELLO,
      "flows/contacts.csv": "name,mail\nAda,a@b\n",
      "other.csv": TWO,
    });
    const ended = await flowsheet(["run", "--graph", "Hello", "--input", "name=Ada"], {
      cwd: join(cwd, "flows/deep"),
    });
    expect(stdoutOf(ended)).toEqual({ name: "Ada", greeting: "Hello Ada" });
    const unknown = await flowsheet(["run", "--graph", "Helo"], { cwd });
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('no sheet has a graph "Helo"\n  = help: did you mean "Hello"?');
    const several = await flowsheet(["run"], { cwd });
    expect(several.code).toBe(2);
    expect(several.stderr).toContain("there are several graphs: Hello, One, Two");
  });

  test("two sheets with one name: the sheet is named, too", async () => {
    const cwd = createFolder({ "a.csv": TWO, "b.csv": TWO.replace("two,", "TWO,") });
    const ended = await flowsheet(["run", "--graph", "Two"], { cwd });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('several sheets have a graph "Two": a::Two, b::Two');
    expect(stdoutOf(await flowsheet(["run", "--graph", "b::Two"], { cwd }))).toEqual({ a: "TWO" });
  });
});

describe("a sheet that cannot be run", () => {
  const BROKEN = sheetOf("Bad,A,Nowhere,echo,,,,a,x,", "Good,A,,echo,,,,a,fine,");

  test("errors: exit 1, on stderr as validate shows them, nothing is run", async () => {
    const ended = await flowsheet(["run", "a.csv", "--graph", "Bad"], {
      cwd: createFolder({ "a.csv": BROKEN }),
    });
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toMatch(/^error unknown-node: .*\n {2}--> a\.csv:2:7 {3}cell C2/);
  });

  test("errors of another graph do not matter", async () => {
    const cwd = createFolder({ "a.csv": BROKEN });
    expect(stdoutOf(await flowsheet(["run", "a.csv", "--graph", "Good"], { cwd }))).toEqual({ a: "fine" });
  });

  test("a file that is not there: exit 2, with a suggestion", async () => {
    const ended = await flowsheet(["run", "helo.csv"], { cwd: createFolder({ "hello.csv": HELLO }) });
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toBe(
      "error: cannot open helo.csv: there is no such file\n  = help: did you mean hello.csv?\n",
    );
  });

  test("--generated: the sheet and the input are checked first, with the same messages", async () => {
    const cwd = createFolder({
      "a.csv": BROKEN,
      "hello.csv": sheetOf("Hello,Greet,,echo,,,name:string,greeting,Hello {name},"),
    });
    const run = (...args: readonly string[]): Promise<Ended> => flowsheet(["run", ...args], { cwd });
    for (const args of [
      ["a.csv", "--graph", "Bad"],
      ["a.csv", "--graph", "Bed"],
      ["hello.csv"],
      ["nothing.csv"],
    ])
      expect(await run(...args, "--generated"), args.join(" ")).toEqual(await run(...args));
    const missing = await run("hello.csv", "--input", "name=Ada", "--generated");
    expect([missing.code, missing.stderr]).toEqual([
      2,
      'error: there is no generated module for graph "Hello"\n  = help: run: flowsheet compile\n',
    ]);
  });

  test("--generated: a module of another version of the sheet is refused", async () => {
    const cwd = createFolder({ "hello.csv": HELLO });
    expect((await flowsheet(["compile", "hello.csv"], { cwd })).code).toBe(0);
    const args = ["run", "hello.csv", "--generated", "--json", "--input", "name=Ada"];
    expect(stdoutOf(await flowsheet(args, { cwd }))).toMatchObject({ state: { greeting: "Hello Ada" } });
    writeFileSync(join(cwd, "hello.csv"), HELLO.replace("Hello {name}", "Bye {name}"));
    const stale = await flowsheet(args, { cwd });
    expect([stale.code, stale.stdout]).toEqual([1, ""]);
    expect(stale.stderr).toContain("was made from another version of the sheet");
  });
});

describe("limits", () => {
  const LOOP = sheetOf(
    "Loop,A,B,echo,,,,a,x,",
    'Loop,B,A,branching,End,A,a,b,,"{""success_values"": [""never""]}"',
    "Loop,End,,success,,,,e,,",
  );

  test("R01: a loop stops at the step limit, of the option or of the configuration", async () => {
    const cwd = createFolder({ "a.csv": LOOP });
    const ended = await flowsheet(["run", "a.csv", "--json", "--quiet"], { cwd });
    expect([ended.code, stdoutOf(ended)["steps"]]).toEqual([1, 10_000]);
    expect(stdoutOf(ended)["error"]).toMatchObject({ code: "step_limit" });
    const option = await flowsheet(["run", "a.csv", "--json", "--quiet", "--max-steps", "7"], { cwd });
    expect(stdoutOf(option)["steps"]).toBe(7);
    const configured = createFolder({ "a.csv": LOOP, "flowsheet.yaml": "execution: { max_steps: 5 }\n" });
    const limited = await flowsheet(["run", "a.csv", "--json", "--quiet"], { cwd: configured });
    expect(stdoutOf(limited)["steps"]).toBe(5);
  });

  test("R02: a time-out ends a loop that never pauses", async () => {
    const cwd = createFolder({ "a.csv": LOOP });
    const started = performance.now();
    const args = ["run", "a.csv", "--json", "--quiet", "--timeout", "200", "--max-steps", "1000000000"];
    const ended = await flowsheet(args, { cwd });
    expect([ended.code, performance.now() - started < 60_000]).toEqual([1, true]);
    expect(stdoutOf(ended)["error"]).toMatchObject({ code: "run_timeout", node: null });
  });
});

test("a run that waits: exit 3, what it waits for, and how to go on", async () => {
  const cwd = createFolder({ "order.csv": ORDER });
  const ended = await flowsheet(["run", "order.csv", "--input", "item=a book", "--json"], { cwd });
  expect(ended.code).toBe(3);
  expect(stdoutOf(ended)).toMatchObject({
    status: "suspended",
    success: false,
    error: null,
    path: ["Take", "Check", "Approve"],
    waiting: [
      { node: "Approve", field: "verdict", prompt: "May we ship a book?", options: ["approve", "reject"] },
    ],
  });
  const told = await flowsheet(["run", "order.csv", "--input", "item=a book"], { cwd });
  expect(told.stderr).toMatch(
    /waits: Approve {2}May we ship a book\? {2}\(approve, reject\)\n {2}= help: flowsheet resume [0-9a-z]+ --answer Approve=approve\n$/,
  );
});
