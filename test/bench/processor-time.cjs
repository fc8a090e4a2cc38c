// Loaded into a process before its own code: writes the milliseconds of processor time that it took into a file.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.BENCH_TIME_FILE, String((user + system) / 1000));
});
