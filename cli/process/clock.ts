/**
 * Stands in for `performance.now` in all that the command line runs: Node loads a dozen files of its own for that
 * one, more time than a small run takes.
 */
export function clockNow(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
