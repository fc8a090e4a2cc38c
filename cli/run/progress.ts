import { createPaint, type Paint, type Style } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { NodeEnd, NodeRetry, RunEvent } from "../../runtime/graph/contract/contract.js";
import type { Context } from "../process/context.js";

const MARKS: { readonly [O in NodeEnd["outcome"]]: readonly [mark: string, style: Style] } = {
  success: ["✓", "help"],
  failure: ["✗", "warning"],
  thrown: ["!", "error"],
  waiting: ["…", "strong"],
};

/** Writes one line for each visit to stderr: mark, name, milliseconds. */
export function createProgress({ stderr, color }: Context, trace: boolean): (event: RunEvent) => void {
  const paint = createPaint(color(stderr));
  return (event) => {
    if (event.type === "node_retry") stderr.write(`${retryLine(event, paint)}\n`);
    if (event.type !== "node_end") return;
    const details = trace ? traceLines(event).map((line) => `${margin(event)}    ${line}`) : [];
    stderr.write(`${[visitLine(event, paint), ...details].join("\n")}\n`);
  };
}

function visitLine(event: NodeEnd, paint: Paint): string {
  const { node, visit, outcome, ms, error } = event;
  const [mark, style] = MARKS[outcome];
  const again = visit > 1 ? paint("quiet", ` #${visit}`) : "";
  const time = outcome === "waiting" ? "waits" : `${millis(ms)} ms`;
  const why = error === null ? "" : `  ${visible(error)}`;
  return `${margin(event)}${paint(style, mark)} ${visible(node)}${again}  ${paint("quiet", time)}${why}`;
}

function retryLine(event: NodeRetry, paint: Paint): string {
  const { node, attempt, error } = event;
  return `${margin(event)}${paint("warning", "↻")} ${visible(node)}  attempt ${attempt} failed: ${visible(error)}`;
}

const millis = (ms: number): string => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0));

/** A branch is indented, with its number in front. */
const margin = ({ branch }: { readonly branch: readonly number[] }): string =>
  branch.map((number) => `│${number + 1} `).join("");

function traceLines({ inputs, prompt, writes, attempts, outcome, usage }: NodeEnd): readonly string[] {
  return [
    `inputs  ${data(inputs ?? {})}`,
    ...(prompt == null ? [] : promptLines(prompt)),
    ...(outcome === "waiting" ? [] : [`output  ${data(writes ?? {})}`]),
    ...(usage === undefined ? [] : [`tokens  ${usage.input_tokens} in, ${usage.output_tokens} out`]),
    ...(attempts > 1 ? [`attempts ${attempts}`] : []),
  ];
}

function promptLines(prompt: string): readonly string[] {
  return prompt
    .split(/\r\n|\n|\r/)
    .map((line, index) => `${index === 0 ? "prompt" : "      "}  ${visible(line)}`);
}

const data = (value: unknown): string => visible(JSON.stringify(plain(value)) ?? "");

/** The agent may have put values into its inputs that are no JSON. */
function plain(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    return null;
  }
}

/** One visit of a trace, as `run --json --trace` tells it. */
export function describeVisit(event: NodeEnd): object {
  const { step, node, visit, branch, attempts, outcome, ms, inputs, prompt, writes, error, usage } = event;
  return {
    step,
    node,
    visit,
    branch,
    attempts,
    outcome,
    duration_ms: Math.round(ms * 1000) / 1000,
    inputs: plain(inputs ?? {}),
    prompt: prompt ?? null,
    output: writes ?? {},
    error,
    ...(usage === undefined ? {} : { usage }),
  };
}
