export interface Statistics {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** The first quartile. */
  readonly q1: number;
  readonly q3: number;
}

export function statisticsOf(times: readonly number[]): Statistics {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number): number => quantile(sorted, part);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return {
    count: times.length,
    median: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    mean,
    min: at(0),
    max: at(1),
    q1: at(0.25),
    q3: at(0.75),
  };
}

/** Uses the median because a few slow runs do not change it. The number may be below 1. */
export const perSecond = ({ median }: Statistics, digits: number): number =>
  Number((1_000 / median).toPrecision(digits));

export const medianOf = (times: readonly number[]): number =>
  quantile(
    [...times].sort((a, b) => a - b),
    0.5,
  );

/** Interpolates linearly between two neighbours. */
function quantile(sorted: readonly number[], part: number): number {
  const place = (sorted.length - 1) * part;
  const below = Math.floor(place);
  const low = sorted[below] ?? 0;
  const high = sorted[below + 1] ?? low;
  return low + (high - low) * (place - below);
}

interface Comparison {
  /** The first one's median divided by the second one's. */
  readonly ratio: number;
  /** The difference of the medians, relative to the smaller one. */
  readonly difference: number;
  /** The largest difference between rounds of one variant, relative to its median. */
  readonly noise: number;
  /** The difference is larger than the noise. */
  readonly isClear: boolean;
  /** There are too few rounds to know the noise. */
  readonly isUnknown: boolean;
}

/** With fewer rounds, their difference would be chance. */
export const FEWEST_ROUNDS = 3;

export function compare(first: readonly number[], second: readonly number[]): Comparison {
  const [a, b] = [medianOf(first), medianOf(second)];
  const noise = Math.max(spreadOf(first), spreadOf(second));
  const difference = Math.abs(a - b) / Math.min(a, b);
  const isUnknown = first.length < FEWEST_ROUNDS;
  return { ratio: a / b, difference, noise, isClear: difference > noise && !isUnknown, isUnknown };
}

const spreadOf = (rounds: readonly number[]): number =>
  (Math.max(...rounds) - Math.min(...rounds)) / medianOf(rounds);
