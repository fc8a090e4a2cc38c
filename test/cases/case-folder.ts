import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { failingAgents } from "../../cli/compile/agent-files.js";
import { decode } from "../../compiler/1-parse/text/encoding.js";
import { customType } from "../../compiler/agent-name.js";
import { type Understanding, understandSheet } from "../../compiler/compile.js";
import { formatText } from "../../compiler/diagnostics/format-text.js";
import type { GraphIR } from "../../compiler/ir.js";
import { formatType } from "../../compiler/types/format-type.js";
import { understandTests } from "../../compiler/understand-tests.js";
import type { World } from "../../compiler/world.js";
import { findAgents } from "../../runtime/agents/custom/find.js";
import { testWorld } from "../world.js";

export const CASES = "test/cases";

/** What `world.json` of a case may say about the world outside the sheet. */
interface CaseWorld {
  readonly customAgents?: readonly string[];
  readonly otherGraphs?: readonly string[];
  readonly tables?: { readonly [file: string]: readonly (readonly string[])[] };
  readonly prompts?: { readonly [reference: string]: string };
  readonly connections?: { readonly [name: string]: string };
  readonly lacks?: { readonly [agent: string]: { readonly what: string; readonly cure: string } };
}

/** Folders that hold an `input.csv`, by path below the cases. */
export function caseFolders(): readonly string[] {
  const entries = readdirSync(CASES, { recursive: true, withFileTypes: true });
  return entries
    .filter(({ name }) => name === "input.csv")
    .map(({ parentPath }) => parentPath.slice(CASES.length + 1))
    .sort();
}

/** What is known of a sheet, and its text also when it is no sheet; and of the test sheet beside it. */
export interface CaseSheet extends Understanding {
  readonly text: string;
  readonly tests?: ReadonlyMap<string, string>;
}

/** Understands one sheet of a case. */
export const understandCase = (folder: string, name: string): CaseSheet =>
  understandCaseWith(folder, name, new Map());

/** The same with other texts in the place of some files. */
export function understandCaseWith(
  folder: string,
  name: string,
  texts: ReadonlyMap<string, string>,
): CaseSheet {
  const read = (file: string): Uint8Array => {
    const text = texts.get(file);
    return text === undefined ? readFileSync(join(CASES, folder, file)) : new TextEncoder().encode(text);
  };
  const bytes = read(name);
  const understanding = understandSheet({ file: name, bytes }, caseWorld(folder));
  const file = name.replace(".csv", ".test.csv");
  const text = decode(bytes).text;
  if (!existsSync(join(CASES, folder, file))) return { ...understanding, text, tests: new Map() };
  const beside = { file, bytes: read(file) };
  const { diagnostics } = understandTests(beside, { ...understanding, agents: testWorld().agents });
  const tests = new Map([[file, decode(beside.bytes).text]]);
  return { ...understanding, diagnostics: [...understanding.diagnostics, ...diagnostics], text, tests };
}

function caseWorld(folder: string): World {
  const file = join(CASES, folder, "world.json");
  if (!existsSync(file))
    return testWorld({ failingAgents: failingAgents(findAgents(join(CASES, folder, "agents"))) });
  const given: CaseWorld = JSON.parse(readFileSync(file, "utf8"));
  const { customAgents, otherGraphs, prompts, lacks, tables, connections } = given;
  return testWorld({
    ...(customAgents === undefined ? {} : { customAgents: new Set(customAgents.map(customType)) }),
    ...(otherGraphs === undefined ? {} : { otherGraphs: new Set(otherGraphs) }),
    ...(tables === undefined
      ? {}
      : {
          table: (name) => {
            const records = tables[name];
            if (records === undefined) return { missing: "there is no such file" };
            return { rows: records.map((cells, i) => ({ cells, number: i + 1 })), isWorksheet: false };
          },
        }),
    ...(connections === undefined ? {} : { connections: new Map(Object.entries(connections)) }),
    ...(lacks === undefined ? {} : { lacks: (agent) => lacks[agent] ?? null }),
    ...(prompts === undefined
      ? {}
      : {
          prompt: (kind, name) => {
            const text = prompts[`${kind}:${name}`];
            return text === undefined ? { missing: "no such prompt" } : { text };
          },
        }),
  });
}

/** The problems of a sheet as a terminal shows them, without colour. */
export function problemText({ file, text, tests, diagnostics }: CaseSheet): string {
  if (diagnostics.length === 0) return "no problems\n";
  return formatText(diagnostics, new Map([[file, text], ...(tests ?? [])]), { color: false });
}

/** What was understood: each graph with its nodes, and its fields with who gives and who writes them. */
export function graphText({ graphs }: Understanding): string {
  return graphs
    .map((graph) => `${[graph.name, ...nodeLines(graph), ...fieldLines(graph)].join("\n")}\n`)
    .join("\n");
}

const nodeLines = ({ nodes }: GraphIR): readonly string[] =>
  nodes.map(({ name, row, agent }) => `  row ${row}: ${name} (${agent.type})`);

const fieldLines = ({ fields, nodes }: GraphIR): readonly string[] =>
  fields.map(({ name, type, input, writers }) => {
    const given = input === null ? [] : [`${input} input`];
    const written = writers.map((node) => `written by ${nodes[node]?.name}`);
    return `  ${[`${name}: ${formatType(type)}`, ...given, ...written].join(", ")}`;
  });

/** Compares with a golden file; `GOLDEN=write` writes it instead. */
export function expectGolden(file: string, actual: string): void {
  if (process.env["GOLDEN"] === "write") {
    writeFileSync(file, actual);
    return;
  }
  expect(existsSync(file), `${file} is missing: npm run golden writes it`).toBe(true);
  expect(actual).toBe(readFileSync(file, "utf8"));
}
