import { columnsOf } from "../../compiler/diagnostics/layout.js";
import { createPaint, type Paint } from "../../compiler/diagnostics/paint.js";
import { clip, visible } from "../../compiler/diagnostics/visible.js";
import type { EdgeDescription } from "../../runtime/draw/describe.js";
import type { NodeReport } from "../../runtime/draw/describe-node.js";
import { fit, pad, wrapColumns } from "./columns.js";
import type { TreeOptions } from "./tree.js";

/** Longer lists are cut, and the rest is only counted. */
const NAMES = 12;
const TEXTS = 60;
const LINES = 400;

export function drawNode(node: NodeReport, { width = 80, color = false }: TreeOptions = {}): string {
  const paint = createPaint(color);
  const room = Math.max(40, width);
  const origins = node.edges_in.map((edge) => `${edge.from} ${outcome(edge)}`);
  const targets = node.edges_out.map((edge) => `${edge.to ?? "the end"} ${outcome(edge)}`);
  const blocks: readonly (readonly [string, readonly string[]])[] = [
    ["agent", [`${node.agent_type}${node.builtin ? "" : " (custom)"}`]],
    ["comes from", node.entry ? ["the start", ...origins] : origins],
    ["goes to", [...targets, ...node.ends.map((on) => (on === "next" ? "the end" : `the end on ${on}`))]],
    ["branch", node.in_branches.map(branchText)],
    ["reads", aligned(node.inputs.map(readCells), room - INDENT)],
    ["writes", aligned(node.outputs.map(writeCells), room - INDENT)],
    ["settings", settingLines(node)],
  ];
  const lines = [
    ...title(node, room, paint),
    "",
    ...blocks.flatMap(([name, texts]) => block(name, texts, room, paint)),
    ...promptLines(node, paint),
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

const INDENT = 12;

function title(
  { name, row, graph, file, description, reachable }: NodeReport,
  room: number,
  paint: Paint,
): readonly string[] {
  const place = `  row ${row} of ${fit(graph, Math.floor(room / 4))}, ${fit(file, Math.floor(room / 4))}`;
  const head = paint("strong", fit(name, room - columnsOf(place))) + paint("quiet", place);
  const about = description === "" ? [] : wrapColumns(clip(description, 2000), room);
  return [head, ...about, ...(reachable ? [] : [paint("warning", "No way leads here from the entry.")])];
}

function block(name: string, texts: readonly string[], room: number, paint: Paint): readonly string[] {
  const shown = texts.slice(0, TEXTS).map((text) => fit(text.trimEnd(), room - INDENT));
  const lines = texts.length > TEXTS ? [...shown, `and ${texts.length - TEXTS} more`] : shown;
  return lines.map((line, i) => paint("strong", pad(i === 0 ? name : "", INDENT)) + line);
}

function outcome({ on, values = [] }: EdgeDescription): string {
  const answers = values.length === 0 ? "" : `if ${someOf(values)}`;
  const words = {
    next: answers,
    case: answers,
    otherwise: "otherwise",
    success: "on success",
    failure: "on failure",
    limit: "after the last visit",
  };
  return words[on];
}

const branchText = ({ split, on, branch, branches, meet }: NodeReport["in_branches"][number]): string => {
  const by = on === "next" ? "" : ` on ${on}`;
  return `${branch} of ${branches} that run at the same time from ${split}${by}${meet === "END" ? "" : `, until ${meet ?? "the end"}`}`;
};

type Cells = readonly [name: string, type: string, about: string];

function readCells({
  param,
  field,
  path,
  type,
  optional,
  sure,
  from,
  caller,
}: NodeReport["inputs"][number]): Cells {
  const whole = [field, ...path].join(".");
  const name = `${param === field && path.length === 0 ? "" : `${param}=`}${whole}${optional ? "?" : ""}`;
  const givers = [...(from.length > 0 ? [someOf(from)] : []), ...(caller === null ? [] : [callers[caller]])];
  const about = givers.length === 0 ? "set by nobody" : `from ${givers.join(", or ")}`;
  return [name, type ?? "", sure || field === "error" ? about : `${about}; may be unset`];
}

const callers = { required: "the caller", optional: "the caller if given" } as const;

function writeCells({ key, field, type, for: readers }: NodeReport["outputs"][number]): Cells {
  const name = key === field ? field : `${key}=${field}`;
  return [name, type ?? "", readers.length === 0 ? "for the result" : `for ${someOf(readers)}`];
}

const someOf = (names: readonly string[]): string =>
  names.length > NAMES
    ? `${names.slice(0, NAMES).join(", ")} and ${names.length - NAMES} more`
    : names.join(", ");

/** Three columns; the last is wrapped. */
function aligned(rows: readonly Cells[], room: number): readonly string[] {
  const widest = (i: 0 | 1, most: number): number =>
    rows.reduce((width, row) => Math.max(width, columnsOf(fit(row[i], most))), 0);
  const [name, type] = [widest(0, Math.floor(room / 3)), widest(1, Math.floor(room * 0.4))];
  return rows.flatMap((row) => {
    const about = wrapColumns(row[2], room - name - type - 4);
    return about.map(
      (line, i) =>
        `${pad(i === 0 ? fit(row[0], name) : "", name)}  ${pad(i === 0 ? fit(row[1], type) : "", type)}  ${line}`,
    );
  });
}

function settingLines({ settings, max_visits, on_limit }: NodeReport): readonly string[] {
  const own = Object.entries(settings).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return max_visits === null ? own : [...own, `max_visits: ${max_visits}, then ${on_limit ?? "the end"}`];
}

function promptLines({ prompt, prompt_from }: NodeReport, paint: Paint): readonly string[] {
  if (prompt === null && prompt_from === null) return [];
  const from = prompt_from === null ? "" : ` from ${visible(prompt_from)}`;
  const lines = (prompt ?? "").split(/\r\n|\r|\n/);
  const shown = lines.slice(0, LINES).map((line) => `${paint("quiet", "│")} ${visible(line)}`);
  const more = lines.length > LINES ? [paint("quiet", `and ${lines.length - LINES} more lines`)] : [];
  return ["", paint("strong", "prompt") + paint("quiet", from), ...shown, ...more];
}
