import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const page = readFileSync("docs/environment.md", "utf8");

/** The variables that the sources read by their names, and beginnings of names. */
function variables(): readonly string[] {
  const sources = ["runtime", "cli"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(join(folder, file), "utf8")),
  );
  const asked = sources.flatMap((text) => [
    ...text.matchAll(/\benv\["(\w+)"\]|\{ (\w+): \w+ = "" \} = env\b/g),
    ...text.matchAll(/"((?:FLOWSHEET|OPENAI|ANTHROPIC|GOOGLE)_[A-Z_]+)"/g),
  ]);
  return [...new Set(asked.map(([, ...names]) => names.find((name) => name !== undefined) ?? ""))];
}

test("docs/environment.md names every variable that is read", () => {
  const read = variables();
  expect(read).toEqual(
    expect.arrayContaining(["CI", "NO_COLOR", "FORCE_COLOR", "TERM", "OPENAI_API_KEY", "FLOWSHEET_API_KEY_"]),
  );
  expect(read.filter((name) => !page.includes(name))).toEqual([]);
});
