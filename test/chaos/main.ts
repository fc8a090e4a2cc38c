import { findPostgres, startServer } from "../postgres/server.js";
import { bundleProgram } from "./bundle.js";
import { type Disturbance, mostCalledTwice, type Report, runTrial, type Trial } from "./matrix.js";
import { samplePlays } from "./sample.js";

type Way = Pick<Trial, "isApart" | "restarts" | "server"> & { readonly disturbance: Disturbance };

/** The long form: 300 runs of mixed graphs over three workers, disturbed 45 times, in each of these ways. */
const IN_A_FILE: readonly Way[] = [
  { disturbance: "SIGKILL" },
  { disturbance: "SIGSTOP" },
  { disturbance: "SIGSTOP", isApart: true },
  { disturbance: "SIGTERM" },
];
/** On a server no worker sees the processes of another. */
const ON_A_SERVER: readonly Way[] = [
  { disturbance: "SIGKILL", isApart: true },
  { disturbance: "SIGSTOP", isApart: true },
  { disturbance: "SIGKILL", isApart: true, restarts: 4 },
  { disturbance: "SIGTERM", isApart: true },
];

const worker = await bundleProgram(process.cwd(), "worker");
const plays = samplePlays(260);
const server = findPostgres() === null ? null : await startServer({ settings: { fsync: "on" } });
if (server === null) console.warn("no PostgreSQL here: the trials on it are skipped");
const ways = [...IN_A_FILE, ...(server === null ? [] : ON_A_SERVER.map((way) => ({ ...way, server })))];
const wanted = new Set(process.argv.slice(2));
let isRight = true;
for (const trial of ways) {
  if (wanted.size > 0 && !wanted.has(trial.server === undefined ? "file" : "server")) continue;
  const about = { worker, plays, workers: 3, runs: 300, disturbances: 45, patienceMs: 600_000 };
  const apart = trial.isApart === true ? " of workers apart" : "";
  const restarted = trial.restarts === undefined ? "" : ", the server restarted";
  const name = `${trial.disturbance}${apart}${restarted} on ${trial.server === undefined ? "SQLite" : "PostgreSQL"}`;
  isRight = tell(name, await runTrial({ ...about, ...trial })) && isRight;
}
await server?.remove();
process.exitCode = isRight ? 0 : 1;

function tell(name: string, { lost, wrong, ...counts }: Report): boolean {
  console.log(name, JSON.stringify({ ...counts, lost: lost.length, wrong: wrong.length }));
  for (const one of [...lost, ...wrong].slice(0, 5)) console.log(one);
  const areFew = counts.calledTwice <= mostCalledTwice(counts);
  return areFew && lost.length + wrong.length + counts.recordedTwice === 0;
}
