import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the README shows the module of examples/support.csv as it is", () => {
  const module = readFileSync("generated/support.gen.ts", "utf8");
  expect(readFileSync("README.md", "utf8")).toContain(`\`\`\`ts\n${module}\`\`\``);
});
