import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const MOST_BYTES = 150 * 1024;

test("the README shows the Studio on its first screen, light and dark, in small files", () => {
  const [start = ""] = readFileSync("README.md", "utf8").split("```");
  const files = [...start.matchAll(/(?:srcset|src)="([^"]+)"/g)].map(([, file = ""]) => file);
  expect(files).toEqual(["docs/studio-dark.png", "docs/studio-light.png"]);
  for (const file of files) {
    const bytes = readFileSync(file);
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(bytes.length).toBeLessThan(MOST_BYTES);
  }
});
