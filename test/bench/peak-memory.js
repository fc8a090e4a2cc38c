import { readFileSync } from "node:fs";

/** The most memory that this process has had, in MB. On Linux `maxRSS` begins with that of whoever started the process. */
export function peakMemory() {
  try {
    const [, own] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"));
    return Number(own) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
