import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They take longest, though some are small files: what is begun last is what all others wait for at the end. */
const LONGEST = [
  "test/package/this-node.test.ts",
  "test/docs/guides.test.ts",
  "test/http/gone.test.ts",
  "test/llm/providers.test.ts",
  "test/package/declarations.test.ts",
  "test/http/protocol.test.ts",
  "test/storage/atomic.test.ts",
  "test/run/endless.test.ts",
  "test/http/product.test.ts",
  "test/init/init.test.ts",
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
