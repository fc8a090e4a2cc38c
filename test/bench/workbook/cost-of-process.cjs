// Loaded into a process that is measured: when it ends, it writes its processor time in milliseconds and its memory in MB.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cost = { ms: (userCPUTime + systemCPUTime) / 1000, mb: maxRSS / 1024 };
  writeFileSync(process.env.BENCH_COST_FILE, JSON.stringify(cost));
});
