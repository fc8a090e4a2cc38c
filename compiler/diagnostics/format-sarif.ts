import type { Place } from "../ir.js";
import { type Code, catalogue } from "./catalogue.js";
import type { Diagnostic, Fix } from "./diagnostic.js";
import { plainProse } from "./explanations/explanation.js";
import { explanations } from "./explanations/index.js";
import { jsonText } from "./json-text.js";
import { indexLines, type LineIndex } from "./lines.js";
import { aroundText, listed, type Sources } from "./listing.js";
import { placedEdit, type ReportEdit } from "./report.js";
import { visible } from "./visible.js";
import { cellOfPlace, fileItself } from "./worksheet.js";

export interface SarifOptions {
  /** The version of Flowsheet. */
  readonly version: string;
}

interface Log {
  readonly files: readonly string[];
  readonly rules: readonly Code[];
  readonly linesOf: (file: string) => LineIndex;
}

/** Diagnostics as a SARIF 2.1.0 log, for code scanning. */
export function formatSarif(
  diagnostics: readonly Diagnostic[],
  sources: Sources,
  { version }: SarifOptions,
): string {
  const shown = listed(diagnostics, sources);
  const log: Log = {
    files: [...new Set([...sources.keys(), ...shown.map(({ file }) => file)].map(fileItself))],
    rules: [...new Set(shown.map(({ code }) => code))].sort(),
    linesOf: indexLines(sources),
  };
  return jsonText({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "Flowsheet", version, semanticVersion: version, rules: log.rules.map(ruleOf) },
        },
        columnKind: "utf16CodeUnits",
        artifacts: log.files.map((file) => ({ location: { uri: uriOf(file) } })),
        results: shown.map((diagnostic) => resultOf(diagnostic, log)),
      },
    ],
  });
}

function ruleOf(code: Code): object {
  const { summary, rule, cure } = explanations[code];
  return {
    id: code,
    shortDescription: { text: plainProse(summary) },
    fullDescription: { text: plainProse(rule.join("\n\n")) },
    help: { text: plainProse(cure), markdown: `${rule.join("\n\n")}\n\n**Cure.** ${cure}` },
    defaultConfiguration: { level: catalogue[code].severity },
  };
}

function resultOf(diagnostic: Diagnostic, log: Log): object {
  const { code, severity, message, help, label, fix } = diagnostic;
  const cure = help ?? label;
  // A cell of a workbook is no region of its file.
  const isBook = diagnostic.place?.worksheet !== undefined;
  return {
    ruleId: code,
    ruleIndex: log.rules.indexOf(code),
    level: severity,
    message: { text: messageText(cure === null ? message : `${message}\n${cure}`) },
    locations: [locationOf(diagnostic, log)],
    ...(fix === null || fix.edits.length === 0 || isBook
      ? {}
      : { fixes: [fixOf(fix, diagnostic.file, log)] }),
  };
}

function locationOf(diagnostic: Diagnostic, log: Log): object {
  const { file, place, graph, node } = diagnostic;
  const around = aroundText(diagnostic);
  const cell = place?.worksheet === undefined ? null : cellOfPlace(place);
  const logical = [
    ...(cell === null ? [] : [{ name: cell, fullyQualifiedName: cell, kind: "cell" }]),
    ...(graph === null ? [] : [{ name: graph, kind: "module" }]),
    ...(node === null ? [] : [{ name: node, fullyQualifiedName: `${graph ?? ""}/${node}`, kind: "element" }]),
  ];
  return {
    physicalLocation: {
      artifactLocation: artifactOf(file, log),
      ...(place === null ? {} : { region: place.worksheet === undefined ? regionOf(place) : rowOf(place) }),
    },
    ...(logical.length === 0 ? {} : { logicalLocations: logical }),
    ...(around === "" ? {} : { message: { text: messageText(around) } }),
  };
}

function artifactOf(file: string, log: Log): object {
  const itself = fileItself(file);
  return { uri: uriOf(itself), index: log.files.indexOf(itself) };
}

function fixOf(fix: Fix, file: string, log: Log): object {
  const replacements = fix.edits.map((edit) => {
    const deletedRegion = regionOf(placedEdit(edit, log.linesOf(file)));
    return { deletedRegion, insertedContent: { text: edit.text } };
  });
  return {
    description: { text: messageText(fix.title) },
    properties: { safe: fix.safe },
    artifactChanges: [{ artifactLocation: artifactOf(file, log), replacements }],
  };
}

const rowOf = ({ line }: Place): object => ({ startLine: line });

const regionOf = ({ line, column, endLine, endColumn }: Omit<ReportEdit, "text">): object => ({
  startLine: line,
  startColumn: column,
  endLine,
  endColumn,
});

/** SARIF reads `[text](link)` in messages as a link, so such brackets are escaped. */
function messageText(text: string): string {
  const safe = text.split("\n").map(visible).join("\n");
  return safe.includes("](") ? safe.replace(/[\\[\]]/g, "\\$&") : safe;
}

/** The path as a relative reference, or a file URI for an absolute path. */
function uriOf(file: string): string {
  const parts = file
    .replaceAll("\\", "/")
    .replace(/\p{Cs}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent);
  const path = parts.join("/");
  if (path.startsWith("/")) return `file://${path}`;
  if (/^[A-Za-z]%3A$/.test(parts[0] ?? "")) return `file:///${path.replace("%3A", ":")}`;
  return path;
}
