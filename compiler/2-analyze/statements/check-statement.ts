import { onlyReads, readStatement } from "../../sql-statement.js";
import { type Draft, type DraftNode, inputNamed, reportAt, settingAt, spotSpan } from "../draft.js";
import { statementOf } from "./statement-of.js";

/** Reports a statement that no database would take, and a value where none can be bound. */
export function checkStatement(draft: Draft, node: DraftNode): void {
  const found = statementOf(node);
  const { prompt, row } = node;
  if (found === null || prompt === null || row.prompt === null || row.damaged) return;
  const wrong = (start: number, end: number, expected: string, text: string): void => {
    // A statement of a file has no place in the sheet.
    const span = row.prompt?.reference === null ? spotSpan(prompt.at, { start, end }) : prompt.at;
    const params = { setting: "statement", expected, found: text };
    reportAt(draft, node, "bad-setting", params, { span, column: "prompt" });
  };
  for (const part of prompt.parts) {
    if (part.kind === "text" || inputNamed(node, part.path[0] ?? "") !== null) continue;
    // All other names that are no inputs are unknown placeholders.
    if (part.path[0] === "error")
      wrong(
        part.start,
        part.end,
        "made of inputs of this node",
        "one with {error}: write error into input_fields",
      );
    return;
  }
  const statement = readStatement(found.parts);
  const { fault } = statement;
  if (fault !== null) {
    const part = prompt.parts[fault.part];
    const isValue = part?.kind === "field";
    const start =
      part === undefined ? 0 : isValue ? part.start : Math.min(part.start + fault.offset, part.end - 1);
    const end = part === undefined ? 0 : isValue ? part.end : start + 1;
    const text = isValue ? `one in which ${nameOf(part.path)} ${fault.why}` : `one that ${fault.why}`;
    wrong(start, end, "one statement of SQL", text);
    return;
  }
  checkSettingsBeside(draft, node, onlyReads(statement));
}

const nameOf = (path: readonly string[]): string => `{${path.join(".")}}`;

function checkSettingsBeside(draft: Draft, node: DraftNode, reads: boolean): void {
  for (const item of node.row.settings) {
    const { name, spot } = item;
    const expected = expectedBeside(name, spot.value, reads);
    if (expected === null) continue;
    reportAt(
      draft,
      node,
      "bad-setting",
      { setting: name, expected, found: String(spot.value) },
      settingAt(item),
    );
  }
}

function expectedBeside(name: string, value: unknown, reads: boolean): string | null {
  if (name === "read_only" && value === true && !reads) return "left out: the statement changes something";
  if (name === "once" && value === true && reads) return "left out: the statement changes nothing";
  return name === "max_rows" && typeof value === "number" && value <= 0 ? "more than 0" : null;
}
