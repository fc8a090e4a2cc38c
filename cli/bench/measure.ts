import type { AnyGraph, Result, RunOptions, StateData } from "../../runtime/graph/contract/contract.js";
import { medianOf, type Statistics, statisticsOf } from "./statistics.js";

export interface Variant {
  readonly name: "interpreted" | "generated";
  readonly graph: AnyGraph;
}

export interface Subject {
  readonly variants: readonly Variant[];
  readonly state: StateData;
  readonly options: RunOptions;
  readonly isInterrupted: () => boolean;
}

/** Times are in milliseconds. */
export interface Measured {
  readonly name: Variant["name"];
  readonly times: Statistics;
  readonly rounds: readonly number[];
  /** The bytes that a run allocates; null when the garbage collector ran during each measurement. */
  readonly heap: number | null;
  readonly nodes: ReadonlyMap<string, NodeTimes>;
}

interface NodeTimes {
  readonly times: Statistics;
  readonly visitsPerRun: number;
}

/** The time of a run that did not complete says nothing. */
export class IncompleteRun extends Error {
  readonly result: Result<StateData>;
  constructor(result: Result<StateData>) {
    super(`the run ended as ${result.status}`);
    this.result = result;
  }
}

export class Interrupted extends Error {}

const WARM_UP_RUNS = 500;
const WARM_UP_MS = 500;
const ROUNDS = 10;
const USUAL_RUNS = 1_000;
const FEWEST_RUNS = 10;
/** The limit for all timed runs together, unless the user gives their number. */
const BUDGET_MS = 10_000;
/** Runs whose heap and nodes are measured. */
const CLOSE_RUNS = 200;
const CLOSE_MS = 1_000;
/** The event loop must run at least this often to notice Ctrl-C. */
const TURN_MS = 50;

export interface Measurement {
  readonly runs: number;
  readonly warmUp: number;
  readonly variants: readonly Measured[];
}

/** The variants take turns, so that other load on the machine slows all of them equally. */
export async function measure(subject: Subject, wanted: number | null): Promise<Measurement> {
  const clock = createClock(subject);
  const warm = await warmUp(subject, clock);
  const fitting = Math.floor(BUDGET_MS / (warm.perRun * subject.variants.length));
  const runs = wanted ?? Math.min(USUAL_RUNS, Math.max(FEWEST_RUNS, fitting));
  const rounds = await timeRounds(subject, runs, clock);
  const heaps = await measureHeap(subject, Math.min(runs, heapRuns(warm.perRun)), clock);
  const nodes = await timeNodes(subject, runs, clock);
  const variants = subject.variants.map(({ name }, index): Measured => {
    const own = rounds.map((round) => round[index] ?? []);
    const all = own.flat();
    const times = statisticsOf(all);
    return {
      name,
      times,
      rounds: own.map(medianOf),
      heap: heaps[index] ?? null,
      nodes: nodes[index] ?? new Map(),
    };
  });
  // Statistics of millions of times take seconds: Ctrl-C must be noticed before them.
  await takeTurn(subject);
  return { runs, warmUp: warm.runs, variants };
}

type Clock = (variant: Variant, options?: RunOptions) => Promise<number>;

function createClock(subject: Subject): Clock {
  const { state, options: usual } = subject;
  let turn = performance.now();
  return async ({ graph }, options = usual) => {
    if (performance.now() - turn > TURN_MS) {
      await takeTurn(subject);
      turn = performance.now();
    }
    const began = performance.now();
    const result = await graph.run(state, options);
    const ended = performance.now();
    if (result.status !== "completed") throw new IncompleteRun(result);
    return ended - began;
  };
}

async function takeTurn({ isInterrupted }: Subject): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (isInterrupted()) throw new Interrupted();
}

async function warmUp({ variants }: Subject, clock: Clock) {
  const began = performance.now();
  const last: number[] = [];
  let runs = 0;
  while (runs < WARM_UP_RUNS && (runs === 0 || performance.now() - began < WARM_UP_MS)) {
    for (const variant of variants) last.push(await clock(variant));
    runs += 1;
  }
  return { runs, perRun: Math.max(1e-6, medianOf(last.slice(-100))) };
}

/** Every second round has the reverse order, so that the first variant has no advantage. */
async function timeRounds(
  { variants }: Subject,
  runs: number,
  clock: Clock,
): Promise<readonly (readonly (readonly number[])[])[]> {
  const count = Math.min(ROUNDS, runs);
  const rounds: number[][][] = [];
  for (let round = 0; round < count; round++) {
    const size = Math.floor((runs * (round + 1)) / count) - Math.floor((runs * round) / count);
    const times: number[][] = variants.map(() => []);
    const order = variants.map((variant, index) => ({ variant, index }));
    for (const { variant, index } of round % 2 === 0 ? order : order.reverse())
      for (let i = 0; i < size; i++) times[index]?.push(await clock(variant));
    rounds.push(times);
  }
  return rounds;
}

const HEAP_ROUNDS = 5;

/** The number of runs in a round of heap measurement: it should take about a second at most. */
const heapRuns = (perRun: number): number => Math.min(CLOSE_RUNS, Math.ceil(100 / perRun));

async function measureHeap(
  { variants }: Subject,
  runs: number,
  clock: Clock,
): Promise<readonly (number | null)[]> {
  const found: number[][] = variants.map(() => []);
  for (let round = 0; round < (runs > 1 ? HEAP_ROUNDS : 1); round++) {
    for (const [index, variant] of variants.entries()) {
      const before = process.memoryUsage().heapUsed;
      for (let i = 0; i < runs; i++) await clock(variant);
      const grown = process.memoryUsage().heapUsed - before;
      // The heap shrinks when the garbage collector runs.
      if (grown > 0) found[index]?.push(grown / runs);
    }
  }
  return found.map((list) => (list.length === 0 ? null : medianOf(list)));
}

/** The times of nodes come from events. Events cost time, so these runs are separate. */
async function timeNodes(
  { variants, options }: Subject,
  runs: number,
  clock: Clock,
): Promise<readonly ReadonlyMap<string, NodeTimes>[]> {
  const visits = variants.map(() => new Map<string, number[]>());
  const began = performance.now();
  let done = 0;
  while (done < Math.min(runs, CLOSE_RUNS) && (done < 2 || performance.now() - began < CLOSE_MS)) {
    for (const [index, variant] of variants.entries()) {
      const own = visits[index];
      await clock(variant, {
        ...options,
        on: (event) => {
          if (event.type !== "node_end") return;
          const times = own?.get(event.node);
          if (times === undefined) own?.set(event.node, [event.ms]);
          else times.push(event.ms);
        },
      });
    }
    done += 1;
  }
  return visits.map(
    (own) =>
      new Map(
        [...own].map(([node, times]) => [
          node,
          { times: statisticsOf(times), visitsPerRun: times.length / done },
        ]),
      ),
  );
}
