import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Understanding } from "../../compiler/compile.js";
import type { GraphIR } from "../../compiler/ir.js";
import { AgentRegistry } from "../../runtime/agents/registry.js";
import type { AgentContext, AnyAgent, AnyGraph } from "../../runtime/graph/contract/contract.js";
import { choose, decline, fail } from "../../runtime/graph/index.js";
import { gatherFamily, linkFamily } from "../../runtime/workflows/family.js";
import { howMany } from "../how-many.js";
import { runs, toCsv } from "../property/generators/graphs.js";
import { nodeAt, type RefGraph } from "../reference/graph.js";
import { actionAt, outcomeOf, type Script, type SettledAction } from "../reference/script.js";
import { firstSeed } from "../seed.js";
import { understandText } from "../world.js";
import { emitted, graphIn, importModules } from "./emitted.js";
import { type Play, playGraph } from "./play.js";

const RUNS = Math.ceil(howMany(10_000, 2_000, "EQUALITY_RUNS") / 40);

const folder = mkdtempSync(join(tmpdir(), "flowsheet-called-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A sheet with a random graph, and one that runs it, with an edge for a success and one for a signalled failure. */
function understandCalled(ref: RefGraph, number: number): Understanding {
  const csv = toCsv(ref, { graphName: `G${number}` });
  const inner = understandText(csv).graphs[0] as GraphIR;
  const named = (pick: (field: GraphIR["fields"][number]) => boolean): string =>
    inner.fields
      .filter((field) => pick(field) && field.name !== "error")
      .map(({ name }) => name)
      .join("|");
  const given = named(({ input }) => input === "required");
  const taken = named(({ writers }) => writers.length > 0);
  const settings = `"{""graph"": ""G${number}""}"`;
  const [header, ...rows] = csv.trimEnd().split("\n");
  const main = `Main${number}`;
  return understandText(
    [
      header,
      `${main},Call,Bad,${settings},graph,Good,,${given},${taken},`,
      `${main},Good,,,echo,,,${taken.replaceAll(/(\w+)/g, "$1?")},good,fine`,
      `${main},Bad,,,echo,,,error?,bad,{error}`,
      ...rows,
    ].join("\n"),
  );
}

/** Agents inside the call that play a script. */
const standIns = (ref: RefGraph, script: Script): NonNullable<Play["standIns"]> => {
  const play = (index: number, context: AgentContext, action: SettledAction): unknown => {
    const { agent, next, onSuccess, writes } = nodeAt(ref, index);
    const outcome = outcomeOf(ref, { node: index, visit: context.visit }, action);
    if (outcome.kind === "thrown") throw new Error(outcome.message);
    if (outcome.kind === "failure")
      return agent === "branching" || agent === "human"
        ? decline(outcome.writes)
        : fail(outcome.message, outcome.writes);
    const list = onSuccess.length > 0 ? onSuccess : next;
    const target = list[outcome.choice % Math.max(list.length, 1)] ?? -1;
    const result = writes.length === 0 ? null : outcome.writes;
    return agent === "switch" && target >= 0 ? choose(`N${target}`, result) : result;
  };
  return () =>
    Object.fromEntries(
      ref.nodes.map((_node, index) => [
        `Call/N${index}`,
        (_: object, context: AgentContext) => {
          const action = actionAt(ref, script, { node: index, visit: context.visit });
          if (action.kind !== "wait") return play(index, context, action);
          if (context.answer === undefined) return context.wait({ prompt: context.prompt });
          return play(index, context, action.answer);
        },
      ]),
    );
};

const registry = new AgentRegistry();

const interpreted = (understanding: Understanding): AnyGraph =>
  linkFamily(
    gatherFamily(understanding, understanding.graphs[0] as GraphIR, {}),
    (type) => registry.find(type) ?? ((() => null) as AnyAgent),
  );

test(`interpreted and generated calls of ${RUNS} random graphs are equal, in status, path, state and events`, {
  timeout: 600_000,
}, async () => {
  const plays = fc.sample(runs({ clean: true, maxSteps: 60 }), { numRuns: RUNS, seed: firstSeed });
  const sheets = plays.map(({ graph }, number) => understandCalled(graph, number));
  const files = emitted(sheets.flatMap(({ graphs }) => graphs));
  const names = [...files.keys()].filter((name) => name !== "index.gen.ts");
  const modules = await importModules(
    names.map((name) => files.get(name) as string),
    folder,
    names,
  );
  const generated = new Map(modules.map((module) => [graphIn(module).name, graphIn(module)]));
  const tally = { Good: 0, Bad: 0 };
  for (const [number, { graph: ref, script }] of plays.entries()) {
    const answer = (): string => "yes";
    const given = { x: 1, y: 2, z: 3, ...script.initial };
    const play: Play = { given, answer, standIns: standIns(ref, script) };
    const expected = await playGraph(interpreted(sheets[number] as Understanding), play);
    const actual = await playGraph(generated.get(`Main${number}`) as AnyGraph, play);
    expect(actual, `seed ${firstSeed}, sheet:\n${toCsv(ref)}`).toEqual(expected);
    const ended = expected.at(-1)?.result as { readonly path: readonly string[] } | undefined;
    const last = ended?.path.at(-1);
    if (last === "Good" || last === "Bad") tally[last] += 1;
  }
  expect(tally.Good).toBeGreaterThan(RUNS / 10);
  expect(tally.Bad).toBeGreaterThan(0);
});
