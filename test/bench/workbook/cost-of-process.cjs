// Loaded into a process that is measured: when it ends, it writes its processor time in milliseconds and its memory in MB.
const { readFileSync, writeFileSync } = require("node:fs");

/** On Linux a process begins with the `maxRSS` of the one that started it, which may be larger than its own. */
function memoryOf({ maxRSS }) {
  try {
    const [, own] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"));
    return Number(own) / 1024;
  } catch {
    return maxRSS / 1024;
  }
}

process.on("exit", () => {
  const usage = process.resourceUsage();
  const cost = { ms: (usage.userCPUTime + usage.systemCPUTime) / 1000, mb: memoryOf(usage) };
  writeFileSync(process.env.BENCH_COST_FILE, JSON.stringify(cost));
});
