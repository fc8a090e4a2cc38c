// The graphs of the group `durable`.
import { defineGraph } from "../../../dist/runtime/graph/index.js";

export const NODES = 10;

export const pass = async ({ value }) => value;

/** Each node reads what the one before it wrote. */
export function chainGraph(count, agent = pass, last = {}) {
  const nodes = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `N${i}`,
      { agent, inputs: (state) => ({ value: state[`f${i}`] }), writes: `f${i + 1}` },
    ]),
  );
  const names = [...Object.keys(nodes), ...Object.keys(last)];
  const routes = Object.fromEntries(
    names.map((name, i) => [name, i + 1 < names.length ? { next: names[i + 1] } : {}]),
  );
  return defineGraph()({
    name: "Chain",
    entry: names[0],
    nodes: { ...nodes, ...last },
    routes,
    fingerprint: `chain-${names.length}`,
  });
}

/** A chain that waits for a person at its end, and says when it has come there. */
export const askingChain = (count, asked) =>
  chainGraph(count, pass, {
    Ask: {
      agent: (_inputs, context) => {
        asked();
        return context.answer ?? context.wait({ prompt: "well?" });
      },
      inputs: () => ({}),
      writes: "verdict",
    },
  });

/** Keeps the processor busy. */
export const busy = (ms) => async () => {
  const { user, system } = process.cpuUsage();
  for (;;) {
    const now = process.cpuUsage();
    if (now.user + now.system - user - system >= ms * 1_000) return "done";
  }
};
