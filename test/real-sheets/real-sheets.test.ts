import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixSheet } from "../../cli/fix/fix-sheet.js";
import { understandSheet } from "../../compiler/compile.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import type { GraphIR, NodeIR } from "../../compiler/ir.js";
import { expectGolden } from "../cases/case-folder.js";
import { testWorld } from "../world.js";

/** Sheets as another tool's users write them, with their usual slips: what `--fix` makes of each. */
const FOLDER = "test/real-sheets/sheets";
const files = readdirSync(FOLDER).sort();
const world = testWorld({ customAgents: new Set(["price"]) });

interface Mended {
  readonly file: string;
  readonly before: readonly Diagnostic[];
  readonly after: readonly Diagnostic[];
  readonly graphs: { readonly before: readonly GraphIR[]; readonly after: readonly GraphIR[] };
}

function mend(file: string): Mended {
  const bytes = readFileSync(`${FOLDER}/${file}`);
  const before = understandSheet({ file, bytes }, world);
  const fixed = fixSheet({
    bytes,
    encoding: null,
    understand: (text) => understandSheet({ file, bytes: text }, world),
  });
  if ("refused" in fixed) throw new Error(`${file}: ${fixed.refused}`);
  const { understanding: after } = fixed;
  const graphs = { before: before.graphs, after: after.graphs };
  return { file, before: before.diagnostics, after: after.diagnostics, graphs };
}

const all = files.map(mend);
const hasErrors = (found: readonly Diagnostic[]): boolean =>
  found.some(({ severity }) => severity === "error");
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** The part of a node that a run can tell: edges that no outcome takes are left out. */
function told(node: NodeIR): NodeIR {
  const { next, onSuccess, onFailure, agent } = node;
  const isUnused = onSuccess.length > 0 && onFailure.length > 0;
  return {
    ...node,
    next: isUnused ? [] : next,
    onSuccess: agent.type === "failure" ? [] : onSuccess,
  };
}

const meaningOf = (graphs: readonly GraphIR[]): unknown =>
  graphs.map((graph) => ({ ...graph, nodes: graph.nodes.map(told) }));

const line = (name: string, counts: readonly number[]): string =>
  name.padEnd(24) + counts.map((count) => String(count).padStart(8)).join("");

function report(): string {
  const rows = all.map(({ file, before, after }) => line(file, [before.length, after.length]));
  const counts = (found: (one: Mended) => readonly Diagnostic[]): ReadonlyMap<string, number> => {
    const byCode = new Map<string, number>();
    for (const { code } of all.flatMap(found)) byCode.set(code, (byCode.get(code) ?? 0) + 1);
    return byCode;
  };
  const [before, after] = [counts((one) => one.before), counts((one) => one.after)];
  const codes = [...new Set([...before.keys(), ...after.keys()])].sort();
  const byCode = codes.map((code) => line(code, [before.get(code) ?? 0, after.get(code) ?? 0]));
  const total = line("all", [sum([...before.values()]), sum([...after.values()])]);
  return `${["                          before   after", ...rows, "", ...byCode, "", total].join("\n")}\n`;
}

test("how many problems there are before and after", () => {
  expectGolden("test/real-sheets/counts.txt", report());
});

test("most problems are mended", () => {
  const before = sum(all.map((one) => one.before.length));
  const after = sum(all.map((one) => one.after.length));
  expect(files.length).toBeGreaterThan(20);
  expect(after).toBeLessThan(before / 2);
});

describe.each(all)("$file", ({ before, after, graphs }) => {
  test("no error comes up that was not there", () => {
    const codes = (found: readonly Diagnostic[]) =>
      found.filter(({ severity }) => severity === "error").length;
    expect(codes(after)).toBeLessThanOrEqual(codes(before));
  });

  test.runIf(!hasErrors(before))("means what it meant", () => {
    expect(meaningOf(graphs.after)).toEqual(meaningOf(graphs.before));
  });
});
