import type { CaseCell } from "../../1-parse/test-sheet.js";
import type { JsonSpot } from "../../ir.js";
import { nodesByName } from "../by-name.js";
import type { CaseStatus, ErrorIR } from "./case-ir.js";
import { type CaseName, type CaseReporter, itemsOf, type Stretch } from "./case-report.js";
import { checkMatchers } from "./matchers.js";
import type { TestedGraph } from "./tested-graphs.js";

interface Reading {
  readonly tested: TestedGraph;
  readonly report: CaseReporter;
}

export const STATUSES: readonly CaseStatus[] = ["completed", "failed", "suspended"];

export function readStatusCell(cell: CaseCell | undefined, report: CaseReporter): CaseStatus | null {
  if (cell === undefined) return null;
  const found = STATUSES.find((status) => status === cell.text.toLowerCase());
  if (found !== undefined) return found;
  const { suggestion, fix } = report.meant({ ...cell, isJson: false }, "bad-case", () => STATUSES);
  const cure = suggestion === null ? `it is ${STATUSES.join(", ")}` : `did you mean ${suggestion}?`;
  report.bad(cell, `${JSON.stringify(cell.text)} is no status of a run`, cure, fix);
  return null;
}

/** A path is `A>B>*>C`, or a JSON list where names hold a `>`. */
export function readPathCell(cell: CaseCell | undefined, reading: Reading): readonly string[] | null {
  if (cell === undefined) return null;
  if (!cell.text.startsWith("[")) {
    const items = itemsOf(cell, />/g);
    for (const { text, at } of items) checkNode({ ...at, isJson: false }, text, reading);
    return items.map(({ text }) => text);
  }
  const items = cell.json?.items ?? [];
  for (const { value, start, end } of items) checkNode({ ...cell, start, end, isJson: true }, value, reading);
  return items.map(({ value }) => String(value));
}

function checkNode(
  at: Stretch & Pick<CaseName, "isJson">,
  name: JsonSpot["value"],
  { tested: { graph, nearNodes }, report }: Reading,
): void {
  if (typeof name !== "string") {
    report.bad(at, "a path is a list of nodes' names", 'write A>B>*>C or ["A", "B", "*", "C"]');
  } else if (name !== "*" && !nodesByName(graph).has(name)) {
    report.unknownNode({ ...at, text: name }, graph, nearNodes);
  }
}

/** The codes of errors that a run may fail with. */
export const CODES = [
  "agent_failed",
  "node_timeout",
  "run_timeout",
  "step_limit",
  "provider_failed",
  "bad_value",
  "cancelled",
  "internal",
];
export const KEYS = ["code", "node", "message"];

/** The error is text that its message holds, or `{"code", "node", "message"}`. */
export function readErrorCell(cell: CaseCell | undefined, reading: Reading): ErrorIR | null {
  if (cell === undefined) return null;
  if (cell.json === null) return { code: null, node: null, message: cell.text };
  const { report } = reading;
  const spots = new Map<string, JsonSpot>();
  for (const { key, start, end, spot } of cell.json.entries ?? []) {
    if (KEYS.includes(key)) spots.set(key, spot);
    else
      report.bad(
        { ...cell, start, end },
        `expect_error knows no ${JSON.stringify(key)}`,
        `it knows ${KEYS.join(", ")}`,
      );
  }
  const [code, node, message] = KEYS.map((key) => spots.get(key));
  if (code !== undefined && !CODES.includes(String(code.value))) {
    const why = `${JSON.stringify(code.value)} is no code of a run's error`;
    report.bad({ ...cell, ...ends(code) }, why, `it is one of ${CODES.join(", ")}`);
  }
  if (node !== undefined) checkNode({ ...cell, ...ends(node), isJson: true }, node.value, reading);
  if (message !== undefined) checkMatchers(message, cell, report);
  return {
    code: code === undefined ? null : String(code.value),
    node: node === undefined ? null : String(node.value),
    message: message?.value ?? null,
  };
}

const ends = ({ start, end }: JsonSpot): Pick<CaseCell, "start" | "end"> => ({ start, end });
