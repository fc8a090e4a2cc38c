import type { AnyGraph, Result, RunOptions, StateData } from "../../runtime/graph/contract/contract.js";
import { medianOf, type Statistics, statisticsOf } from "./statistics.js";

export interface Variant {
  readonly name: "interpreted" | "generated";
  readonly graph: AnyGraph;
}

/** Times are in milliseconds. */
export interface Measured {
  readonly name: Variant["name"];
  readonly times: Statistics;
  readonly rounds: readonly number[];
  /** The bytes that a run allocates; null when the garbage collector ran during each measurement. */
  readonly heap: number | null;
  readonly nodes: ReadonlyMap<string, { readonly times: Statistics; readonly visitsPerRun: number }>;
}

/** What is found about a variant. */
interface Track extends Variant {
  /** The times of all runs of each round. */
  readonly rounds: number[][];
  readonly heaps: number[];
  /** The times of the visits of each node. */
  readonly visits: Map<string, number[]>;
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
export async function measure(
  variants: readonly Variant[],
  state: StateData,
  options: RunOptions,
  isInterrupted: () => boolean,
  wanted: number | null,
): Promise<Measurement> {
  const tracks = variants.map((one): Track => ({ ...one, rounds: [], heaps: [], visits: new Map() }));
  const takeTurn = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    if (isInterrupted()) throw new Interrupted();
  };
  const clock = createClock(state, options, takeTurn);
  const warm = await warmUp(tracks, clock);
  const fitting = Math.floor(BUDGET_MS / (warm.perRun * tracks.length));
  const runs = wanted ?? Math.min(USUAL_RUNS, Math.max(FEWEST_RUNS, fitting));
  await timeRounds(tracks, runs, clock);
  await measureHeap(tracks, Math.min(runs, heapRuns(warm.perRun)), clock);
  const watched = await timeNodes(tracks, runs, clock);
  const measured = tracks.map((track) => summarize(track, watched));
  // The statistics of millions of times take seconds: Ctrl-C in them is noticed here.
  await takeTurn();
  return { runs, warmUp: warm.runs, variants: measured };
}

function summarize({ name, rounds, heaps, visits }: Track, watched: number): Measured {
  const nodes = [...visits].map(
    ([node, times]) => [node, { times: statisticsOf(times), visitsPerRun: times.length / watched }] as const,
  );
  const heap = heaps.length === 0 ? null : medianOf(heaps);
  return {
    name,
    times: statisticsOf(rounds.flat()),
    rounds: rounds.map(medianOf),
    heap,
    nodes: new Map(nodes),
  };
}

type Clock = (variant: Variant, on?: RunOptions["on"]) => Promise<number>;

function createClock(state: StateData, usual: RunOptions, takeTurn: () => Promise<void>): Clock {
  let turn = performance.now();
  return async ({ graph }, on) => {
    if (performance.now() - turn > TURN_MS) {
      await takeTurn();
      turn = performance.now();
    }
    const options = on === undefined ? usual : { ...usual, on };
    const began = performance.now();
    const result = await graph.run(state, options);
    const ended = performance.now();
    if (result.status !== "completed") throw new IncompleteRun(result);
    return ended - began;
  };
}

async function warmUp(tracks: readonly Track[], clock: Clock) {
  const began = performance.now();
  const last: number[] = [];
  let runs = 0;
  while (runs < WARM_UP_RUNS && (runs === 0 || performance.now() - began < WARM_UP_MS)) {
    for (const track of tracks) last.push(await clock(track));
    runs += 1;
  }
  return { runs, perRun: Math.max(1e-6, medianOf(last.slice(-100))) };
}

/** Every second round has the reverse order, so that the first variant has no advantage. */
async function timeRounds(tracks: readonly Track[], runs: number, clock: Clock): Promise<void> {
  const count = Math.min(ROUNDS, runs);
  for (let round = 0; round < count; round++) {
    const size = Math.floor((runs * (round + 1)) / count) - Math.floor((runs * round) / count);
    for (const track of round % 2 === 0 ? tracks : tracks.toReversed()) {
      const times: number[] = [];
      for (let i = 0; i < size; i++) times.push(await clock(track));
      track.rounds.push(times);
    }
  }
}

const HEAP_ROUNDS = 5;

/** The number of runs in a round of heap measurement: it should take about a second at most. */
const heapRuns = (perRun: number): number => Math.min(CLOSE_RUNS, Math.ceil(100 / perRun));

async function measureHeap(tracks: readonly Track[], runs: number, clock: Clock): Promise<void> {
  for (let round = 0; round < (runs > 1 ? HEAP_ROUNDS : 1); round++) {
    for (const track of tracks) {
      const before = process.memoryUsage().heapUsed;
      for (let i = 0; i < runs; i++) await clock(track);
      const grown = process.memoryUsage().heapUsed - before;
      // The heap shrinks when the garbage collector runs.
      if (grown > 0) track.heaps.push(grown / runs);
    }
  }
}

/** The times of nodes come from events. Events cost time, so these runs are separate. Answers their number. */
async function timeNodes(tracks: readonly Track[], runs: number, clock: Clock): Promise<number> {
  const began = performance.now();
  let done = 0;
  while (done < Math.min(runs, CLOSE_RUNS) && (done < 2 || performance.now() - began < CLOSE_MS)) {
    for (const track of tracks) {
      await clock(track, (event) => {
        if (event.type !== "node_end") return;
        const times = track.visits.get(event.node);
        if (times === undefined) track.visits.set(event.node, [event.ms]);
        else times.push(event.ms);
      });
    }
    done += 1;
  }
  return done;
}
