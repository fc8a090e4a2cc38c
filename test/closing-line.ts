import type { Reporter, TestModule } from "vitest/node";
import { ONLY_IN_CI } from "./only-in-ci.js";

/** Ends a run with one plain line that any program can read: `12 passed, 0 failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const run = new Set(modules.map(({ relativeModuleId }) => relativeModuleId));
    const left = ONLY_IN_CI.filter((file) => !run.has(file));
    if (run.size > ONLY_IN_CI.length && left.length > 0)
      console.log(
        `${left.length} files of tests run only with CI=true or by their names: test/only-in-ci.ts`,
      );
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((one) => one.result().state === state).length;
    const broken = modules.filter(
      (module) => module.state() === "failed" && [...module.children.allTests()].length === 0,
    );
    const failed = count("failed") + broken.length + errors.length;
    const skipped = count("skipped");
    for (const flaky of tests.filter((one) => one.diagnostic()?.flaky === true))
      console.log(`passed only at its second try: ${flaky.module.relativeModuleId} > ${flaky.fullName}`);
    console.log(`${count("passed")} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`);
  }
}
