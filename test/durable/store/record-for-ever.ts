// Records steps until it is killed, and prints the number of each that is kept: node record-for-ever.mjs <place> <digit>
import { writeSync } from "node:fs";
import { insist } from "../../../runtime/durable/insist.js";
import { openAt } from "../open-at.js";
import { CLAIM, oneRun, oneStep } from "./one-run.js";

const [place = "", digit = "f"] = process.argv.slice(2);
const store = await openAt(place);
const { lease } = await store.start(oneRun(digit.repeat(32)), CLAIM);
for (let seq = 1; ; seq++) {
  await insist(() => store.record(lease!, { steps: [oneStep(seq, seq)], events: [], token: `${seq}` }));
  writeSync(1, `${seq}\n`);
}
