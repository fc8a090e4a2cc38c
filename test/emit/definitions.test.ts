import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { GraphIR } from "../../compiler/ir.js";
import type { AnyGraph, Splits } from "../../runtime/graph/contract/contract.js";
import { childOf } from "../../runtime/graph/link/marks.js";
import { caseFolders, understandCase } from "../cases/case-folder.js";
import { howMany } from "../how-many.js";
import { runs, toCsv } from "../property/generators/graphs.js";
import { firstSeed } from "../seed.js";
import { understandText } from "../world.js";
import { emitted, graphIn, importModules, moduleOf } from "./emitted.js";
import { interpreted } from "./play.js";

const RUNS = howMany(1_000, 40);
const BATCH = 500;

const folder = mkdtempSync(join(tmpdir(), "flowsheet-definitions-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A value in which every field and every path inside of it says where it stands. */
const telling = (name: string): unknown =>
  new Proxy(
    {},
    {
      get: (_, key) =>
        key === "toJSON" ? () => `what stands at ${name}` : telling(`${name}.${String(key)}`),
      has: () => true,
      getOwnPropertyDescriptor: (_, key) => ({
        value: telling(`${name}.${String(key)}`),
        configurable: true,
        enumerable: true,
      }),
    },
  );

/** Two states of a run: one in which all fields are set, and one in which none is. */
const STATES = (ir: GraphIR): readonly { readonly [field: string]: unknown }[] => {
  const names = ["error", ...ir.fields.map(({ name }) => name)];
  return [Object.fromEntries(names.map((name) => [name, telling(name)])), Object.create(null)];
};

type Reader = (inputs: object, state?: object) => unknown;

/** A graph as data in one order: what its functions do in place of them. What a sheet calls an agent only a sheet says. */
function dataOf({ definition }: AnyGraph, ir: GraphIR): object {
  const { nodes, splits = {}, ...others } = definition;
  const made = Object.entries(nodes).map(([name, { agent, type: _, inputs, prompt, ...node }]) => {
    const does = STATES(ir).map((state) => {
      const read = (inputs as Reader)(state, telling("the run") as object) as object;
      const said = prompt === undefined ? "no prompt" : (prompt as unknown as Reader)(read, state);
      return { read: Object.entries(read).map(([param, value]) => [param, value ?? "unset"]), said };
    });
    return [name, { ...node, agent: agentIn(agent, ir, name), does }];
  });
  const data = { ...others, fingerprint: definition.fingerprint, nodes: Object.fromEntries(made) };
  return [sorted(data), unordered(splits)];
}

/** Agents of the project, and graphs that are run, stand elsewhere for each producer. */
function agentIn(agent: unknown, ir: GraphIR, node: string): string {
  const { builtin, type } = ir.nodes.find(({ name }) => name === node)!.agent;
  return builtin && type !== "graph" ? (agent as { readonly name: string }).name : "elsewhere";
}

/** With the keys of mappings in one order; what is undefined is told. */
function sorted(value: unknown): unknown {
  if (value === undefined) return "undefined";
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, one]) => [key, sorted(one)]);
}

/** The nodes of a branch are a set, and the branches have an order. */
function unordered(splits: object): unknown {
  const names = (list: readonly string[] = []): readonly string[] => [...list].sort();
  return sorted(
    Object.fromEntries(
      Object.entries(splits as Splits).map(([node, edges]) => {
        const branches = Object.entries(edges ?? {}).map(([edge, list]) => {
          const parts = list.map((one) =>
            "own" in one ? { own: names(one.own), others: names(one.others) } : names(one),
          );
          return [edge, parts];
        });
        return [node, Object.fromEntries(branches)];
      }),
    ),
  );
}

function expectEqual(made: AnyGraph, ir: GraphIR, name: string): void {
  const [printed, linked] = [made, interpreted(ir)].map((graph) =>
    JSON.stringify(dataOf(graph, ir), null, 1),
  );
  if (printed !== linked) expect(printed, name).toBe(linked);
}

/** The modules of all graphs, which may import each other. */
async function expectAllEqual(graphs: readonly GraphIR[], name: string): Promise<void> {
  const files = [...emitted(graphs)].filter(([file]) => file !== "index.gen.ts");
  const names = files.map(([file]) => file);
  const modules = await importModules(
    files.map(([, text]) => text),
    folder,
    names,
  );
  const made = modules.map(graphIn);
  for (const ir of graphs) {
    const found = made.find(
      (graph) => graph.name === ir.name && graph.fingerprint === interpreted(ir).fingerprint,
    );
    expect(found, `${name}: ${ir.name}`).toBeDefined();
    expectEqual(found!, ir, `${name}: ${ir.name}`);
  }
}

test(`both producers of ${RUNS} random graphs say the same`, { timeout: 600_000 }, async () => {
  for (let seen = 0; seen < RUNS; seen += BATCH) {
    const size = Math.min(BATCH, RUNS - seen);
    const plays = fc.sample(runs({ clean: true, maxSteps: 60 }), { numRuns: size, seed: firstSeed + seen });
    const graphs = plays.map(({ graph }) => understandText(toCsv(graph)).graphs[0]!);
    const modules = await importModules(graphs.map(moduleOf), folder);
    for (const [index, ir] of graphs.entries())
      expectEqual(
        graphIn(modules[index]!),
        ir,
        `seed ${firstSeed + seen}, sheet:\n${toCsv(plays[index]!.graph)}`,
      );
  }
});

test("and of every case that compiles", async () => {
  let count = 0;
  for (const name of caseFolders()) {
    const { graphs, diagnostics } = understandCase(name, "input.csv");
    if (graphs.length === 0 || diagnostics.some(({ severity }) => severity === "error")) continue;
    await expectAllEqual(graphs, name);
    count++;
  }
  expect(count).toBeGreaterThan(100);
});

test("and of every example", async () => {
  const sheets = readdirSync("examples").filter((file) => /(?<!\.test)\.csv$/.test(file));
  expect(sheets.length).toBeGreaterThan(5);
  for (const file of sheets)
    await expectAllEqual(understandText(readFileSync(join("examples", file), "utf8"), {}, file).graphs, file);
});

test("graphs that run another one name the same", async () => {
  const { graphs } = understandCase("emit/circles", "input.csv");
  const files = [...emitted(graphs)].filter(([file]) => file !== "index.gen.ts");
  const modules = await importModules(
    files.map(([, text]) => text),
    folder,
    files.map(([file]) => file),
  );
  for (const made of modules.map(graphIn)) {
    const ir = graphs.find(({ name }) => name === made.name)!;
    for (const { name, settings } of ir.nodes.filter(({ agent }) => agent.type === "graph"))
      expect(childOf(made.definition.nodes[name]!.agent as object)?.name).toBe(settings["graph"]);
  }
});
