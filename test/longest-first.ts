import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They take longest, though some are small files: what is begun last is what all others wait for at the end. */
const LONGEST = [
  "test/bench/bench.test.ts",
  "test/emit/equality.test.ts",
  "test/workbook/mutated.test.ts",
  "test/property/analysis.test.ts",
  "test/service/attacks/attacks.test.ts",
  "test/property/drive.test.ts",
  "test/durable/store/processes.test.ts",
  "test/studio/page/accessible.test.ts",
  "test/studio/page/edit.test.ts",
  "test/docs/guides.test.ts",
  "test/service/attacks/any-construct.test.ts",
  "test/studio/editing/two-writers.test.ts",
  "test/package/node-24.test.ts",
  "test/emit/formulas.test.ts",
  "test/inspect/layout.test.ts",
  "test/studio/page/inbox.test.ts",
  "test/studio/page/runs.test.ts",
  "test/studio/page/workbench.test.ts",
  "test/package/this-node.test.ts",
  "test/studio/page/journeys.test.ts",
  "test/run/kill.test.ts",
  "test/http/product.test.ts",
  "test/studio/page/goes-on.test.ts",
  "test/init/init.test.ts",
  "test/chaos/server.test.ts",
  "test/durable/faults.test.ts",
  "test/http/gone.test.ts",
  "test/llm/providers.test.ts",
  "test/http/protocol.test.ts",
  "test/run/endless.test.ts",
  "test/scaffold/scaffold.test.ts",
  "test/cli/bench.test.ts",
];

/** The order of the files: the longest, then vitest's own order, which knows how long each took the last time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other));
  }
}

/** Files with a process of their own come before all: between others they would end the shared processes. */
function rankOf({ moduleId, project }: TestSpecification): number {
  if (project.config.isolate) return -1;
  const rank = LONGEST.indexOf(relative(project.config.root, moduleId));
  return rank === -1 ? LONGEST.length : rank;
}
