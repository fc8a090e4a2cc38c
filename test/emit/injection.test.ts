import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "esbuild";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { COLUMNS, type GraphIR } from "../../compiler/ir.js";
import { quoted } from "../cli/sheets.js";
import { howMany } from "../how-many.js";
import { firstSeed } from "../seed.js";
import { understandText } from "../world.js";
import { emitted, graphIn, importModules } from "./emitted.js";
import { HOSTILE } from "./hostile-values.js";
import { randomTable } from "./random-table.js";
import { expectRoundTrip } from "./round-trip.js";

const TABLES = howMany(1_500, 50, "INJECTION_RUNS");
const folder = mkdtempSync(join(tmpdir(), "flowsheet-inject-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const csv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quoted).join(",")}\n`).join("");

/** A small sheet that is right, to put a value into. */
const ROWS: readonly { readonly [column: string]: string }[] = [
  {
    graph_name: "Shop",
    node_name: "Ask",
    next_node: "Tell",
    context: '{"memory": "x"}',
    agent_type: "Custom",
    input_fields: "who",
    output_field: "answer",
    prompt: "Hello {who}",
    description: "Asks",
  },
  {
    graph_name: "Shop",
    node_name: "Tell",
    agent_type: "echo",
    input_fields: "answer",
    output_field: "told",
    prompt: "Told {answer}",
    description: "Tells",
  },
];

/** The sheet with a value in one column of its first row, and wherever that must be repeated. */
function sheetWith(column: string, value: string): string {
  const rows = ROWS.map((row, index) => ({
    ...row,
    ...(index === 0 || column === "graph_name" ? { [column]: value } : {}),
  }));
  return csv([
    COLUMNS,
    ...rows.map((row) => COLUMNS.map((name) => (row as { readonly [column: string]: string })[name] ?? "")),
  ]);
}

const graphsOf = (text: string): readonly GraphIR[] => {
  const { graphs, diagnostics } = understandText(text);
  return diagnostics.some(({ severity }) => severity === "error") ? [] : graphs;
};

/** Emits, imports and compares; answers how many graphs there were. */
async function expectHarmless(graphs: readonly GraphIR[]): Promise<void> {
  const texts = graphs.map((graph) => {
    const files = [...emitted([graph])].filter(([name]) => name !== "index.gen.ts");
    expect(files).toHaveLength(1);
    const [[name, text] = ["", ""]] = files;
    expect(name).toMatch(/^[a-z0-9-]{1,100}\.gen\.ts$/);
    // What is written is what is read: nothing gets lost on the way to the disk.
    expect(new TextDecoder().decode(new TextEncoder().encode(text))).toBe(text);
    return text;
  });
  const modules = await importModules(texts, folder);
  expect((globalThis as { readonly PWN?: unknown }).PWN).toBeUndefined();
  for (const [index, ir] of graphs.entries()) expectRoundTrip(ir, graphIn(modules[index]!));
}

describe("group C: text of a sheet never becomes code", () => {
  for (const column of COLUMNS) {
    test(`every value in ${column}`, async () => {
      const graphs = Object.values(HOSTILE).flatMap((value) => graphsOf(sheetWith(column, value)));
      await expectHarmless(graphs);
      // In free text, everything is allowed.
      if (column === "prompt" || column === "description" || column === "context")
        expect(graphs.length).toBeGreaterThan(Object.keys(HOSTILE).length * 0.8);
    });
  }

  test("every value as a setting, as a key of a setting, and as the case of a switch", async () => {
    const graphs = Object.values(HOSTILE).flatMap((value) => {
      const settings = JSON.stringify({ free: value, list: [value], [value]: { [value]: value } });
      const cases = JSON.stringify({ cases: { [value]: "B" } });
      return [
        ...graphsOf(sheetWith("context", settings)),
        ...graphsOf(
          csv([
            ["graph_name", "node_name", "next_node", "agent_type", "input_fields", "context"],
            ["S", "A", "B|C", "switch", "x", cases],
            ["S", "B", "", "", "", ""],
            ["S", "C", "", "", "", ""],
          ]),
        ),
      ];
    });
    expect(graphs.length).toBeGreaterThan(Object.keys(HOSTILE).length);
    await expectHarmless(graphs);
  });

  test("C15, C16, C17: half characters that only a program can hand in come back as they were", async () => {
    const [graph] = graphsOf(sheetWith("prompt", "x"));
    const prompts = ["C15", "C16", "C17"].map((id) => HOSTILE[id] ?? "");
    const graphs = prompts.map(
      (prompt): GraphIR => ({
        ...graph!,
        nodes: graph!.nodes.map((node) => ({ ...node, prompt: [prompt], description: prompt })),
      }),
    );
    await expectHarmless(graphs);
  });

  test("C23 to C27: comments and directives are our own", () => {
    for (const value of Object.values(HOSTILE)) {
      for (const graph of graphsOf(sheetWith("description", value))) {
        const [, text = ""] = [...emitted([graph])][0] ?? [];
        const lines = text.split("\n").slice(3);
        for (const line of lines) {
          expect(line).not.toMatch(/^\s*\/\/|@ts-|^\s*\/\*(?!\*)|^\s*\/\*\*\s*eslint|#\s*sourceMappingURL=/);
        }
        // No tool takes a description for an order.
        expect(transformSync(text, { loader: "ts", legalComments: "inline" }).code).not.toContain(
          "sourceMappingURL=http",
        );
      }
    }
  });

  test.each(["x", "{who}"])("what is escaped stays so wherever a long text is cut: %s", async (end) => {
    const prompts = Array.from(
      { length: 90 },
      (_, n) => `${"x".repeat(n)}</script><!-- //# sourceMappingURL=a ${end}`,
    );
    const graphs = prompts.flatMap((prompt) => graphsOf(sheetWith("prompt", prompt)));
    expect(graphs).toHaveLength(prompts.length);
    await expectHarmless(graphs);
    for (const [, text] of graphs.flatMap((graph) => [...emitted([graph])]))
      expect(text).not.toMatch(/<\/script|<!--|#\s*sourceMappingURL/);
  });

  test(`C59: ${TABLES} random tables`, { timeout: 600_000 }, async () => {
    let emittedGraphs = 0;
    for (let done = 0; done < TABLES; done += 500) {
      const tables = fc.sample(randomTable, {
        numRuns: Math.min(500, TABLES - done),
        seed: firstSeed + done,
      });
      const graphs = tables.flatMap((table) => graphsOf(table));
      try {
        await expectHarmless(graphs);
      } catch (thrown) {
        throw new Error(`seed ${firstSeed + done}`, { cause: thrown });
      }
      emittedGraphs += graphs.length;
    }
    expect(emittedGraphs).toBeGreaterThan(TABLES / 3);
  });
});
