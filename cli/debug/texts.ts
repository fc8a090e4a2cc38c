import type { Paint } from "../../compiler/diagnostics/paint.js";
import { clip, visible } from "../../compiler/diagnostics/visible.js";
import type {
  NodeEnd,
  StateData,
  Stop,
  StopView,
  WaitingFor,
} from "../../runtime/graph/contract/contract.js";

/** `+` is a new value, `~` a changed one, `=` one that was written again unchanged. */
export interface Change {
  readonly mark: "+" | "~" | "=";
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export type Marks = ReadonlyMap<string, Change["mark"]>;

const INDENT = "   ";
/** Longer values are cut; `state field` shows them in full. */
const LONGEST = 400;

/** `2. Answer  echo`, then the visit and the branch when they are unusual. */
export function headText({ step, node, visit, branch }: Stop, agent: string, paint: Paint): string {
  const more = [
    ...(visit > 1 ? [`visit ${visit}`] : []),
    ...(branch.length > 0 ? [`branch ${branchText(branch)}`] : []),
  ];
  const head = `${step}. ${paint("strong", visible(node))}  ${visible(agent)}`;
  return `${head}${more.length === 0 ? "" : `  ${paint("quiet", more.join(", "))}`}\n`;
}

/** Branches are counted from 1: `2.1` is the first branch inside the second one. */
export const branchText = (branch: readonly number[]): string => branch.map((number) => number + 1).join(".");

export function inputsText({ inputs, prompt }: StopView): string {
  const lines = prompt === null ? [] : prompt.split(/\r\n|\n|\r/).map((line) => clip(visible(line), LONGEST));
  const prompts = lines.map((line, index) => `${INDENT}${index === 0 ? "prompt" : "      "}  ${line}\n`);
  return `${INDENT}inputs  ${valueText(inputs)}\n${prompts.join("")}`;
}

export function outcomeText(
  { outcome, error, attempts, next }: NodeEnd,
  changes: readonly Change[],
  paint: Paint,
): string {
  const style = outcome === "success" ? "help" : outcome === "failure" ? "warning" : "error";
  const why = error === null ? "" : `: ${visible(error)}`;
  const tries = attempts > 1 ? `, attempt ${attempts}` : "";
  const targets = next?.map((name) => (name === null ? "the end" : visible(name))).join(" | ");
  const lines = [
    `${paint(style, outcome)}${tries}${why}`,
    ...changes.map((change) => changeText(change, paint)),
    `→ ${targets ?? "the run fails"}`,
  ];
  return lines.map((line) => `${INDENT}${line}\n`).join("");
}

export function changeText({ mark, field, before, after }: Change, paint: Paint): string {
  const was = mark === "~" ? `${valueText(before)} → ` : "";
  return `${paint("strong", mark)} ${visible(field)}  ${was}${valueText(after)}`;
}

/** All fields of a state, one a line; those that changed last have their mark. */
export function stateText(state: StateData, marks: Marks, paint: Paint): string {
  const fields = Object.keys(state);
  if (fields.length === 0) return `${INDENT}no field is set\n`;
  const width = Math.min(24, Math.max(...fields.map((field) => visible(field).length)));
  return fields
    .map((field) => {
      const mark = marks.get(field) ?? " ";
      const name = visible(field).padEnd(width);
      return `${INDENT}${mark === " " ? mark : paint("strong", mark)} ${name}  ${valueText(state[field])}\n`;
    })
    .join("");
}

export function questionText({ node, field, prompt, options }: WaitingFor, paint: Paint): string {
  const [first = "", ...rest] = prompt.split(/\r\n|\n|\r/).map(visible);
  const into = field === null ? "" : ` for ${JSON.stringify(field)}`;
  const choices = options === null ? "" : `  (${options.map(visible).join(", ")})`;
  const lines = [
    `${paint("strong", visible(node))} waits${into}${first === "" ? "" : `: ${first}`}`,
    ...rest,
  ];
  return `${lines.map((line) => `${INDENT}${line}`).join("\n")}${choices}\n`;
}

export const lineText = (text: string): string => `${INDENT}${text}\n`;

const valueText = (value: unknown): string => clip(visible(JSON.stringify(value) ?? "nothing"), LONGEST);
