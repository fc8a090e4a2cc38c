import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { outside, pack, thisNode, typeWell } from "./npm.js";

const { exports, bin } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly exports: {
    readonly [path: string]: string | { readonly types: string; readonly default: string };
  };
  readonly bin: { readonly [name: string]: string };
};

/** What an import names, in our JavaScript and in our declarations. */
const NAMED = /\b(?:from ?|import ?\(? ?|require\()"(\.{1,2}\/[^"]+)"/g;

/** The files that can be come to from these, by imports. */
function reachedFrom(folder: string, entries: readonly string[]): ReadonlySet<string> {
  const found = new Set(entries.map(normalize));
  for (const file of found) {
    const declares = file.endsWith(".d.ts");
    for (const [, path = ""] of readFileSync(join(folder, file), "utf8").matchAll(NAMED)) {
      const named = normalize(join(dirname(file), path));
      found.add(declares ? named.replace(/\.js$/, ".d.ts") : named);
    }
  }
  return found;
}

test("the package holds what is needed, and nothing else", async () => {
  const folder = outside();
  const { stdout } = await typeWell(`tar xzvf ${await pack()} -C ${folder}`, folder, thisNode());
  const files = stdout
    .split("\n")
    .filter((line) => line !== "" && !line.endsWith("/"))
    .map((line) => line.replace(/^(?:x )?package\//, ""));
  const targets = Object.values(exports).flatMap((one) =>
    typeof one === "string" ? [] : [one.types, one.default],
  );
  const reached = reachedFrom(join(folder, "package"), [
    ...targets,
    ...Object.values(bin),
    // These are loaded by their names when they are needed.
    "dist/runtime/http/sheets/validation-worker.js",
    "dist/runtime/net/databases/sqlite-process.js",
    "dist/cli/process/stuck-watch.js",
    "dist/vendor/yaml.cjs",
  ]);
  expect([...reached].filter((file) => !files.includes(file))).toEqual([]);
  // The page of the Studio has its own test: test/studio/page/bundle.test.ts.
  const isApart = (file: string): boolean => /^(templates|examples\/purchase-desk|dist\/studio)\//.test(file);
  const others = files.filter((file) => !reached.has(file) && !isApart(file)).sort();
  expect(others).toEqual(
    [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "package.json",
      "dist/LICENSES-OF-BUNDLED-PACKAGES.txt",
      "dist/cli/package.json",
      "dist/assets/docs-init.js",
      "dist/assets/docs.html",
      "dist/assets/favicon.ico",
      "dist/assets/home.html",
      "dist/assets/page.css",
      "dist/assets/redoc-init.js",
      "dist/assets/redoc.html",
      "dist/assets/redoc.standalone.js",
      "dist/assets/redoc.standalone.js.LICENSE.txt",
      "dist/assets/swagger-ui-bundle.js",
      "dist/assets/swagger-ui-bundle.js.LICENSE.txt",
      "dist/assets/swagger-ui.LICENSE.txt",
      "dist/assets/swagger-ui.NOTICE.txt",
      "dist/assets/swagger-ui.css",
    ].sort(),
  );
});

test("what the command line loads first is ASCII: the engine reads and keeps it in half the room", () => {
  for (const name of ["bin", "start", "run"])
    expect(readFileSync(`dist/cli/${name}.js`, "latin1")).not.toMatch(/[^\0-\x7f]/);
});
