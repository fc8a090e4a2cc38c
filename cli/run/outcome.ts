import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { createPaint } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import { worksheetCell } from "../../compiler/diagnostics/worksheet.js";
import type { Json, WaitingFor } from "../../runtime/graph/contract/contract.js";
import {
  describeResult,
  type RunFailure,
  type Waiting,
  type WorkflowResult,
} from "../../runtime/runs/result.js";
import { EXIT } from "../failure.js";
import type { Context } from "../process/context.js";
import { untilText } from "../runs/time-text.js";
import { shellWord } from "../shell-word.js";

/** stdout gets only data: the whole result as JSON, or the final state. All else goes to stderr. */
export function tellResult(
  context: Context,
  result: WorkflowResult,
  json = false,
  trace: readonly object[] | null = null,
): void {
  if (json) {
    context.stdout.write(jsonText({ ...describeResult(result), ...(trace === null ? {} : { trace }) }));
    return;
  }
  context.stdout.write(jsonText(result.state));
  tellFailure(context, result);
  if (result.status === "suspended") context.stderr.write(waitingText(context, result));
}

export function tellFailure(context: Context, { error }: WorkflowResult): void {
  if (error !== null) context.stderr.write(failureText(context, error));
}

export function exitCode({ status, error }: WorkflowResult, interrupted: boolean): number {
  if (status === "completed") return EXIT.done;
  if (interrupted) return EXIT.interrupted;
  if (status === "suspended") return EXIT.suspended;
  return error?.code === "internal" ? EXIT.bug : EXIT.findings;
}

/** Like a diagnostic, with the cell of the failed agent. */
function failureText(
  { color, stderr }: Context,
  { code, message, graph, node, file, line, cell, worksheet }: RunFailure,
): string {
  const paint = createPaint(color(stderr));
  // In a workbook the cell says the row.
  const row = line === null || worksheet !== undefined ? "" : `:${line}`;
  const at = file === null ? "" : `${visible(file)}${row}`;
  const shown = worksheet === undefined ? cell && `cell ${cell}` : visible(worksheetCell(worksheet, cell));
  const facts = [shown, `graph ${visible(graph)}`, node !== null && `node ${visible(node)}`];
  const place = `  --> ${at}${at === "" ? "" : worksheet === undefined ? "   " : "  "}${facts.filter(Boolean).join(" · ")}`;
  return `${paint("error", `error ${code}:`)} ${visible(message)}\n${place}\n`;
}

/** The questions of the run, and the command that answers them. */
function waitingText({ quiet, color, stderr, env }: Context, { runId, waiting }: WorkflowResult): string {
  if (quiet) return "";
  const paint = createPaint(color(stderr));
  const lines = waiting.map(
    (one) =>
      `${paint("strong", `waits: ${visible(one.node)}`)}${askedText(one)}${peopleText(one)}${untilText(one.wakesAt ?? null)}`,
  );
  const questions = waiting.filter(({ wakesAt }) => wakesAt === undefined);
  const answers = questions.filter(({ refused }) => refused === undefined).map(answerWord);
  // Under npx and npm the program is installed in a project, so a shell does not find its plain name.
  const program = env["npm_command"] === undefined ? "flowsheet" : "npx flowsheet";
  const looks = questions.length === 0 ? WORKS : `runs show ${runId}`;
  const help = answers.length === 0 ? looks : `resume ${runId} ${answers.join(" ")}`;
  return `${[...lines, `  ${paint("help", "= help:")} ${program} ${help}`].join("\n")}\n`;
}

/** What waits for a time alone takes no answer. */
const WORKS = "work  goes on with it when its time has come, and so does a server";

/** `  asked of ada, role:finance` */
export const askedOf = (assignees: Json | undefined): string =>
  Array.isArray(assignees) ? `  asked of ${visible(assignees.join(", "))}` : "";

const peopleText = ({ assignees, refused }: Waiting): string =>
  `${askedOf(assignees)}${refused === "starter_may_not_answer" ? "  not of whoever started the run" : ""}`;

/** `--answer Approve=yes` */
export const answerWord = ({ node, options }: Pick<WaitingFor, "node" | "options">): string =>
  `--answer ${shellWord(visible(`${node}=${options?.[0] ?? "…"}`), PLAIN)}`;

/** A question on one line: `  Send it?  (approve, reject)`. */
export function askedText({ prompt, options }: Waiting): string {
  const question = prompt === "" ? "" : `  ${visible(prompt)}`;
  return options === null ? question : `${question}  (${options.map(visible).join(", ")})`;
}

/** Words that need no quotes, also with the `…` that stands for an answer. */
const PLAIN = /^[\w.,:=@%/+\u2026-]+$/u;
