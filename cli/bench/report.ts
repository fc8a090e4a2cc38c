import type { Paint } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import { countText } from "../report.js";
import { alignColumns } from "../table.js";
import type { Measured, Measurement } from "./measure.js";
import { compare, FEWEST_ROUNDS, perSecond, type Statistics } from "./statistics.js";

export interface BenchReport extends Measurement {
  readonly graph: string;
  readonly nodes: number;
  readonly missing: string | null;
  readonly rss: number;
}

export function benchText(report: BenchReport, paint: Paint): string {
  const { graph, nodes, runs, warmUp, variants, rss } = report;
  const head = `${paint("strong", visible(graph))}, ${countText(nodes, "node")}: ${countText(runs, "run")} each, in turn, after ${warmUp} to warm up`;
  const blocks = [
    `${head}\n`,
    table([
      ["", "median", "p95", "p99", "middle half", "rounds", "runs/s", "heap/run"],
      ...variants.map(row),
    ]),
    `${verdict(report)}\n${remarks(report)}`,
    nodeTable(variants),
    `The process takes ${Math.round(rss / 1_000_000)} MB.\n`,
  ];
  return blocks.join("\n");
}

function row({ name, times, rounds, heap }: Measured): readonly string[] {
  const { median, p95, p99, q1, q3 } = times;
  return [
    name,
    timeText(median),
    timeText(p95),
    timeText(p99),
    `${timeText(q1)} to ${timeText(q3)}`,
    `${timeText(Math.min(...rounds))} to ${timeText(Math.max(...rounds))}`,
    String(perSecond(times, 3)),
    heap === null ? "?" : bytesText(heap),
  ];
}

function verdict({ variants, missing }: BenchReport): string {
  const [first, second] = variants;
  if (first === undefined || second === undefined)
    return `Only interpreted: there is no generated module (${visible(missing ?? "")}).`;
  const { ratio, difference, noise, isClear, isUnknown } = compare(first.rounds, second.rounds);
  if (isUnknown)
    return `No difference can be told: so few runs tell nothing of it; ${FEWEST_ROUNDS} are needed at least.`;
  const facts = `the medians differ by ${percent(difference)}, the rounds of one of them by up to ${percent(noise)}`;
  if (!isClear) return `No difference can be told: ${facts}.`;
  const [faster, slower] = ratio > 1 ? [second, first] : [first, second];
  const times = Math.max(ratio, 1 / ratio).toFixed(2);
  return `${capital(faster.name)} is ${times} times as fast as ${slower.name}: ${facts}.`;
}

/** Reasons why the numbers may not be reliable. */
function remarks({ runs, variants }: BenchReport): string {
  const noisy = variants.filter(({ times: { q1, q3, median } }) => q3 - q1 > median / 2);
  const lines = [
    ...(runs < 100 ? ["With less than 100 runs, p99 is little more than the slowest run."] : []),
    ...noisy.map(({ name }) => `The times of ${name} are far apart: something else keeps this machine busy.`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function nodeTable(variants: readonly Measured[]): string {
  const totals = variants.map(totalOf);
  const nodes = [...(variants[0]?.nodes ?? [])];
  const rows = nodes.map(([node, { visitsPerRun }]) => [
    visible(node),
    String(Math.round(visitsPerRun * 100) / 100),
    ...variants.flatMap(({ nodes: own }, index) => {
      const found = own.get(node);
      if (found === undefined) return ["", ""];
      const share = (found.times.median * found.visitsPerRun) / (totals[index] ?? 1);
      return [timeText(found.times.median), percent(share)];
    }),
  ]);
  const head = ["node", "visits/run", ...variants.flatMap(({ name }) => [name, "share"])];
  return table([head, ...rows]);
}

const totalOf = ({ nodes }: Measured): number =>
  [...nodes.values()].reduce((sum, { times, visitsPerRun }) => sum + times.median * visitsPerRun, 0);

const table = (rows: readonly (readonly string[])[]): string =>
  alignColumns(rows, { numbers: true })
    .map((line) => `${line}\n`)
    .join("");

function timeText(ms: number): string {
  if (ms < 0.001) return `${(ms * 1_000_000).toFixed(0)} ns`;
  if (ms < 1) return `${digits(ms * 1_000)} µs`;
  return ms < 1_000 ? `${digits(ms)} ms` : `${digits(ms / 1_000)} s`;
}

const digits = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
const percent = (part: number): string => `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`;
const bytesText = (bytes: number): string =>
  bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** For another program: all times in microseconds. */
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
    comparison: compared && {
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

const TIMES = ["median", "p95", "p99", "mean", "min", "max", "q1", "q3"] as const;
const describeTimes = (times: Statistics): object =>
  Object.fromEntries(TIMES.map((name) => [`${name}_us`, micros(times[name])]));

const micros = (ms: number): number => rounded(ms * 1_000);
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
