import { expect } from "vitest";
import type { GraphIR, NodeIR } from "../../compiler/ir.js";
import type { AnyGraph, Node, RunValues } from "../../runtime/graph/contract/contract.js";
import { linkInputs, linkPrompt } from "../../runtime/graph/link/readers.js";
import { outputsOf } from "../../runtime/graph/link/table.js";
import { at, text } from "../../runtime/graph/values/values.js";

/** Every text of a graph comes back from its module, to the byte. */
export function expectRoundTrip(ir: GraphIR, graph: AnyGraph): void {
  const { definition } = graph;
  expect(graph.name).toBe(ir.name);
  expect(definition.entry).toBe(ir.nodes[0]?.name);
  expect(Object.keys(definition.nodes).sort()).toEqual(ir.nodes.map(({ name }) => name).sort());
  const name = (target: number): string | null => ir.nodes[target]?.name ?? null;
  const hasEnd = ir.nodes.some((node) => node.name === "END");
  for (const node of ir.nodes) {
    const made = definition.nodes[node.name] as unknown as Node<unknown, string>;
    expectNode(node, made);
    const route = definition.routes[node.name] ?? {};
    const targets = (value: unknown): readonly unknown[] =>
      (value === undefined ? [] : Array.isArray(value) ? value : [value]).map((one) =>
        one === "END" && !hasEnd ? null : one,
      );
    expect(targets(route.next)).toEqual(node.next.map(name));
    expect(targets(route.success)).toEqual(node.onSuccess.map(name));
    expect(targets(route.failure)).toEqual(node.onFailure.map(name));
    expect(
      Object.entries(route.cases ?? {})
        .map(([value, to]) => [value, ...targets(to)])
        .sort(),
    ).toEqual(node.cases.map(({ value, target }) => [value, name(target)]).sort());
  }
}

/** A state in which every field holds its own name, two levels deep. */
const state = new Proxy<{ readonly [key: string]: unknown }>(
  {},
  {
    get: (_, key) => `<${String(key)}>`,
    getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
  },
);

/** Values of the run that can be told from each other, too. */
const run = state as unknown as RunValues;

function expectNode(node: NodeIR, made: Node<unknown, string>): void {
  const inputs = made.inputs as (state: object, run: RunValues) => { readonly [param: string]: unknown };
  const mine = linkInputs(node.reads)(state, run);
  expect(inputs(state, run)).toEqual(mine);
  if (node.prompt === null) expect(made.prompt).toBeUndefined();
  else {
    const prompt = made.prompt as unknown as (inputs: object, state: object) => string;
    expect(prompt(mine, state)).toBe(linkPrompt(node.prompt, node.reads)(mine, state));
    const plain = node.prompt.map((part) =>
      typeof part === "string"
        ? part
        : text(part.length === 1 ? read(node, part[0]!) : at(read(node, part[0]!), ...part.slice(1))),
    );
    expect(prompt(mine, state)).toBe(plain.join(""));
  }
  expect(outputsOf(made).map(({ field, key }) => [field, key])).toEqual(
    node.writes.map(({ field, key }) => [field, key]),
  );
  const { cases, default: otherwise, ...others } = node.settings;
  // Where a switch leads is compared with the routes.
  const settings = node.agent.builtin && node.agent.type === "switch" ? others : node.settings;
  expect(JSON.stringify(made.settings ?? {})).toBe(JSON.stringify(settings));
  expect(Object.getPrototypeOf(made.settings ?? {})).toBe(Object.prototype);
}

const read = (node: NodeIR, param: string): unknown => {
  const found = node.reads.find((one) => one.param === param);
  return found === undefined ? state[param] : linkInputs(node.reads)(state, run)[param];
};
