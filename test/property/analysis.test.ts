import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBranches } from "../../compiler/2-analyze/flow/branches.js";
import type { GraphIR } from "../../compiler/ir.js";
import type { World } from "../../compiler/world.js";
import { howMany } from "../how-many.js";
import { drawing } from "../reference/drawing.js";
import type { RefGraph } from "../reference/graph.js";
import { SHAPES } from "../reference/shapes.js";
import { sketch } from "../reference/sketch.js";
import { endlessNodes, splitsOf } from "../reference/splits.js";
import { unsetOf } from "../reference/unset.js";
import { understandText } from "../world.js";
import { toCsv } from "./generators/graph-csv.js";
import { graphs } from "./generators/graphs.js";

const RUNS = howMany(10_000, 100);

interface Seen {
  readonly splits: readonly unknown[];
  readonly ambiguous: readonly string[];
  readonly conflicts: readonly string[];
}

/** What the compiler says of the splits of a graph. */
function seenByCompiler(
  graph: RefGraph,
  world: Partial<World> = {},
): {
  readonly ir: GraphIR;
  readonly seen: Seen;
  readonly warned: readonly string[];
} {
  const { graphs: all, diagnostics } = understandText(toCsv(graph), world);
  const [ir] = all;
  if (ir === undefined) throw new Error("no graph was understood");
  const lists = createBranches(ir.nodes.length, ir.splits);
  const of = (code: string): typeof diagnostics => diagnostics.filter((found) => found.code === code);
  const marked = ({ node, label, message }: (typeof diagnostics)[number]): string =>
    `${node} ${label ?? ""}${message}`;
  return {
    ir,
    seen: {
      splits: ir.splits.map(({ node, by, targets, meet, branches }, split) => ({
        node,
        by,
        targets,
        meet,
        branches: branches.map((_, place) => lists.nodes(lists.at(split, place))),
      })),
      ambiguous: [...new Set(of("ambiguous-meeting").map(({ node }) => `${node}`))].sort(),
      conflicts: [
        ...new Set(
          of("write-conflict").map(
            (found) => `${found.node} ${/both write "(.*?)"/.exec(found.message)?.[1]}`,
          ),
        ),
      ].sort(),
    },
    warned: of("maybe-unset").map(
      (found) => `${found.node} ${/^"(.*?)"/.exec(marked(found).slice(`${found.node} `.length))?.[1]}`,
    ),
  };
}

function seenByReference(graph: RefGraph): Seen {
  const splits = splitsOf(graph);
  return {
    splits: splits.map(({ node, by, targets, meet, branches }) => ({ node, by, targets, meet, branches })),
    ambiguous: [
      ...new Set(splits.filter(({ ambiguous }) => ambiguous.length > 0).map(({ node }) => `N${node}`)),
    ].sort(),
    conflicts: [...new Set(splits.flatMap((split) => laterWriters(graph, split)))].sort(),
  };
}

/** Every node that writes a field which a node of an earlier branch writes, too. */
function laterWriters(graph: RefGraph, split: ReturnType<typeof splitsOf>[number]): readonly string[] {
  const first = new Map<string, number>();
  const later: string[] = [];
  split.branches.forEach((nodes, branch) => {
    for (const v of nodes) {
      for (const field of graph.nodes[v]?.writes ?? []) {
        if (field === "error" || field in (graph.nodes[split.node]?.merge ?? {})) continue;
        if (!first.has(field)) first.set(field, branch);
        if (first.get(field) !== branch) later.push(`N${v} ${field}`);
      }
    }
  });
  return later;
}

describe("splits, as a naive reading of the rules sees them", () => {
  test.each(SHAPES)("$name", ({ rows }) => {
    const { graph } = sketch(rows);
    expect(seenByCompiler(graph).seen).toEqual(seenByReference(graph));
  });

  test(`${RUNS} random graphs`, () => {
    fc.assert(
      fc.property(graphs({ maxNodes: 12 }), (graph) => {
        expect(seenByCompiler(graph).seen, drawing(graph)).toEqual(seenByReference(graph));
      }),
      { numRuns: RUNS },
    );
  });
});

const ENDLESS = Math.ceil(RUNS / 4);

test(`what can never end, as a naive reading of the rules sees it, in ${ENDLESS} random graphs`, () => {
  fc.assert(
    fc.property(graphs({ maxNodes: 8 }), (graph) => {
      const { diagnostics } = understandText(toCsv(graph));
      const isReported = diagnostics.some(({ code }) => code === "endless-cycle");
      expect(isReported, drawing(graph)).toBe(endlessNodes(graph).length > 0);
    }),
    { numRuns: ENDLESS },
  );
});

describe.each([
  ["when nothing is known of custom agents", {}, {}],
  ["when they declare that they may fail", { customSignals: true }, { failingAgents: new Set(["ref"]) }],
])("what is set where, as a naive reading of the rules sees it, %s", (_, options, world) => {
  const PART = Math.ceil(RUNS / 4);

  function compare(graph: RefGraph, reference: ReturnType<typeof unsetOf>): void {
    const { ir, warned } = seenByCompiler(graph, world);
    const hasSuccess = reference.setAtSuccess !== null;
    const named = (fields: readonly string[]): readonly string[] =>
      [...fields].filter((field) => field !== "error").sort();
    const inputs = (kind: string): readonly string[] =>
      named(ir.fields.filter(({ input }) => input === kind).map(({ name }) => name));
    expect(
      {
        required: inputs("required"),
        optional: inputs("optional"),
        warned: [...new Set(warned)].sort(),
        setAtEnd: named(
          ir.fields.filter((field) => field.setAtEnd && field.writers.length > 0).map(({ name }) => name),
        ),
        setAtSuccess: hasSuccess
          ? named(
              ir.fields
                .filter((field) => field.setAtSuccess && field.writers.length > 0)
                .map(({ name }) => name),
            )
          : null,
        mayFail: ir.mayFail,
      },
      drawing(graph),
    ).toEqual({
      required: named(reference.required),
      optional: named(reference.optional),
      warned: [...new Set(reference.maybeUnset.map(({ node, field }) => `N${node} ${field}`))].sort(),
      setAtEnd: named(
        reference.setAtEnd.filter((field) =>
          ir.fields.some(({ name, writers }) => name === field && writers.length > 0),
        ),
      ),
      setAtSuccess: hasSuccess
        ? named(
            (reference.setAtSuccess ?? []).filter((field) =>
              ir.fields.some(({ name, writers }) => name === field && writers.length > 0),
            ),
          )
        : null,
      mayFail: reference.mayFail,
    });
  }

  test.each(SHAPES)("$name", ({ rows }) => {
    const { graph } = sketch(rows);
    compare(graph, unsetOf(graph, options));
  });

  test(`${PART} random graphs`, () => {
    fc.assert(
      fc.property(
        graphs({ maxNodes: 10, clean: true })
          .map((graph) => ({ graph, reference: unsetOf(graph, options) }))
          .filter(({ reference }) => reference.plain),
        ({ graph, reference }) => compare(graph, reference),
      ),
      { numRuns: PART },
    );
  });
});
