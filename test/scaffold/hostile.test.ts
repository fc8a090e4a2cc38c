import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import * as ts from "typescript";
import { describe, expect, test } from "vitest";
import { customType, understandSheet, type World } from "../../compiler/index.js";
import { parseAgentName, planAgent } from "../../compiler/scaffold/agent-plan.js";
import { writeNewFiles } from "../../compiler/scaffold/new-files.js";
import { renderAgent } from "../../compiler/scaffold/render-agent.js";
import { createFolder, snapshot } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { sheetOf } from "../cli/sheets.js";
import { howMany } from "../how-many.js";

describe("names that no agent has", () => {
  test.each([
    ["P01", "../../x"],
    ["P02", "/abs"],
    ["P03", "A/B"],
    ["P04", "A\\B"],
    ["P05", "."],
    ["P06", ""],
    ["P07", "A".repeat(256)],
    ["P08", "CON"],
    ["P10", "-rf"],
    ["P11", "class"],
    ["P18", "A\nB;C"],
    ["C50", "node:fs"],
    ["C50", "http://x/a.js"],
    ["C50", "constructor"],
    ["C33", "__proto__"],
    ["C39", "日本"],
  ])("%s %j", async (_id, name) => {
    const cwd = createFolder();
    const { code, stdout, stderr } = await flowsheet(["scaffold", `--agent=${name}`], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/cannot name an agent|argument missing/);
    expect(snapshot(cwd)).toEqual({});
  });

  test("P09: a NUL, which no command line can carry", () => {
    expect(parseAgentName("A\0")).toHaveProperty("refused");
  });

  test("what is accepted is a class's name and a file's name", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 70 }), fc.stringMatching(/^[A-Za-z][\w-]{0,63}$/)),
        (text) => {
          const name = parseAgentName(text);
          if ("refused" in name) return;
          expect(name.className).toMatch(/^[A-Za-z][A-Za-z0-9]*Agent$/);
          expect(name.file).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
          expect(customType(name.className)).toBe(customType(text));
        },
      ),
    );
  });
});

describe("P12: what is there is not overwritten", () => {
  const files = { "agents/weather.ts": "mine", "agents/other.test.ts": "mine" };

  test.each([
    ["Weather", "agents/weather.ts is"],
    ["Other", "agents/other.test.ts is"],
  ])("%s", async (name, what) => {
    const cwd = createFolder(files);
    const before = snapshot(cwd);
    const { code, stderr } = await flowsheet(["scaffold", "--agent", name], { cwd });
    expect(code).toBe(2);
    expect(stderr).toBe(`error: ${what} there already\n  = help: --force replaces\n`);
    expect(snapshot(cwd)).toEqual(before);
  });

  test("--force replaces both files of this agent, and no other", async () => {
    const cwd = createFolder(files);
    const { code, stdout } = await flowsheet(["scaffold", "--agent", "Weather", "--force"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toBe("replaced  agents/weather.ts\ncreated   agents/weather.test.ts\n");
    expect(readFileSync(join(cwd, "agents/other.test.ts"), "utf8")).toBe("mine");
  });

  test("a file that comes between the look and the writing stays", () => {
    const cwd = createFolder();
    const path = join(cwd, "a.ts");
    const files = new Map([[path, "ours"]]);
    writeFileSync(path, "mine");
    expect(() => writeNewFiles({ root: cwd, files, force: false })).toThrow("it is there already");
    expect(readFileSync(path, "utf8")).toBe("mine");
  });

  test("C57: a link in the file's place is not followed, also one that leads nowhere", async () => {
    const cwd = createFolder({ "mine.txt": "mine", "agents/keep.txt": "" });
    symlinkSync(join(cwd, "mine.txt"), join(cwd, "agents/weather.ts"));
    symlinkSync(join(cwd, "nowhere.txt"), join(cwd, "agents/other.ts"));
    const before = snapshot(cwd);
    for (const more of [[], ["--force"]])
      for (const name of ["Weather", "Other"])
        expect(await flowsheet(["scaffold", "--agent", name, ...more], { cwd })).toMatchObject({ code: 2 });
    expect(snapshot(cwd)).toEqual(before);
  });
});

test("P13: an agents folder that is a link out of the project is refused; one inside it is not", async () => {
  const cwd = createFolder({ "outside/keep.txt": "", "p/flowsheet.yaml": "", "p/inside/keep.txt": "" });
  const project = join(cwd, "p");
  symlinkSync(join(cwd, "outside"), join(project, "agents"));
  symlinkSync(join(project, "inside"), join(project, "lib"));
  mkdirSync(join(project, "inside/deep"));
  for (const out of [[], ["--out", "agents/deep/er"]]) {
    const { code, stderr } = await flowsheet(["scaffold", "--agent", "A", ...out], { cwd: project });
    expect(code).toBe(2);
    expect(stderr).toContain("a link on the way leads out of the project");
  }
  expect(Object.keys(snapshot(join(cwd, "outside")))).toEqual(["keep.txt"]);
  const inside = ["scaffold", "--agent", "A", "--out", "lib/deep"];
  expect(await flowsheet(inside, { cwd: project })).toMatchObject({ code: 0 });
  // Where a person says so, files go out of the project.
  const away = ["scaffold", "--agent", "B", "--out", "../outside"];
  expect(await flowsheet(away, { cwd: project })).toMatchObject({ code: 0 });
});

const HOSTILE: readonly (readonly [string, string])[] = [
  ["C01", "*/ globalThis.PWN=1; /*"],
  ["C02", "*/ interface Z {} globalThis.PWN=1; /**"],
  ["C03", "`;globalThis.PWN=1;`"],
  ["C04", `\${globalThis.PWN=1}`],
  ["C05", '"; globalThis.PWN=1; "'],
  ["C09", "a\nglobalThis.PWN=1"],
  ["C12", "a\u2028globalThis.PWN=1\u2029"],
  ["C18", "a\0b\u202e"],
  ["C23", "// @ts-nocheck"],
  ["C24", '/// <reference path="/etc/passwd"/>'],
  ["C28", "{{constructor.constructor}}"],
  ["C29", "{{{this}}}"],
  ["C30", "{{> x}}{{*d}}"],
  ["C30", "{{#each this}}{{lookup . 'constructor'}}{{/each}}"],
];

const templates = join(process.cwd(), "templates");
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const NOTHING_AROUND: World = {
  agents: [],
  customAgents: null,
  unknownAgent: "warning",
  prompt: null,
  otherGraphs: null,
  lacks: () => null,
};

/** The statements of an agent's file, and what its comments hold. */
function renderFrom(text: string): { readonly statements: readonly string[]; readonly agent: string } {
  const header = "graph_name,node_name,agent_type,input_fields,output_field,prompt,description";
  const choice = cell(`kind:'${text.replaceAll("'", "''")}'/'b'`);
  const csv = sheetOf(header, `G,A,weather,x,${choice},${cell(text)},${cell(text)}`);
  const bytes = new TextEncoder().encode(csv);
  const { graphs } = understandSheet({ file: "a.csv", bytes }, NOTHING_AROUND);
  const using = graphs.flatMap((graph) => graph.nodes.map((node) => ({ graph, node })));
  const name = parseAgentName("weather");
  if ("refused" in name || using.length === 0) throw new Error("the sheet has no agent");
  const { agent, test } = renderAgent(planAgent(name, using), templates);
  const statements = [agent, test].flatMap((code) => {
    const file = ts.createSourceFile("a.ts", code, ts.ScriptTarget.ES2023, true);
    const { parseDiagnostics } = file as unknown as { readonly parseDiagnostics: readonly unknown[] };
    expect(parseDiagnostics).toEqual([]);
    return file.statements.map((statement) => `${ts.SyntaxKind[statement.kind]}`);
  });
  return { statements, agent };
}

const PLAIN = renderFrom("plain");

describe("text of a sheet stays text", () => {
  test.each(HOSTILE)("%s %j", (_id, text) => {
    const { statements, agent } = renderFrom(text);
    expect(statements).toEqual(PLAIN.statements);
    const comments = agent.replace(/"(?:[^"\\]|\\.)*"/g, '""');
    expect(comments).not.toMatch(/\/\/ @ts|\/\/\/ </);
    expect(agent).not.toMatch(/\p{Cf}|[\u2028\u2029\0]/u);
  });

  test("any text", () => {
    const runs = howMany(120, 20);
    const pieces = fc.array(fc.oneof(fc.constantFrom(...HOSTILE.map(([, text]) => text)), fc.string()), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(pieces, (texts) => {
        expect(renderFrom(texts.join(" ")).statements).toEqual(PLAIN.statements);
      }),
      { numRuns: runs },
    );
  });

  test("C50: an agent type of a sheet that is no name is refused, and nothing is written", async () => {
    const header = "graph_name,node_name,agent_type";
    for (const type of ["../../evil", "node:fs", "http://x/a.js", "constructor"]) {
      const cwd = createFolder({ "a.csv": sheetOf(header, `G,A,${type}`) });
      const { code, stderr } = await flowsheet(["scaffold", "--csv", "a.csv"], { cwd });
      expect(code).toBeGreaterThan(0);
      expect(stderr).toContain("error");
      expect(Object.keys(snapshot(cwd))).toEqual(["a.csv"]);
    }
  });
});
