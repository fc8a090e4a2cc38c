import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type {
  AnyGraph,
  Json,
  Logger,
  Ops,
  Result,
  StateData,
  StepAbout,
  WaitEnd,
} from "../../graph/contract/contract.js";
import { messageOf } from "../../graph/contract/errors.js";
import { type Journal, type OpenedWait, openJournal } from "../legs/journal.js";
import { optionsOf, type SetValues, setsOf } from "../legs/kept-options.js";
import { type FullRun, isGoneWait, type StepRow, type WaitRow } from "../rows.js";
import { graphAt } from "./graph-at.js";

/** What a graph is held against: a run, and all that is recorded of it. */
export interface Recorded {
  readonly run: Pick<FullRun, "runId" | "given" | "options">;
  readonly steps: readonly StepRow[];
  readonly waits: readonly WaitRow[];
}

export type Fit =
  /** `reworded` are visits that would be asked with other inputs or another prompt. What they gave stays. */
  | { readonly fits: true; readonly reworded: readonly string[] }
  | {
      readonly fits: false;
      readonly why: string;
      readonly node: string | null;
      /** Nothing that was recorded is gone: the run itself would fail before it calls anything. */
      readonly wouldFail?: true;
    };

/** So many turns of the event loop without a request are rest. */
const QUIET = 4;
/** A graph that seems not to fit gets some time: an agent of its own may be loaded late. */
const PATIENCE_MS = 20;

const silent = (): void => {};
const log: Logger = { debug: silent, info: silent, warn: silent, error: silent };

/**
 * Whether a run can go on in a graph. Its journal is driven there until it has come to rest, and nothing is called. It
 * fits when each recorded visit was asked for again, and no wait is gone.
 */
export async function fitOf(
  graph: AnyGraph,
  recorded: Recorded,
  redact: (text: string) => string = (text) => text,
): Promise<Fit> {
  const drive = new Drive(recorded);
  const stop = new AbortController();
  const { runId, given } = recorded.run;
  const running = graph.run(given, { runId, ops: drive.ops, signal: stop.signal, log, redact });
  try {
    const end = await drive.rest(running);
    return end instanceof Error ? refused(end, redact) : drive.judge(graph, end);
  } finally {
    stop.abort();
    drive.close();
  }
}

const refused = (error: Error, redact: (text: string) => string): Fit => ({
  fits: false,
  why: `it could not begin: ${redact(messageOf(error))}`,
  node: null,
});

type End = Result<StateData> | Error | null;

/** One drive of a journal that answers from the record, and keeps whatever is new waiting for ever. */
class Drive {
  readonly ops: Ops;
  readonly #steps: ReadonlyMap<string, StepRow>;
  readonly #waits: ReadonlyMap<string, WaitRow>;
  readonly #sets: readonly SetValues[];
  readonly #journal: Journal;
  readonly #asked = new Set<string>();
  readonly #askedWaits = new Set<string>();
  readonly #reworded = new Set<string>();
  /** Nodes that would be called, in the order in which they were asked for. */
  readonly #called = new Set<string>();
  #moves = 0;

  constructor({ run, steps, waits }: Recorded) {
    this.#sets = optionsOf(run).set ?? [];
    this.#steps = new Map(steps.filter(({ pure }) => !pure).map((step) => [step.id, step]));
    const asked = waits.filter((wait) => !isGoneWait(wait));
    this.#waits = new Map(asked.map((wait) => [wait.id, wait]));
    const ends = asked.flatMap(({ id, ending }): [string, WaitEnd][] =>
      ending === null ? [] : [[id, ending]],
    );
    this.#journal = openJournal({
      steps,
      ends: new Map(ends),
      set: setsOf(run),
      record: () => Promise.reject(new Error("a check records nothing")),
      openWait: async () => ({ kind: "open", until: null }),
    });
    this.ops = {
      step: (id, work, about) => this.#step(id, work, about),
      wait: (id, waiting, timeoutMs, spec) => this.#wait(id, { waiting, timeoutMs, spec }),
      sleep: async () => this.#move(),
      known: (id) => this.#journal.ops.known(id),
      told: () => this.#move(),
      set: (id) => this.#journal.ops.set?.(id),
    };
  }

  #move(): void {
    this.#moves += 1;
  }

  async #step(id: string, work: () => Promise<Json>, about: StepAbout): Promise<Json> {
    this.#move();
    const known = this.#steps.get(id);
    if (known === undefined && isClock(id)) return work();
    if (known === undefined) {
      this.#called.add(about.node);
      return new Promise<never>(() => {});
    }
    this.#asked.add(id);
    if (known.seen !== null && !isDeepStrictEqual(asJson(about.seen()), known.seen))
      this.#reworded.add(about.node);
    const never = (): Promise<never> => Promise.reject(new Error("a check calls nothing"));
    const result = await this.#journal.ops.step(id, never, about);
    this.#move();
    return result;
  }

  async #wait(id: string, { waiting, timeoutMs, spec }: OpenedWait): Promise<WaitEnd> {
    this.#move();
    this.#askedWaits.add(id);
    const end = await this.#journal.ops.wait(id, waiting, timeoutMs, spec);
    this.#move();
    return end;
  }

  /** Resolves when the run has ended, or asks for nothing any more. */
  async rest(running: Promise<Result<StateData>>): Promise<End> {
    let end: End = null;
    running.then(
      (result) => {
        end = result;
      },
      (thrown: unknown) => {
        end = thrown instanceof Error ? thrown : new Error(messageOf(thrown));
      },
    );
    const ended = (): End => end;
    await this.#quiet(ended);
    while (ended() === null && this.#hasMissing()) {
      const before = this.#moves;
      await pause(PATIENCE_MS);
      if (this.#moves === before) break;
      await this.#quiet(ended);
    }
    return ended();
  }

  async #quiet(ended: () => End): Promise<void> {
    let last = -1;
    for (let quiet = 0; quiet < QUIET && ended() === null; ) {
      quiet = this.#moves === last ? quiet + 1 : 0;
      last = this.#moves;
      await new Promise((turn) => setImmediate(turn));
    }
  }

  #missing(): readonly StepRow[] {
    return [...this.#steps.values()].filter(({ id }) => !this.#asked.has(id) && !isClock(id));
  }

  #missingWaits(): readonly WaitRow[] {
    return [...this.#waits.values()].filter(({ id }) => !this.#askedWaits.has(id));
  }

  #hasMissing(): boolean {
    return this.#missing().length > 0 || this.#missingWaits().length > 0;
  }

  judge(graph: AnyGraph, end: Exclude<End, Error>): Fit {
    const error = end?.status === "failed" ? end.error : null;
    if (error !== null)
      return { fits: false, why: `it would fail: ${error.message}`, node: error.node, wouldFail: true };
    const misfit = this.#misfit(graph);
    if (misfit !== null) return { fits: false, ...misfit };
    return { fits: true, reworded: [...this.#reworded] };
  }

  #misfit(graph: AnyGraph): { readonly why: string; readonly node: string } | null {
    const [wait] = this.#missingWaits().filter(({ ending }) => ending === null);
    if (wait !== undefined) {
      const node = goneFrom(graph, wait.waiting.node);
      if (node !== null) return { why: `${quoted(node)}, which it waits for, is gone`, node };
    }
    const node = this.#missing()[0]?.node ?? this.#missingWaits()[0]?.waiting.node;
    return node === undefined ? this.#misset(graph) : { why: this.#whyMissing(graph, node), node };
  }

  #misset(graph: AnyGraph): { readonly why: string; readonly node: string } | null {
    const gone = this.#sets.map(({ node }) => goneFrom(graph, node)).find((node) => node !== null);
    return gone == null
      ? null
      : { why: `${quoted(gone)}, in front of which values are set, is gone`, node: gone };
  }

  #whyMissing(graph: AnyGraph, node: string): string {
    const gone = goneFrom(graph, node);
    if (gone !== null) return `${quoted(gone)}, which was called, is gone`;
    const [before] = [...this.#called].filter((one) => one !== node);
    const would = `${quoted(node)} would be called anew`;
    if (before !== undefined) return `${would} (${before} was put before it)`;
    return this.#called.has(node) ? would : `${quoted(node)}, which was called, is not come to any more`;
  }

  close(): void {
    this.#journal.close();
  }
}

/** The time of a visit is recorded beside it, and read only where the sheet names it. */
const isClock = (id: string): boolean => id.endsWith("|clock");

const quoted = (node: string): string => JSON.stringify(node);

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** The first part of a whole name, such as `Call/Ask` or `Each[2]/Ask`, that the graph does not have. */
function goneFrom(graph: AnyGraph, name: string): string | null {
  const found = graphAt(graph, name);
  return "gone" in found ? found.gone : null;
}
