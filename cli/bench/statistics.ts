export type Statistics = ReturnType<typeof statisticsOf>;

export function statisticsOf(times: readonly number[]) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number): number => quantile(sorted, part);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return {
    median: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    mean,
    min: at(0),
    max: at(1),
    /** The first and the third quartile. */
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

/** With fewer rounds, their difference would be chance. */
export const FEWEST_ROUNDS = 3;

export function compare(first: readonly number[], second: readonly number[]) {
  const [a, b] = [medianOf(first), medianOf(second)];
  const difference = Math.abs(a - b) / Math.min(a, b);
  const noise = Math.max(spreadOf(first), spreadOf(second));
  const isUnknown = first.length < FEWEST_ROUNDS;
  return {
    ratio: a / b,
    /** Of the medians, relative to the smaller one. */
    difference,
    /** The largest difference between rounds of one variant, relative to its median. */
    noise,
    isClear: difference > noise && !isUnknown,
    /** There are too few rounds to know the noise. */
    isUnknown,
  };
}

const spreadOf = (rounds: readonly number[]): number =>
  (Math.max(...rounds) - Math.min(...rounds)) / medianOf(rounds);
