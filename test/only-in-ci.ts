/**
 * They run many processes, compilers or browsers, or very much of one thing, and take most of the time of all tests.
 * `npm test` leaves them to CI; a person who works on what they are about runs them by their names.
 */
export const ONLY_IN_CI: readonly string[] = [
  "test/agents/mcp/types.test.ts",
  "test/analyze/let-go.test.ts",
  "test/analyze/many-settings.test.ts",
  "test/cli/bench.test.ts",
  "test/docs/guides.test.ts",
  "test/durable/poison.test.ts",
  "test/emit/branch-items.test.ts",
  "test/emit/consumer.test.ts",
  "test/emit/definitions.test.ts",
  "test/emit/mutation.test.ts",
  "test/emit/runtime-package.test.ts",
  "test/emit/word-places.test.ts",
  "test/http/browser.test.ts",
  "test/http/first-steps.test.ts",
  "test/package/declarations.test.ts",
  "test/package/runtime.test.ts",
  "test/package/this-node.test.ts",
  "test/run/kill.test.ts",
  "test/scaffold/scaffold.test.ts",
  "test/service/attacks/any-construct.test.ts",
  "test/service/attacks/growth.test.ts",
  "test/storage/large.test.ts",
  "test/studio/journeys/keys-only.test.ts",
  "test/studio/page/first-sheet.test.ts",
  "test/testing/mutants.test.ts",
  "test/types-at-cell/javascript.test.ts",
  "test/types-at-cell/untyped-input.test.ts",
  "test/workbook/libreoffice.test.ts",
];
