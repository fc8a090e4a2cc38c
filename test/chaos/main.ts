import { bundleProgram } from "./bundle.js";
import { type Disturbance, type Report, runTrial } from "./matrix.js";
import { samplePlays } from "./sample.js";

/** The long form: 300 runs of mixed graphs over three workers, disturbed 45 times, in each of three ways. */
const TRIALS: readonly (readonly [Disturbance, number])[] = [
  ["SIGKILL", 45],
  ["SIGSTOP", 45],
  ["SIGTERM", 45],
];

const worker = await bundleProgram(process.cwd(), "worker");
const plays = samplePlays(260);
let isRight = true;
for (const [disturbance, disturbances] of TRIALS) {
  const about = { worker, disturbance, disturbances, plays, workers: 3, runs: 300, patienceMs: 600_000 };
  isRight = tell(disturbance, await runTrial(about)) && isRight;
}
process.exitCode = isRight ? 0 : 1;

function tell(disturbance: Disturbance, { lost, wrong, ...counts }: Report): boolean {
  console.log(disturbance, JSON.stringify({ ...counts, lost: lost.length, wrong: wrong.length }));
  for (const one of [...lost, ...wrong].slice(0, 5)) console.log(one);
  return lost.length + wrong.length + counts.recordedTwice === 0;
}
