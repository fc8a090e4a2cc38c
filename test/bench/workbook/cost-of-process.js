// Loaded into a process that is measured: when it ends, it writes its processor time in milliseconds and its memory in MB.
import { writeFileSync } from "node:fs";
import { peakMemory } from "../peak-memory.js";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const cost = { ms: (userCPUTime + systemCPUTime) / 1000, mb: peakMemory() };
  writeFileSync(process.env.BENCH_COST_FILE, JSON.stringify(cost));
});
