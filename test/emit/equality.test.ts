import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { FieldType, GraphIR, Json } from "../../compiler/ir.js";
import type { AgentContext, AnyGraph, WaitingFor } from "../../runtime/graph/contract/contract.js";
import { choose, decline, fail } from "../../runtime/graph/index.js";
import { caseFolders, understandCase } from "../cases/case-folder.js";
import { howMany } from "../how-many.js";
import { runs, toCsv } from "../property/generators/graphs.js";
import type { RefGraph } from "../reference/graph.js";
import { actionAt, outcomeOf, type Script, type SettledAction } from "../reference/script.js";
import { firstSeed } from "../seed.js";
import { understandText } from "../world.js";
import { emitted, graphIn, importModules, moduleOf } from "./emitted.js";
import { interpreted, type Play, playGraph } from "./play.js";

const RUNS = howMany(10_000, 100, "EQUALITY_RUNS");
const BATCH = 500;

const folder = mkdtempSync(join(tmpdir(), "flowsheet-equal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Agents that play a script; without one, the real ones work. */
function standIns(ref: RefGraph, script: Script): NonNullable<Play["standIns"]> {
  return () =>
    Object.fromEntries(
      ref.nodes.map((_node, index) => [
        `N${index}`,
        (_: object, context: AgentContext) => {
          const action = actionAt(ref, script, { node: index, visit: context.visit });
          if (action.kind !== "wait") return play(ref, index, { context, action });
          if (context.answer === undefined) return context.wait({ prompt: context.prompt });
          return play(ref, index, { context, action: action.answer });
        },
      ]),
    );
}

function play(
  ref: RefGraph,
  index: number,
  { context, action }: { readonly context: AgentContext; readonly action: SettledAction },
): unknown {
  const { agent, next, onSuccess, writes } = ref.nodes[index]!;
  const outcome = outcomeOf(ref, { node: index, visit: context.visit }, action);
  if (outcome.kind === "thrown") throw new Error(outcome.message);
  if (outcome.kind === "failure")
    return agent === "custom" ? fail(outcome.message, outcome.writes) : decline(outcome.writes);
  const list = onSuccess.length > 0 ? onSuccess : next;
  const target = list[outcome.choice % Math.max(list.length, 1)] ?? -1;
  const result = writes.length === 0 ? null : outcome.writes;
  return agent === "switch" && target >= 0 ? choose(`N${target}`, result) : result;
}

describe("interpreted and generated runs are equal", () => {
  test(`R22: over ${RUNS} random graphs, in status, path, state and events`, {
    timeout: 600_000,
  }, async () => {
    let seen = 0;
    const tally = { completed: 0, failed: 0, legs: 0 };
    for (let batch = 0; seen < RUNS; batch++) {
      const size = Math.min(BATCH, RUNS - seen);
      const plays = fc.sample(runs({ clean: true, maxSteps: 60 }), {
        numRuns: size,
        seed: firstSeed + batch,
      });
      const graphs = plays.map(({ graph }) => onlyGraph(understandText(toCsv(graph)).graphs));
      const modules = await importModules(graphs.map(moduleOf), folder);
      for (const [index, { graph: ref, script }] of plays.entries()) {
        const scripted = index % 3 > 0 ? { standIns: standIns(ref, script) } : {};
        const play: Play = { given: script.initial ?? {}, answer, ...scripted };
        const expected = await playGraph(interpreted(graphs[index]!), play);
        const actual = await playGraph(graphIn(modules[index]!), play);
        // Comparing two texts is a hundred times faster than comparing two trees, which is for the message.
        if (JSON.stringify(actual) !== JSON.stringify(expected))
          expect(actual, `seed ${firstSeed + batch}, sheet:\n${toCsv(ref)}`).toEqual(expected);
        const { status } = expected.at(-1)!.result as { readonly status: string };
        if (status === "completed" || status === "failed") tally[status]++;
        tally.legs += expected.length;
      }
      seen += size;
    }
    // The runs go somewhere: neither all one way nor none into a second leg.
    expect(tally.completed).toBeGreaterThan(RUNS / 5);
    expect(tally.failed).toBeGreaterThan(RUNS / 50);
    expect(tally.legs).toBeGreaterThan(RUNS * 1.05);
  });

  const sheets = caseFolders().flatMap((name) => {
    const { graphs, diagnostics } = understandCase(name, "input.csv");
    const isSound =
      diagnostics.every(({ severity }) => severity !== "error") &&
      graphs.every(({ nodes }) => nodes.every(({ agent }) => agent.type !== "graph"));
    return isSound && graphs.length > 0 ? [{ name, graphs }] : [];
  });

  test("there are cases", () => expect(sheets.length).toBeGreaterThan(40));

  test("over every case without errors", async () => {
    for (const { name, graphs } of sheets) {
      const texts = [...emitted(graphs)].filter(([file]) => file !== "index.gen.ts").map(([, text]) => text);
      const modules = (await importModules(texts, folder)).map(graphIn);
      for (const ir of graphs) {
        const generated = modules.find((graph) => graph.name === ir.name && graph.fingerprint !== "");
        expect(generated, `${name}: ${ir.name}`).toBeDefined();
        const play: Play = { given: givenFor(ir), answer };
        const expected = await playGraph(interpreted(ir), play);
        expect(await playGraph(generated!, play), `${name}: ${ir.name}`).toEqual(expected);
      }
    }
  });
});

test("an input that is unset comes as undefined, under its name", async () => {
  const graph = onlyGraph(understandCase("emit/unset-inputs", "input.csv").graphs);
  const [module = {}] = await importModules([moduleOf(graph)], folder);
  const inputsIn = async (producer: AnyGraph): Promise<readonly object[]> => {
    const seen: object[] = [];
    const see = (inputs: object): string => {
      seen.push(inputs);
      return "seen";
    };
    await playGraph(producer, {
      given: { known: false, topic: "tea" },
      answer,
      standIns: () => ({ Tip: see, Show: see }),
    });
    return seen;
  };
  const expected = [
    { topic: "tea", hint: undefined, from: undefined },
    { tip: "seen", hint: undefined, place: undefined },
  ];
  expect(await inputsIn(interpreted(graph))).toStrictEqual(expected);
  expect(await inputsIn(graphIn(module))).toStrictEqual(expected);
});

/** Something that fits what is asked for. */
const answer = ({ options, type, node }: WaitingFor): Json =>
  options?.[0] ?? (type === null ? "yes" : sample(type, node));

function onlyGraph(graphs: readonly GraphIR[]): GraphIR {
  const [graph] = graphs;
  if (graph === undefined) throw new Error("the sheet has no graph");
  return graph;
}

/** A value for each field that a caller may give. */
const givenFor = ({ fields }: GraphIR): { readonly [field: string]: Json } =>
  Object.fromEntries(
    fields
      .filter(({ input }) => input !== null)
      .map(({ name, type, checks }) => [
        name,
        sample(checks.find(({ kind }) => kind !== "any") ?? type, name),
      ]),
  );

function sample(type: FieldType, name: string): Json {
  if (type.kind === "number") return 7;
  if (type.kind === "boolean") return true;
  if (type.kind === "object") return { address: { city: "Oslo" }, items: [{ name }] };
  if (type.kind === "list") return [name, name];
  if (type.kind === "list-of") return [sample({ kind: type.item }, name)];
  if (type.kind === "choice") return type.values[0] ?? "";
  return type.kind === "union" ? sample(type.members[0] ?? { kind: "string" }, name) : `the ${name}`;
}
