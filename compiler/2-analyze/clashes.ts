import { locatedIn } from "../1-parse/text/places.js";
import type { Row } from "../ir.js";
import type { Analysis, Draft } from "./draft.js";

/** Letters of other scripts that look like Latin ones, as pairs: the letter, then what it looks like. */
const LOOK_ALIKE = new Map(
  ("аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwӏlвbнhкkмmтtгrпnзз" + "αaοoρpνvιiκkτtυuχxγyηnωw" + "ıiℓlɡgɑaᴀaᴏo")
    .match(/../gsu)
    ?.map((pair): [string, string] => [pair[0] ?? "", pair[1] ?? ""]) ?? [],
);

const ASCII = /^[\x20-\x7e]*$/;

/** A name as the eye sees it: compatibility forms, case, marks and look-alike letters made equal. */
function skeleton(name: string): string {
  const plain = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u200b-\u200d\ufeff]/gu, "");
  let seen = "";
  for (const letter of plain) seen += LOOK_ALIKE.get(letter) ?? letter;
  return seen;
}

export function checkNodeNames({ analysis, nodes }: Draft): void {
  checkNames(
    analysis,
    "node",
    nodes.map(({ row }) => row),
  );
}

/** The first row of each graph stands for its name. */
export function checkGraphNames(analysis: Analysis, rows: readonly Row[]): void {
  checkNames(analysis, "graph", rows);
}

/** Reports names that differ from an earlier one only in case, or only to the machine. Linear. */
function checkNames({ sheet, problems }: Analysis, what: "graph" | "node", rows: readonly Row[]): void {
  const folded = new Map<string, Row>();
  // As long as all names are ASCII, the eye sees them as they are folded.
  let seen = folded;
  for (const row of rows) {
    const { name, at } = row[what];
    if (name === "") continue;
    const fold = name.toLowerCase();
    const look = ASCII.test(name) ? fold : skeleton(name);
    if (look !== fold && seen === folded) seen = new Map(folded);
    const same = folded.get(fold);
    const twin = seen.get(look);
    if (same === undefined) folded.set(fold, row);
    if (twin === undefined) seen.set(look, row);
    const isCase = same !== undefined && same[what].name !== name;
    const other = isCase ? same : twin;
    if (other === undefined || other[what].name === name) continue;
    const params = { what, name, other: other[what].name, row: other.record + 1 };
    problems.report(isCase ? "case-clash" : "confusable-name", params, {
      ...locatedIn(sheet, at),
      graph: row.graph.name,
      node: what === "node" ? name : null,
      column: `${what}_name`,
    });
  }
}
