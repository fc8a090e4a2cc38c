// The group `http`: the server under load, beside bare Express in the same run.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Measures goal 7, and what becomes of ten times too many requests.
 * @param {(what: string, measured: number, goal: number, unit: string) => void} report
 */
export function measureHttp(report) {
  const script = fileURLToPath(new URL("measure.js", import.meta.url));
  const found = JSON.parse(execFileSync(process.execPath, [script], { encoding: "utf8" }));
  report("bare Express against POST /execute with a key", 1 / found.ratio, 1 / 0.75, "x");
  report("errors under load", found.errors, 0, "requests");
  report("overload: answers that are neither 200 nor 503", found.others.length, 0, "kinds");
  report("after overload: the rate before against the rate now", 1 / found.recovery, 1.2, "x");
  if (process.env.BENCH_TIMES === "1") console.log(found);
}
