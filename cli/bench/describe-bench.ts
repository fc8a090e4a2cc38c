import type { BenchReport } from "./bench-text.js";
import type { Measured } from "./measure.js";
import { compare, perSecond, type Statistics } from "./statistics.js";

export function describeBench({ graph, nodes, runs, warmUp, variants, missing, rss }: BenchReport): object {
  const [first, second] = variants;
  const compared = first === undefined || second === undefined ? null : compare(first.rounds, second.rounds);
  return {
    graph_name: graph,
    nodes,
    runs,
    warm_up: warmUp,
    rss_bytes: rss,
    variants: variants.map(describeVariant),
    comparison:
      compared === null
        ? null
        : {
            speed_up: rounded(compared.ratio),
            difference: rounded(compared.difference),
            noise: rounded(compared.noise),
            clear: compared.isClear,
          },
    not_generated: missing,
  };
}

function describeVariant({ name, times, rounds, heap, nodes }: Measured): object {
  return {
    name,
    ...describeTimes(times),
    rounds_us: rounds.map(micros),
    runs_per_s: perSecond(times, 6),
    heap_bytes_per_run: heap === null ? null : Math.round(heap),
    nodes: [...nodes].map(([node, { times: own, visitsPerRun }]) => ({
      node,
      visits_per_run: rounded(visitsPerRun),
      ...describeTimes(own),
    })),
  };
}

const describeTimes = ({ median, p95, p99, mean, min, max, q1, q3 }: Statistics): object => ({
  median_us: micros(median),
  p95_us: micros(p95),
  p99_us: micros(p99),
  mean_us: micros(mean),
  min_us: micros(min),
  max_us: micros(max),
  q1_us: micros(q1),
  q3_us: micros(q3),
});

const micros = (ms: number): number => rounded(ms * 1_000);
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
