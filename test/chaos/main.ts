import { bundleProgram } from "./bundle.js";
import { type Disturbance, mostCalledTwice, type Report, runTrial, type Trial } from "./matrix.js";
import { samplePlays } from "./sample.js";

/** The long form: 300 runs of mixed graphs over three workers, disturbed 45 times, in each of these ways. */
const TRIALS: readonly (Pick<Trial, "isApart"> & { readonly disturbance: Disturbance })[] = [
  { disturbance: "SIGKILL" },
  { disturbance: "SIGSTOP" },
  { disturbance: "SIGSTOP", isApart: true },
  { disturbance: "SIGTERM" },
];

const worker = await bundleProgram(process.cwd(), "worker");
const plays = samplePlays(260);
let isRight = true;
for (const trial of TRIALS) {
  const about = { worker, plays, workers: 3, runs: 300, disturbances: 45, patienceMs: 600_000 };
  const name = trial.isApart === true ? `${trial.disturbance} of workers apart` : trial.disturbance;
  isRight = tell(name, await runTrial({ ...about, ...trial })) && isRight;
}
process.exitCode = isRight ? 0 : 1;

function tell(name: string, { lost, wrong, ...counts }: Report): boolean {
  console.log(name, JSON.stringify({ ...counts, lost: lost.length, wrong: wrong.length }));
  for (const one of [...lost, ...wrong].slice(0, 5)) console.log(one);
  const areFew = counts.calledTwice <= mostCalledTwice(counts);
  return areFew && lost.length + wrong.length + counts.recordedTwice === 0;
}
