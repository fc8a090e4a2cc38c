import { expect, test } from "vitest";
import { catalogue } from "../../compiler/diagnostics/catalogue.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { formatSarif } from "../../compiler/diagnostics/format-sarif.js";
import { diagnostic, FILE, misspeltTarget, placeOf, SUPPORT } from "./samples.js";

type Value = { readonly [key: string]: Value } & { readonly [index: number]: Value } & Iterable<Value>;

const sources = new Map([[FILE, SUPPORT]]);
const logOf = (found: readonly Diagnostic[], files = sources): Value =>
  JSON.parse(formatSarif(found, files, { version: "1.2.3" }));

/** What SARIF's schema asks of a region, an artifact location, a result and a rule, as far as they are used here. */
function checkLog(log: Value): void {
  expect(Object.keys(log).sort()).toEqual(["$schema", "runs", "version"]);
  expect(log["version"]).toBe("2.1.0");
  for (const run of log["runs"] ?? []) {
    const driver = run["tool"]?.["driver"];
    expect(driver?.["name"]).toEqual(expect.any(String));
    expect(run["columnKind"]).toBe("utf16CodeUnits");
    const rules = [...(driver?.["rules"] ?? [])];
    const artifacts = [...(run["artifacts"] ?? [])];
    expect(new Set(rules.map((rule) => rule["id"])).size).toBe(rules.length);
    for (const rule of rules) checkRule(rule);
    for (const result of run["results"] ?? []) checkResult(result, rules, artifacts);
  }
}

function checkRule(rule: Value): void {
  expect(catalogue).toHaveProperty([String(rule["id"])]);
  for (const key of ["shortDescription", "fullDescription", "help"]) {
    expect(rule[key]?.["text"]).toEqual(expect.stringMatching(/\S/));
  }
  expect(["error", "warning", "note", "none"]).toContain(rule["defaultConfiguration"]?.["level"]);
}

function checkResult(result: Value, rules: readonly Value[], artifacts: readonly Value[]): void {
  expect(rules[Number(result["ruleIndex"])]?.["id"]).toBe(result["ruleId"]);
  expect(["error", "warning"]).toContain(result["level"]);
  expect(result["message"]?.["text"]).toEqual(expect.stringMatching(/\S/));
  for (const location of result["locations"] ?? []) {
    checkArtifact(location["physicalLocation"]?.["artifactLocation"], artifacts);
    const region = location["physicalLocation"]?.["region"];
    if (region !== undefined) checkRegion(region);
  }
  for (const fix of result["fixes"] ?? []) {
    expect([...(fix["artifactChanges"] ?? [])]).not.toHaveLength(0);
    for (const change of fix["artifactChanges"] ?? []) checkChange(change, artifacts);
  }
}

function checkChange(change: Value, artifacts: readonly Value[]): void {
  checkArtifact(change["artifactLocation"], artifacts);
  expect([...(change["replacements"] ?? [])]).not.toHaveLength(0);
  for (const replacement of change["replacements"] ?? []) {
    checkRegion(replacement["deletedRegion"]);
    expect(replacement["insertedContent"]?.["text"]).toEqual(expect.any(String));
  }
}

function checkArtifact(artifact: Value | undefined, artifacts: readonly Value[]): void {
  const uri = String(artifact?.["uri"]);
  expect(uri).toMatch(/^(?:file:\/\/\/)?(?:[A-Za-z]:)?(?:[A-Za-z0-9._~!*'()/-]|%[0-9A-F]{2})+$/);
  expect(artifacts[Number(artifact?.["index"])]?.["location"]?.["uri"]).toBe(uri);
}

function checkRegion(region: Value | undefined): void {
  const [startLine = 0, startColumn = 0, endLine = 0, endColumn = 0] = [
    "startLine",
    "startColumn",
    "endLine",
    "endColumn",
  ].map((key) => Number(region?.[key]));
  expect(Math.min(startLine, startColumn, endLine, endColumn)).toBeGreaterThanOrEqual(1);
  expect(endLine).toBeGreaterThanOrEqual(startLine);
  if (endLine === startLine) expect(endColumn).toBeGreaterThanOrEqual(startColumn);
}

test("a log is valid SARIF 2.1.0 with its rules, regions and fixes", () => {
  const log = logOf([
    misspeltTarget(),
    diagnostic({ code: "empty-sheet", file: "other folder/ä,#%.csv" }),
    diagnostic({ code: "short-row", severity: "warning", place: placeOf(SUPPORT, "Sorry!") }),
  ]);
  checkLog(log);
  const results = [...(log["runs"]?.[0]?.["results"] ?? [])];
  expect(results.map((result) => result["ruleId"])).toEqual(["unknown-node", "short-row", "empty-sheet"]);
  expect(results[0]).toMatchObject({
    level: "error",
    message: {
      text: 'next_on_success names a node that graph "triage" does not have\ndid you mean "Answer" (row 6)?',
    },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: "support.csv", index: 0 },
          region: { startLine: 5, startColumn: 38, endLine: 5, endColumn: 44 },
        },
        logicalLocations: [
          { name: "triage", kind: "module" },
          { name: "Classify", fullyQualifiedName: "triage/Classify", kind: "element" },
        ],
      },
    ],
    fixes: [
      {
        description: { text: 'write "Answer"' },
        artifactChanges: [
          {
            replacements: [
              {
                deletedRegion: { startLine: 5, startColumn: 38, endLine: 5, endColumn: 44 },
                insertedContent: { text: "Answer" },
              },
            ],
          },
        ],
      },
    ],
  });
});

test("a clean sheet gives a log without results", () => {
  const log = logOf([]);
  checkLog(log);
  expect(log["runs"]?.[0]).toMatchObject({
    tool: { driver: { name: "Flowsheet", version: "1.2.3", rules: [] } },
    artifacts: [{ location: { uri: "support.csv" } }],
    results: [],
  });
});

test("every code of the catalogue makes a valid rule", () => {
  const codes = Object.keys(catalogue) as Diagnostic["code"][];
  checkLog(logOf(codes.map((code) => diagnostic({ code }))));
});

test("columns count in UTF-16 units, as the log says", () => {
  const text = "😀,HERE";
  const log = logOf([diagnostic({ place: placeOf(text, "HERE") })], new Map([[FILE, text]]));
  const region = log["runs"]?.[0]?.["results"]?.[0]?.["locations"]?.[0]?.["physicalLocation"]?.["region"];
  expect(region).toEqual({ startLine: 1, startColumn: 4, endLine: 1, endColumn: 8 });
});

test("absolute paths become file URIs", () => {
  const log = logOf(
    [diagnostic({ file: "/data/my sheet.csv" }), diagnostic({ file: "C:\\data\\a.csv" })],
    new Map(),
  );
  checkLog(log);
  expect([...(log["runs"]?.[0]?.["artifacts"] ?? [])].map((one) => String(one["location"]?.["uri"]))).toEqual(
    ["file:///data/my%20sheet.csv", "file:///C:/data/a.csv"],
  );
});

test("V41: a text of the sheet cannot put a link into a message", () => {
  const log = logOf([diagnostic({ message: 'there is no agent "[safe](http://x)\x1b"' })]);
  expect(log["runs"]?.[0]?.["results"]?.[0]?.["message"]?.["text"]).toBe(
    'there is no agent "\\[safe\\](http://x)\\\\x1b"',
  );
});
