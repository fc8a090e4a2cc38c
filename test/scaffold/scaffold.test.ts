import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder, snapshot } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { sheetOf } from "../cli/sheets.js";
import { linkPackages, lint, runTests, typeCheck } from "../init/project.js";

const HEADER =
  "graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt,description";

/** Agents with inputs, outputs and prompts of every kind. */
const SHEET = sheetOf(
  HEADER,
  "Trip,Ask,Forecast,input,,,,city:string,Where to?,",
  'Trip,Forecast,Pack,weather,,Sorry,city,forecast|temperature:number,"The weather in {city}?",Looks the weather up',
  "Trip,Pack,,next_row,,,forecast|temperature:number|user-id?|country?:string,items:string[],,Packs",
  "Trip,Sorry,Route,weather,,,city|error,forecast,,Says sorry",
  "Trip,Route,Last,route me,,,,,,",
  "Trip,Last,Sum,last-agent,,,n=temperature?:number,mood:'good'/'it''s bad',,",
  "Trip,Sum,,sum,,,items?,total:number|list:list|any:any|open:boolean,,",
  "Two,A,B,shape,,,x:number,data:object,{x},",
  "Two,B,,shape,,,x|data,kind:'a'/'b',,",
  "Three,A,B,gather,,,x:number,data:object,,",
  "Three,B,C,tell,,,data,more:object,Tell {data},",
  "Three,C,,both,,,x,a|o:object,,",
);

const PROJECT = {
  "trip.csv": SHEET,
  "package.json": '{ "type": "module" }',
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      target: "es2023",
      module: "nodenext",
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noImplicitOverride: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ["agents", "generated"],
  }),
};

describe("all agents that a sheet is missing", () => {
  test("run, compile, type-check, lint and pass their tests at once", async () => {
    const cwd = createFolder(PROJECT);
    linkPackages(cwd);
    expect((await flowsheet(["validate", "trip.csv"], { cwd })).stdout).toContain("unknown-agent");
    const made = await flowsheet(["scaffold", "--csv", "trip.csv"], { cwd });
    const files = [
      "weather",
      "next-row",
      "route-me",
      "last",
      "sum",
      "shape",
      "gather",
      "tell",
      "both",
    ].flatMap((name) => [`created   agents/${name}.ts\n`, `created   agents/${name}.test.ts\n`]);
    expect(made).toEqual({ code: 0, stdout: files.join(""), stderr: "" });
    expect(await flowsheet(["validate", "--strict", "trip.csv"], { cwd })).toMatchObject({
      code: 0,
      stdout: "trip.csv: no problems (3 graphs, 12 nodes)\n",
    });
    const trip = ["run", "trip.csv", "--graph", "Trip", "--input", "city=Rome", "--quiet"];
    expect(JSON.parse((await flowsheet(trip, { cwd })).stdout)).toEqual({
      city: "Rome",
      forecast: "The weather in Rome?",
      temperature: 0,
      items: [],
    });
    const two = ["run", "trip.csv", "--graph", "Two", "--input", "x=1", "--quiet"];
    expect(JSON.parse((await flowsheet(two, { cwd })).stdout)).toEqual({
      x: 1,
      data: { kind: "a" },
      kind: "a",
    });
    const three = ["run", "trip.csv", "--graph", "Three", "--input", "x=1", "--quiet"];
    expect(JSON.parse((await flowsheet(three, { cwd })).stdout)).toEqual({
      x: 1,
      data: {},
      more: {},
      a: '{"x":1}',
      o: {},
    });
    expect(readFileSync(join(cwd, "agents/gather.ts"), "utf8")).toContain("    return {};\n");
    // Of several outputs none takes the whole result.
    expect(readFileSync(join(cwd, "agents/both.ts"), "utf8")).not.toContain("[key: string]: unknown;\n}");
    expect(await flowsheet(["compile", "trip.csv"], { cwd })).toMatchObject({ code: 0 });
    expect(await typeCheck(cwd)).toEqual({ code: 0, output: "" });
    expect(await runTests(cwd)).toMatchObject({ code: 0, output: expect.stringContaining("9 passed (9)") });
    expect(await lint(cwd)).toMatchObject({ code: 0 });
    expect(await flowsheet(["scaffold", "--csv", "trip.csv"], { cwd })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "note: trip.csv: no agent is missing\n",
    });
  });

  test("rows that use one agent differently share it: inputs of all, optional where one lacks them", async () => {
    const cwd = createFolder(PROJECT);
    await flowsheet(["scaffold", "--csv", "trip.csv", "--agent", "WeatherAgent"], { cwd });
    expect(Object.keys(snapshot(join(cwd, "agents")))).toEqual(["weather.test.ts", "weather.ts"]);
    const text = readFileSync(join(cwd, "agents/weather.ts"), "utf8");
    expect(text).toContain(
      "export interface WeatherInputs {\n  readonly city: string;\n  readonly error?: string | undefined;\n}",
    );
    expect(text).toContain(
      "export interface WeatherResult {\n  readonly forecast: string;\n  readonly temperature: number;\n}",
    );
    expect(text).toContain(" * Looks the weather up\n * Says sorry\n");
    expect(text).toContain(" * The prompt of `Forecast`: The weather in {city}?\n");
  });

  test("may have types that are hard to name", async () => {
    const all = [
      "agent_context",
      "record",
      "index",
      "test",
      "my_agent_agent",
      "HTTPCheck",
      "node",
      "Hall9000",
    ];
    const rows = all.map((type, i) => `Words,N${i},N${i + 1},${type},,,word,w${i},Say {word},`);
    const last = `Words,N${all.length},,echo,,,,end,Done,`;
    const cwd = createFolder({ ...PROJECT, "trip.csv": sheetOf(HEADER, ...rows, last) });
    linkPackages(cwd);
    expect(await flowsheet(["scaffold", "--csv", "trip.csv"], { cwd })).toMatchObject({
      code: 0,
      stderr: "",
    });
    const files = Object.keys(snapshot(join(cwd, "agents")));
    expect(files).toHaveLength(2 * all.length);
    expect(await flowsheet(["validate", "--strict", "trip.csv"], { cwd })).toMatchObject({ code: 0 });
    const run = await flowsheet(["run", "trip.csv", "--input", "word=hm", "--quiet"], { cwd });
    expect(JSON.parse(run.stdout)).toMatchObject({ w0: "Say hm", [`w${all.length - 1}`]: "Say hm" });
    expect(await flowsheet(["compile", "trip.csv"], { cwd })).toMatchObject({ code: 0 });
    expect(await typeCheck(cwd)).toEqual({ code: 0, output: "" });
    expect(await runTests(cwd)).toMatchObject({ code: 0 });
    expect(await lint(cwd)).toMatchObject({ code: 0 });
  });

  test("fit sheets as people write them: paths that may lead nowhere, long choices and names", async () => {
    const choice = [
      "billing department",
      "technical support",
      "sales and marketing",
      "human resources",
      "none",
    ]
      .map((text) => `'${text}'`)
      .join("/");
    const cwd = createFolder({
      ...PROJECT,
      "trip.csv": sheetOf(
        HEADER,
        "Refund,Load,,fetch_order,Pay,Sorry,order-id|mail=customer.email?,order:object,,",
        "Refund,Pay,,CRMPayment,Pick,Sorry,order-id|amount=order.total:number|currency=order.currency?:'EUR'/'USD',receipt-no,Pay {amount} back,",
        `Refund,Pick,,pick team,Rate,Sorry,order?|receipt-no,team:${choice},,`,
        "Refund,Rate,,customer satisfaction survey,,,team|order-id|receipt-no|amount:number|reference:string|email?,score:number|comment,How was {team}?,",
        "Refund,Sorry,Last,customer satisfaction survey,,,order-id|error,comment,Sorry: {error},",
        "Refund,Last,,an agent whose name is nearly as long as a name may be at all,,Sorry,comment,end,Bye {comment},",
      ),
    });
    linkPackages(cwd);
    expect(await flowsheet(["scaffold", "--csv", "trip.csv"], { cwd })).toMatchObject({
      code: 0,
      stderr: "",
    });
    const payment = readFileSync(join(cwd, "agents/crm-payment.ts"), "utf8");
    expect(payment).toContain('  readonly currency?: "EUR" | "USD" | undefined;\n');
    expect(await lint(cwd)).toMatchObject({ code: 0 });
    expect(await flowsheet(["compile", "trip.csv"], { cwd })).toMatchObject({ code: 0 });
    expect(await typeCheck(cwd)).toEqual({ code: 0, output: "" });
    expect(await runTests(cwd)).toMatchObject({ code: 0 });
    // The comment says: return fail("why").
    const failing = payment
      .replace("{ Agent,", "{ Agent, fail,")
      .replace("return {", 'if (inputs.amount > 9) return fail("why");\n    return {');
    const sync = failing.replace("_inputs", "inputs");
    writeFileSync(join(cwd, "agents/crm-payment.ts"), sync);
    expect(await typeCheck(cwd)).toEqual({ code: 0, output: "" });
    // The comment says, too: make the method async.
    const waiting = sync
      .replace("override process", "override async process")
      .replace(": CRMPaymentResult | Failure {", ": Promise<CRMPaymentResult | Failure> {\n    await null;");
    expect(waiting).toContain(": Promise<");
    writeFileSync(join(cwd, "agents/crm-payment.ts"), waiting);
    expect(await flowsheet(["compile", "trip.csv"], { cwd })).toMatchObject({ code: 0 });
    expect(await typeCheck(cwd)).toEqual({ code: 0, output: "" });
    expect(await runTests(cwd)).toMatchObject({ code: 0 });
  });

  test("are written but for those that cannot be, which are named with the reason", async () => {
    const cwd = createFolder({
      "a.csv": sheetOf(
        HEADER,
        "G,A,B,1st,,,,x,,",
        "G,B,C,weather,,,x,y,,",
        "G,C,D,EchoAgentAgent,,,y,z,,",
        "G,D,E,Tell me,,,z,u,,",
        "G,E,F,1st,,,z,v,,",
        "G,F,,con,,,z,w,,",
      ),
      "agents/tell-me.test.ts": "mine",
      "node_modules/vitest/package.json": "{}",
    });
    const told = [
      `error: "1st" (a.csv, row 2 and 1 more) cannot name an agent: an agent's name begins with a letter from a to z`,
      "  = help: choose another name, such as NextRow",
      'error: "EchoAgentAgent" (a.csv, row 4) would be taken for the built-in "echo"',
      "  = help: use that, or choose another name",
      'error: "con" (a.csv, row 7) cannot name an agent: JavaScript or the system keeps that name for itself',
      "  = help: choose another name, such as NextRow",
      "error: agents/tell-me.test.ts is there already",
      "  = help: --force replaces",
    ];
    expect(await flowsheet(["scaffold", "--csv", "a.csv"], { cwd })).toEqual({
      code: 1,
      stdout: ["weather.ts", "weather.test.ts"].map((file) => `created   agents/${file}\n`).join(""),
      stderr: sheetOf(...told),
    });
    expect(readFileSync(join(cwd, "agents/tell-me.test.ts"), "utf8")).toBe("mine");
    writeFileSync(join(cwd, "a.csv"), sheetOf(HEADER, "G,A,B,1st,,,,x,,", "G,B,,Tell me,,,x,y,,"));
    const again = await flowsheet(["scaffold", "--csv", "a.csv", "--force"], { cwd });
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: "1st" .*\n {2}= help: .*\n$/),
    });
    expect(again.stdout).toBe("created   agents/tell-me.ts\nreplaced  agents/tell-me.test.ts\n");
  });

  test("a sheet with errors is shown with them, and nothing is written", async () => {
    const cwd = createFolder({ "a.csv": sheetOf(HEADER, "G,A,Nowhere,weather,,,,,,") });
    const { code, stderr } = await flowsheet(["scaffold", "--csv", "a.csv"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain("unknown-node");
    expect(stderr).not.toContain("unknown-agent");
    expect(Object.keys(snapshot(cwd))).toEqual(["a.csv"]);
  });
});

describe("one agent", () => {
  test("without a row: it takes what it is given, and fits any row with one output", async () => {
    const cwd = createFolder({ ...PROJECT, "trip.csv": "" });
    linkPackages(cwd);
    rmSync(join(cwd, "trip.csv"));
    const made = await flowsheet(["scaffold", "--agent", "next_row"], { cwd });
    expect(made.stdout).toBe("created   agents/next-row.ts\ncreated   agents/next-row.test.ts\n");
    writeFileSync(join(cwd, "a.csv"), sheetOf(HEADER, "G,A,,NextRow,,,x:number|y?,z,,"));
    expect(await flowsheet(["validate", "--strict", "a.csv"], { cwd })).toMatchObject({ code: 0 });
    const run = await flowsheet(["run", "a.csv", "--input", "x=1", "--quiet"], { cwd });
    expect(JSON.parse(run.stdout)).toEqual({ x: 1, z: '{"x":1}' });
    expect(await flowsheet(["compile", "a.csv"], { cwd })).toMatchObject({ code: 0 });
    expect(await typeCheck(cwd)).toEqual({ code: 0, output: "" });
    expect(await runTests(cwd)).toMatchObject({ code: 0 });
    expect(await lint(cwd)).toMatchObject({ code: 0 });
  });

  test("as a sheet of the project uses it: what unknown-agent says to type is enough", async () => {
    const cwd = createFolder(PROJECT);
    const { stdout } = await flowsheet(["validate", "trip.csv", "--json"], { cwd });
    const helps = (JSON.parse(stdout) as { diagnostics: { help: string }[] }).diagnostics.map(
      ({ help }) => help,
    );
    const commands = helps.map((help) =>
      help.slice(help.indexOf("flowsheet scaffold") + "flowsheet ".length),
    );
    for (const command of new Set(commands))
      expect(await flowsheet(command.split(" "), { cwd })).toMatchObject({ code: 0 });
    expect(await flowsheet(["validate", "--strict", "trip.csv"], { cwd })).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "agents/weather.ts"), "utf8")).toContain("readonly city: string;");
  });

  test.each([
    "class",
    "CON",
    "1st",
    "EchoAgentAgent",
    "日本",
    "a/b",
    "constructor",
    "my agent agent",
    `a${"b".repeat(80)}`,
  ])("of type %j: what unknown-agent says to type is taken, and is only said when it is", async (type) => {
    const cwd = createFolder({ "a.csv": sheetOf(HEADER, `G,A,,${type},,,,x,,`) });
    const before = await flowsheet(["validate", "a.csv", "--json"], { cwd });
    const [{ help }] = (JSON.parse(before.stdout) as { diagnostics: [{ help: string }] }).diagnostics;
    const said = /flowsheet (scaffold --agent \w+)$/.exec(help)?.[1];
    const asked = await flowsheet(["scaffold", `--agent=${type}`], { cwd });
    expect({ help, code: asked.code }).toEqual({ help, code: said === undefined ? 2 : 0 });
    if (said === undefined) return;
    rmSync(join(cwd, "agents"), { recursive: true });
    expect(await flowsheet(said.split(" "), { cwd })).toMatchObject({ code: 0 });
    expect(await flowsheet(["validate", "--strict", "a.csv"], { cwd })).toMatchObject({ code: 0 });
  });

  test("in another folder, with a note of where agents are looked for", async () => {
    const cwd = createFolder({ "flowsheet.yaml": "agents: people\n" });
    mkdirSync(join(cwd, "node_modules/vitest"), { recursive: true });
    expect(await flowsheet(["scaffold", "--agent", "A", "--out", "lib"], { cwd })).toMatchObject({
      code: 0,
      stdout: "created   lib/a.ts\ncreated   lib/a.test.ts\n",
      stderr:
        "note: agents are looked for in people: move the files there, or name the folder in flowsheet.yaml\n",
    });
    expect((await flowsheet(["scaffold", "--agent", "A"], { cwd })).stdout).toContain("people/a.ts");
  });

  test.each([
    ["echo", '"echo" is a built-in agent\n  = help: use it as it is, or choose another name'],
    ["GPT agent", '"GPT agent" is a built-in agent\n  = help: use it as it is, or choose another name'],
    [
      "GPT agent agent",
      '"GPT agent agent" would be taken for the built-in "gpt"\n  = help: use that, or choose another name',
    ],
    [
      "1st",
      `"1st" cannot name an agent: an agent's name begins with a letter from a to z\n  = help: choose another name, such as NextRow`,
    ],
  ])("that cannot be written is refused with what to do instead: %s", async (name, said) => {
    const { code, stderr } = await flowsheet(["scaffold", "--agent", name], { cwd: createFolder() });
    expect({ code, stderr }).toEqual({ code: 2, stderr: `error: ${said}\n` });
  });

  test.each(["file", "file/x"])("in a place where a file is: %s", async (out) => {
    const cwd = createFolder({ file: "" });
    for (const force of [[], ["--force"]])
      expect(await flowsheet(["scaffold", "--agent", "Foo", "--out", out, ...force], { cwd })).toMatchObject({
        code: 2,
        stdout: "",
        stderr: `error: cannot write ${out}: ${realpathSync(join(cwd, "file"))} is no folder\n`,
      });
  });

  test("that the sheet does not have is refused, with the one that was meant", async () => {
    const cwd = createFolder(PROJECT);
    expect(await flowsheet(["scaffold", "--agent", "Wether", "--csv", "trip.csv"], { cwd })).toMatchObject({
      code: 2,
      stderr: "error: no row of trip.csv has the agent Wether\n  = help: did you mean weather?\n",
    });
  });

  test("that is written elsewhere already is refused, also with --force", async () => {
    const cwd = createFolder({
      "agents/all.ts": 'import { Agent } from "flowsheet";\nexport class WeatherAgent extends Agent {}\n',
    });
    expect(await flowsheet(["scaffold", "--agent", "weather", "--force"], { cwd })).toMatchObject({
      code: 2,
      stderr: "error: the agent Weather is already written in agents/all.ts\n  = help: change it there\n",
    });
  });

  test("nothing named is wrong usage", async () => {
    expect(await flowsheet(["scaffold"], { cwd: createFolder() })).toMatchObject({ code: 2 });
  });
});
