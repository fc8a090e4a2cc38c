import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { DurableExecutor } from "../../runtime/durable/executor.js";
import { resultOf } from "../../runtime/durable/kept-result.js";
import { findDriver } from "../../runtime/durable/sqlite/driver.js";
import { StoreError } from "../../runtime/durable/store-error.js";
import type { Answers } from "../../runtime/graph/contract/contract.js";
import type { PostgresServer } from "../postgres/server.js";
import { again } from "./again.js";
import { Crew } from "./crew.js";
import { openExecutor } from "./open-executor.js";
import { comparable, inMemory, type Play, pieceOf } from "./plays.js";
import { SHAPES } from "./shapes.js";

export type Disturbance = "SIGKILL" | "SIGSTOP" | "SIGTERM";

export interface Trial {
  /** The program of a worker. */
  readonly worker: string;
  readonly disturbance: Disturbance;
  /** The workers do not see each other's processes, so that a stopped one loses its runs. */
  readonly isApart?: boolean;
  /** Keeps the runs; without it they are in a file. */
  readonly server?: PostgresServer;
  /** So often the server is restarted in the middle, in order and as after a crash. */
  readonly restarts?: number;
  readonly workers: number;
  readonly disturbances: number;
  readonly plays: readonly Play[];
  readonly runs: number;
  /** The most that it may take. */
  readonly patienceMs: number;
}

/** The calls at work are repeated, and no others: 10 runs a worker, at most 5 calls each. A restart meets 3 workers. */
export const mostCalledTwice = ({ disturbed, restarts }: Pick<Report, "disturbed" | "restarts">): number =>
  (disturbed + restarts * 3) * 10 * 5;

export interface Report {
  readonly runs: number;
  readonly disturbed: number;
  readonly restarts: number;
  readonly recoveries: number;
  readonly lost: readonly string[];
  readonly wrong: readonly string[];
  readonly calls: number;
  readonly calledTwice: number;
  readonly recordedTwice: number;
  readonly seconds: number;
}

const DEAD_AFTER_MS = 2_000;

/** Runs pieces over several processes, which die again and again, and compares each with the same run in memory. */
export async function runTrial(trial: Trial): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "chaos-"));
  const { server } = trial;
  const store =
    server === undefined ? `${findDriver().name}:${join(folder, "runs.db")}` : await server.database();
  const files = {
    store,
    log: join(folder, "log"),
    plays: join(folder, "plays.json"),
  };
  writeFileSync(files.plays, JSON.stringify(trial.plays));
  writeFileSync(files.log, "");
  const began = performance.now();
  const executor = await openExecutor(files.store, {
    ...{ deadAfterMs: DEAD_AFTER_MS, isApart: trial.isApart === true, recorded: () => {} },
    graphOf: (name) => pieceOf(name, trial.plays).graph,
  });
  const wanted = await expectations(trial);
  const started = new Map<string, string>();
  const given = [files.store, files.log, files.plays, String(DEAD_AFTER_MS)];
  const crew = new Crew(trial, trial.isApart === true ? [...given, "apart"] : given, folder);
  try {
    await playAll(executor, trial, { started, names: namesOf(trial, [...wanted.keys()]), crew });
  } finally {
    await crew.end();
  }
  const ended = await judge(executor, started, wanted);
  await executor.close(0);
  const counted = countLog(readFileSync(files.log, "utf8"));
  rmSync(folder, { recursive: true, force: true });
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  return {
    runs: started.size,
    disturbed: crew.disturbed,
    restarts: crew.restarts,
    ...ended,
    ...counted,
    seconds,
  };
}

async function expectations({ plays, runs }: Trial): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map<string, string>();
  for (const name of Object.keys(SHAPES)) wanted.set(name, comparable((await inMemory(name, plays))!));
  for (let i = 0; i < plays.length && wanted.size < runs; i++) {
    const result = await inMemory(`R${i}`, plays).catch(() => null);
    if (result === null || result.error?.code === "bad_value") continue;
    const { splits = {} } = pieceOf(`R${i}`, plays).graph.definition;
    // Which of several failures in a split is told depends on the clock.
    if (result.status === "failed" && Object.keys(splits).length > 0) continue;
    wanted.set(`R${i}`, comparable(result));
  }
  return wanted;
}

/** Branches at the same time, and items of which some are at work at the same time. */
const PARALLEL = ["split", "each", "people"];

/** Every other run has parallel work; the rest are random pieces, each once, and the other shapes in turns. */
function namesOf({ runs }: Trial, names: readonly string[]): readonly string[] {
  const others = Object.keys(SHAPES).filter((name) => !PARALLEL.includes(name));
  const random = names.filter((name) => name.startsWith("R"));
  return Array.from({ length: runs }, (_, i) => {
    const turn = i >> 1;
    if (i % 2 === 0) return PARALLEL[turn % PARALLEL.length]!;
    return (turn % 4 === 3 ? undefined : random[turn]) ?? others[turn % others.length]!;
  });
}

/** Its key keeps one that is begun again from being another. */
async function start(
  executor: DurableExecutor,
  { plays }: Trial,
  { name, key }: { readonly name: string; readonly key: string },
): Promise<string> {
  const { graph, given, maxSteps } = pieceOf(name, plays);
  const { run } = await again(() =>
    executor.start({
      ...{ graph: graph.name, sheet: name, version: "1", texts: () => null, key },
      given: JSON.parse(JSON.stringify(given)) as never,
      limits: { maxSteps, timeoutMs: null },
    }),
  );
  return run.runId;
}

interface Playing {
  readonly started: Map<string, string>;
  readonly names: readonly string[];
  readonly crew: Crew;
}

/** Starts runs as the disturbances go on, so that each finds some at work, and answers what waits. */
async function playAll(
  executor: DurableExecutor,
  trial: Trial,
  { started, names, crew }: Playing,
): Promise<void> {
  const { patienceMs, disturbances } = trial;
  const legs = new Map<string, number>();
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    const share = (crew.disturbed + 1) / (disturbances + 1);
    for (const name of names.slice(started.size, Math.ceil(names.length * share)))
      started.set(await start(executor, trial, { name, key: `play-${started.size}` }), name);
    const { queued = 0, running = 0, waiting = 0 } = await again(() => executor.store.counts({}));
    if (queued + running + waiting === 0 && started.size === names.length) return;
    await answerAll(executor, trial, { started, legs });
    await pause(30);
  }
}

interface Answering {
  readonly started: ReadonlyMap<string, string>;
  /** How often each run was answered. */
  readonly legs: Map<string, number>;
}

async function answerAll(
  executor: DurableExecutor,
  { plays }: Trial,
  { started, legs }: Answering,
): Promise<void> {
  const page = await again(() => executor.store.list({ status: ["waiting"], limit: 200 }));
  for (const { runId } of page.runs) {
    const name = started.get(runId) ?? "";
    if (name === "overdue") continue;
    const open = (await again(() => executor.waits(runId))).filter(({ ending }) => ending === null);
    const leg = legs.get(runId) ?? 0;
    if (open.length === 0) continue;
    legs.set(runId, leg + 1);
    const waiting = open.map((one) => one.waiting);
    await again(() => answer(executor, runId, pieceOf(name, plays).answers(waiting, leg)));
  }
}

/** An answer whose acknowledgement was lost has been taken. */
async function answer(executor: DurableExecutor, runId: string, answers: Answers): Promise<void> {
  try {
    await executor.answer(runId, answers);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "already_answered")) throw error;
  }
}

async function judge(
  executor: DurableExecutor,
  started: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
): Promise<Pick<Report, "recoveries" | "lost" | "wrong">> {
  const lost: string[] = [];
  const wrong: string[] = [];
  let recoveries = 0;
  for (const [runId, name] of started) {
    const run = await executor.get(runId);
    recoveries += run?.recoveries ?? 0;
    if (run === null || run.ended === null) lost.push(`${runId} ${name} ${run?.status}`);
    else {
      const got = comparable(resultOf(run) as never);
      if (got !== wanted.get(name))
        wrong.push(`${runId} ${name}\n  wanted ${wanted.get(name)}\n  got    ${got}`);
    }
  }
  return { recoveries, lost, wrong };
}

function countLog(log: string): Pick<Report, "calls" | "calledTwice" | "recordedTwice"> {
  const counts = new Map<string, number>();
  for (const line of log.split("\n")) if (line !== "") counts.set(line, (counts.get(line) ?? 0) + 1);
  const of = (word: string): readonly number[] =>
    [...counts].flatMap(([line, count]) => (line.startsWith(`${word} `) ? [count] : []));
  return {
    calls: of("called").length,
    calledTwice: of("called").reduce((sum, count) => sum + count - 1, 0),
    recordedTwice: of("recorded").filter((count) => count > 1).length,
  };
}
