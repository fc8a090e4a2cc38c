import { type Code, catalogue } from "./catalogue.js";
import type { Explanation } from "./explanations/explanation.js";
import { fixingOf } from "./explanations/fixable.js";
import { type Chapter, chapters, explanations } from "./explanations/index.js";

const INTRODUCTION = `# Diagnostics

Everything that Flowsheet reports of a sheet, with an example and its cure. \`flowsheet explain <code>\` shows the same in a terminal.

Each report names the place in three ways: file, line and column of the text file; the cell as a spreadsheet shows it; and graph and node. An **error** keeps the sheet from being run or compiled. A **warning** does not, unless \`--strict\` is given. Codes are stable: they are never renamed or used again for something else.

A report may carry a fix. A **safe** one cannot change what the sheet means: \`flowsheet validate --fix\` writes it. Any other may not be what is meant, such as a name that is only similar: \`--fix=unsafe\` writes it, too. \`--select unknown-node,bad-type\` keeps either to these codes, and \`--dry-run\` only shows the difference.

`;

/** The reference of all diagnostics as Markdown. `reportOf` returns the report of a code's example. */
export function formatReference(reportOf: (code: Code) => string): string {
  const rows = chapters.flatMap(({ codes }) => codes.map(rowOf));
  const table = ["| Code | Severity | Reported when |", "|---|---|---|", ...rows].join("\n");
  const sections = chapters.map((chapter) => chapterOf(chapter, reportOf)).join("\n");
  return `${INTRODUCTION}${table}\n\n${sections}`;
}

function rowOf(code: Code): string {
  const summary = cellText(explanations[code].summary);
  return `| [\`${code}\`](#${code}) | ${catalogue[code].severity} | ${summary} |`;
}

function chapterOf({ title, codes }: Chapter, reportOf: (code: Code) => string): string {
  return [`## ${title}\n`, ...codes.map((code) => sectionOf(code, reportOf(code)))].join("\n");
}

function sectionOf(code: Code, report: string): string {
  const { summary, rule, example, tests, note, cure, cured, curedTests }: Explanation = explanations[code];
  const fixing = fixingOf(code);
  const blocks = [
    `### ${code}`,
    `*${catalogue[code].severity}* · ${inline(summary)}`,
    ...rule.map(inline),
    fence("csv", example),
    ...(tests === undefined ? [] : ["Its test sheet:", fence("csv", tests)]),
    ...(note === undefined ? [] : [inline(note)]),
    ...(explanations[code].notInCsv === true ? [] : [fence("text", report)]),
    `**Cure.** ${inline(cure)}`,
    ...(cured === null || cured === example ? [] : [fence("csv", cured)]),
    ...(curedTests === undefined ? [] : [fence("csv", curedTests)]),
    ...(fixing === null ? [] : [inline(fixing)]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** Text as Markdown: code in backticks stays, other special characters are escaped. */
function inline(prose: string): string {
  const pieces = prose.split("`");
  return pieces
    .map((piece, index) => (index % 2 === 0 ? piece.replace(/[\\*_[\]<|]/g, "\\$&") : `\`${piece}\``))
    .join("");
}

/** Text for a table cell, where a bar ends the cell even in backticks. */
const cellText = (prose: string): string => inline(prose.replaceAll("|", "/"));
