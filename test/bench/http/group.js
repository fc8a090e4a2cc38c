// The group `http`: the server under load, beside bare Express in the same run.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const json = (script, ...args) =>
  JSON.parse(
    execFileSync(process.execPath, [...args, fileURLToPath(new URL(script, import.meta.url))], {
      encoding: "utf8",
    }),
  );

/**
 * Measures goal 7, what becomes of ten times too many requests, goal 8, and whether the heap stays as it is.
 * The last needs a machine that does nothing else: answers cannot be soon where nobody gets to run.
 * @param {(what: string, measured: number, goal: number, unit: string) => void} report
 */
export function measureHttp(report) {
  const found = json("measure.js");
  report("bare Express against POST /execute with a key, keep: waiting", 1 / found.waiting, 1 / 0.9, "x");
  report("keep: waiting against every run kept", 1 / found.all, 1 / 0.15, "x");
  report("errors under load and overload", found.errors, 0, "requests");
  report("overload: answers that are neither 200 nor 503", found.others.length, 0, "kinds");
  report("overload: 99 of 100 refusals come within", found.refusedP99, 50, "ms");
  report("overload: a hundred runs in a row are served after", found.recovered, 5, "s");
  const memory = json("memory.js", "--expose-gc");
  report("1,000 graphs of 20 nodes over an idle server", memory.catalogueMb, 40, "MB");
  report("heap after 20,000 more runs", memory.driftPercent, 5, "%");
  if (process.env.BENCH_TIMES === "1") console.log(found, memory);
}
