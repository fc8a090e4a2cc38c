import ts from "typescript";
import { expect, test } from "vitest";
import { expectGolden } from "../cases/case-folder.js";
import { openEditor } from "./editor.js";

const DIRECTIVE = "// @ts-expect-error";

test("every misuse is refused, each for its own reason", () => {
  // Without the directives the compiler says what it thinks.
  const { service, file, text } = openEditor("test/types/misuses.ts", (source) =>
    source.replaceAll(DIRECTIVE, "//            error"),
  );
  const lines = text.split("\n");
  const diagnostics = service.getSemanticDiagnostics(file).map(({ start = 0, code, messageText }) => {
    const line = text.slice(0, start).split("\n").length;
    return { line, code, message: ts.flattenDiagnosticMessageText(messageText, "\n") };
  });
  const expected = lines.flatMap((line, index) =>
    line.includes("//            error") ? [{ line: index + 2, why: line.replace(/^.*error /, "") }] : [],
  );
  expect(expected.length).toBeGreaterThanOrEqual(25);
  expect([...new Set(diagnostics.map(({ line }) => line))]).toEqual(expected.map(({ line }) => line));
  const golden = expected.map(({ line, why }) => {
    const found = diagnostics.filter((one) => one.line === line);
    const reasons = found.map(({ code, message }) => `  TS${code}: ${message.split("\n").at(-1)?.trim()}`);
    return `${why}\n${reasons.join("\n")}\n`;
  });
  expectGolden("test/types/misuses.txt", golden.join("\n"));
});

test("an editor shows what a person can use", () => {
  const { service, file, text } = openEditor("test/types/hovers.ts");
  expect(service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([]);
  const lines = text.split("\n");
  const starts = lines.map((_, index) =>
    lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0),
  );
  const hovers = lines.flatMap((line, index) =>
    [...line.matchAll(/\^\?/g)].map(({ index: column }) => {
      const info = service.getQuickInfoAtPosition(file, starts[index - 1]! + column);
      const docs = ts.displayPartsToString(info?.documentation);
      return `${ts.displayPartsToString(info?.displayParts)}\n${docs === "" ? "" : `  ${docs}\n`}`;
    }),
  );
  expect(hovers.length).toBeGreaterThan(12);
  expectGolden("test/types/hovers.txt", hovers.join("\n"));
});
