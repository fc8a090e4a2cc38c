import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { understandSheet } from "../../compiler/compile.js";
import { agentFacts } from "../../runtime/agents/facts.js";
import { type WorldData, worldFrom } from "../../runtime/studio/world-data.js";
import { flowsheet } from "../cli/run.js";
import { request } from "../http/raw.js";
import { authentication, KEYS, startService } from "../http/service.js";
import { startStudio, type TestStudio } from "./local.js";

const HEADER = "graph_name,node_name,next_node,context,agent_type,input_fields,output_field,prompt\n";
const FILES = {
  // What it names is there, and what is not is told with the same words as by `validate`.
  "workflows/main.csv": `${HEADER}Main,Ask,Call,,llm,name,draft,file:ask.md
Main,Call,Own,"{""graph"": ""Refund""}",graph,draft,reply,
Main,Own,Named,,shout,reply,loud,
Main,Named,Gone,,echo,loud,named,prompt:greet
Main,Gone,Other,,echo,named,text,file:gone.md
Main,Other,Wrong,"{""graph"": ""team/deep::Deep""}",graph,text,deep,
Main,Wrong,Python,"{""graph"": ""Nowhere""}",graph,deep,x,
Main,Python,Unknown,,snake,x,y,
Main,Unknown,,,nothing,y,z,
`,
  "workflows/refund.csv": `${HEADER}Refund,Pay,,,echo,amount:number,reply,{amount}\n`,
  "workflows/team/deep.csv": `${HEADER}Deep,Dig,,,echo,text,deep,{text}\n`,
  "workflows/first.csv": `${HEADER}Twice,A,,,echo,,a,1\n`,
  "workflows/second.csv": `${HEADER}Twice,A,B,,echo,,a,1\nTwice,B,,"{""graph"": ""Twice""}",graph,,b,\n`,
  "workflows/tariff.csv": `${HEADER}Post,Price,Zone,,formula,weight:number,price,"LOOKUP(weight, ""tariff.csv"", ""price"", TRUE)"
Post,Zone,None,,formula,weight,zone,"LOOKUP(weight, ""tariff.csv"", ""zoen"", TRUE)"
Post,None,Text,,formula,weight,none,"LOOKUP(weight, ""gone.csv"", ""zone"")"
Post,Text,,,formula,weight,text,"LOOKUP(weight, ""tariff.csv"", ""zone"", TRUE) * 2"
`,
  "data/tariff.csv": "weight,price,zone\n0,4.90,letter\n2,9.50,parcel\n",
  "prompts/ask.md": "Answer {name} about {missing}",
  "prompts/prompts.yaml": 'greet: "Good day {loud}"\n',
  "agents/shout.ts":
    'import { defineAgent } from "flowsheet";\nexport const ShoutAgent = defineAgent(async () => "x");\n',
  "agents/snake.py": "class SnakeAgent(Agent):\n    pass\n",
};

const codes = (all: readonly { readonly code: string }[]): readonly string[] => all.map(({ code }) => code);

let studio: TestStudio;
let world: WorldData;
beforeAll(async () => {
  studio = await startStudio({ files: FILES });
  world = (await studio.ask("GET /studio/api/world")).json as unknown as WorldData;
});
afterAll(() => studio.stop());

const names = Object.keys(FILES).filter((path) => /^workflows.*\.csv$/.test(path));

test.each(names)("the problems of %s in the page are those of validate", async (path) => {
  const { stdout } = await flowsheet(["validate", path, "--format", "json"], { cwd: studio.folder });
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: { code: string; message: string; help: string }[];
  };
  const name = path.replace("workflows/", "");
  const bytes = readFileSync(join(studio.folder, path));
  const page = understandSheet({ file: name, bytes }, worldFrom(world, name, agentFacts)).diagnostics;
  const told = (all: readonly { code: string; message: string; help: string | null }[]): readonly string[] =>
    all.map(({ code, message, help }) => `${code}: ${message} (${help})`);
  expect(told(page)).toEqual(told(diagnostics));
  if (name === "main.csv") expect(page.length).toBeGreaterThan(4);
  if (name === "tariff.csv") expect(codes(page)).toEqual(["bad-table", "bad-table", "formula-type"]);
});

test("files of the data folder are for those who may run what reads them", async () => {
  const files = {
    "workflows/tariff.csv": FILES["workflows/tariff.csv"],
    "data/tariff.csv": FILES["data/tariff.csv"],
  };
  const service = await startService({ files, config: `server:\n  studio: edit\n${authentication()}` });
  onTestFinished(() => service.stop());
  const seen = async (key: string): Promise<string> =>
    (await request(service.port, "GET /studio/api/world", [`X-API-Key: ${key}`])).body;
  for (const key of [KEYS.readonly, KEYS.developer]) expect(await seen(key)).not.toContain("parcel");
  for (const key of [KEYS.executor, KEYS.admin]) expect(await seen(key)).toContain("parcel");
});

test("a limited key learns from its sheets nothing of the hidden graphs that they call", async () => {
  const mine = `${HEADER}Mine,Call,Read,"{""graph"": ""Pay""}",graph,,paid,\nMine,Read,,,echo,paid:number,said,{paid}\n`;
  const caller = `${HEADER}Caller,Run,,"{""graph"": ""Mine""}",graph,,,\n`;
  const pay = (field: string): string =>
    `${HEADER}Pay,Sum,,,formula,,${field},${field === "paid" ? 7 : "=1"}\n`;
  const config = `server:\n  studio: edit\n${authentication().replace(
    "user_id: developer\n",
    "user_id: developer\n      graphs: [Mine, Caller]\n",
  )}`;
  const told = async (more: { readonly [path: string]: string }): Promise<readonly string[]> => {
    const files = { "workflows/mine.csv": mine, "workflows/caller.csv": caller, ...more };
    const service = await startService({ files, config });
    onTestFinished(() => service.stop());
    const key = [`X-API-Key: ${KEYS.developer}`];
    const paths = ["world", "sheets"].map((path) => request(service.port, `GET /studio/api/${path}`, key));
    return (await Promise.all(paths)).map(({ body }) => body);
  };
  const none = await told({});
  expect(await told({ "workflows/pay.csv": pay("paid") })).toEqual(none);
  expect(await told({ "workflows/pay.csv": pay("other") })).toEqual(none);
});

test("the list counts the same problems", async () => {
  const list = JSON.parse((await studio.ask("GET /studio/api/sheets")).body) as {
    name: string;
    errors: number;
    warnings: number;
  }[];
  for (const { name, errors, warnings } of list) {
    const { stdout } = await flowsheet(["validate", `workflows/${name}`, "--format", "json"], {
      cwd: studio.folder,
    });
    expect([name, JSON.parse(stdout)]).toEqual([name, expect.objectContaining({ errors, warnings })]);
  }
});

test("a table that has changed is told, and mends the sheet", async () => {
  const errors = async (): Promise<number | undefined> =>
    (
      JSON.parse((await studio.ask("GET /studio/api/sheets")).body) as { name: string; errors: number }[]
    ).find(({ name }) => name === "tariff.csv")?.errors;
  const { headers } = await studio.ask("GET /studio/api/world");
  expect(await errors()).toBe(3);
  studio.write("data/tariff.csv", "weight,price,zoen,zone\n0,4.90,letter,1\n2,9.50,parcel,2\n");
  expect(await errors()).toBe(1);
  const match = `If-None-Match: ${headers.get("etag")}`;
  expect((await studio.ask("GET /studio/api/world", [match])).status).toBe(200);
});

test("the world has a tag, which changes with what is around the sheets", async () => {
  const { headers } = await studio.ask("GET /studio/api/world");
  const match = `If-None-Match: ${headers.get("etag")}`;
  const same = await studio.ask("GET /studio/api/world", [match]);
  expect([same.status, same.body]).toEqual([304, ""]);
  studio.write("prompts/gone.md", "now it is there");
  expect((await studio.ask("GET /studio/api/world", [match])).status).toBe(200);
});
