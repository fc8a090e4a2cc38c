// Random tables against the emitter, in processes of 10,000 each: nothing executes, no text is lost, nothing is
// printed that no module may hold.
// npm run fuzz             1,000,000 tables
// npm run fuzz -- 20000    fewer
import { spawnSync } from "node:child_process";

const CHUNK = 10_000;
const [wanted = "1000000", from = String(Math.floor(Math.random() * 2 ** 30))] = process.argv.slice(2);
const tables = Number(wanted);
const began = performance.now();

for (let done = 0; done < tables; done += CHUNK) {
  const seed = Number(from) + done;
  const size = Math.min(CHUNK, tables - done);
  const { status } = spawnSync(
    process.execPath,
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "test/emit/injection",
      "-t",
      "C59",
      "--reporter=dot",
      "--silent",
    ],
    {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, INJECTION_RUNS: String(size), PROPERTY_SEED: String(seed) },
    },
  );
  if (status !== 0) {
    console.error(`found something; again with: npm run fuzz -- ${size} ${seed}`);
    process.exit(1);
  }
  console.log(`${done + size} tables, ${Math.round((performance.now() - began) / 1000)} s`);
}
