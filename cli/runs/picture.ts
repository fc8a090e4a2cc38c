import { columnsOf } from "../../compiler/diagnostics/layout.js";
import type { Paint } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { SetValues } from "../../runtime/durable/legs/kept-options.js";
import { aboutOf } from "../../runtime/durable/legs/open-wait.js";
import { otherContract } from "../../runtime/durable/legs/other-contract.js";
import type { FullRun, WaitRow } from "../../runtime/durable/rows.js";
import type { Json } from "../../runtime/graph/contract/contract.js";
import { seenOf } from "../../runtime/runs/describe-run.js";
import type { WorkflowResult } from "../../runtime/runs/result.js";
import { answerWord, askedOf, askedText } from "../run/outcome.js";
import { mayAnswer } from "../run/own-questions.js";
import { shellWord } from "../shell-word.js";
import { dueText, heldText } from "./held-text.js";
import { statusPaint } from "./list.js";
import { answererText, answerOf } from "./people.js";
import { elapsedText, momentText, untilText } from "./time-text.js";
import { type Visit, waitOf } from "./visits.js";

/** What a picture of a run shows. */
export interface Shown {
  readonly run: FullRun;
  readonly visits: readonly Visit[];
  readonly waits: readonly WaitRow[];
  /** What a fork has set, without secrets. */
  readonly set: readonly SetValues[];
  /** Of a run that has ended. */
  readonly result: WorkflowResult | null;
  readonly hasWorkers: boolean;
}

export interface Look {
  readonly paint: Paint;
  readonly width: number;
}

const GAP = "  ";
/** The place of a number, and of what follows it. */
const MARGIN = 2;
const LONGEST_NAME = 28;
const SHORTEST_NAME = 18;
const GOOD_TEXT = 26;
const LEAST_TEXT = 14;
/** Beside attempts, or the name of who answered. */
const LEAST_WITH_TAIL = 8;
const OUTCOMES: { readonly [outcome: string]: string } = {
  success: "ok",
  failure: "failed",
  thrown: "threw",
  waiting: "waits",
};

/** Who, what and when: as many facts on a line as there is room for. */
export function headLines({ run, result }: Shown, { paint, width }: Look): readonly string[] {
  const took = run.ended === null ? null : (result?.durationMs ?? run.worked);
  const sheet = run.sheet === null ? "" : `${visible(run.sheet)}@`;
  const facts = [
    run.runId,
    visible(run.graph),
    run.status,
    `${sheet}${run.version.slice(0, 4)}`,
    run.started !== null && `started ${momentText(run.started)}`,
    dueText({ ...run, hasBegun: run.started !== null }) ?? (false as const),
    took !== null && `took ${elapsedText(took)}`,
    run.recoveries > 0 && counted(run.recoveries, "recovery", "recoveries"),
    run.startedBy !== null && `by ${visible(run.startedBy)}`,
    run.key !== null && `key ${visible(run.key)}`,
    run.parent !== null && `forked from ${run.parent.runId.slice(0, 8)} at ${visible(run.parent.at)}`,
    run.deadline !== null && `deadline ${momentText(run.deadline)}`,
  ].filter((fact) => fact !== false);
  const paints = new Map([
    [run.runId, paint("strong", run.runId)],
    [run.status as string, paint(statusPaint(run.status), run.status)],
  ]);
  return inLines(facts, paints, width);
}

function inLines(
  facts: readonly string[],
  paints: ReadonlyMap<string, string>,
  width: number,
): readonly string[] {
  const lines: string[] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const plain of facts) {
    const painted = paints.get(plain) ?? plain;
    const size = columnsOf(plain);
    const isNew = used + GAP.length + size > width;
    if (isNew) lines.push(lines.length === 0 ? painted : GAP + painted);
    else lines[lines.length - 1] += GAP + painted;
    used = isNew ? size + (lines.length === 1 ? 0 : GAP.length) : used + GAP.length + size;
  }
  return lines;
}

const counted = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`;

interface Row {
  readonly number: string;
  readonly name: string;
  readonly clock: string;
  readonly took: string;
  readonly outcome: string;
  readonly text: string;
  /** What is never cut: attempts, and who answered. */
  readonly tail: string;
}

/** One line for each visit. `from` is how many were shown before. */
export function visitLines(
  { run, visits, waits }: Shown,
  { paint, width }: Look,
  from = 0,
): readonly string[] {
  const rows = visits.slice(from).map((visit, at) => rowOf(visit, from + at + 1, run, waits));
  const size = (key: keyof Row): number => Math.max(0, ...rows.map((row) => columnsOf(row[key])));
  const [number, clock, took, outcome] = [size("number"), size("clock"), size("took"), size("outcome")];
  const left = width - (MARGIN + number + 1 + clock + took + outcome + 4 * GAP.length);
  // Long names give way to what the visits say.
  const name = Math.min(size("name"), LONGEST_NAME, Math.max(SHORTEST_NAME, left - GOOD_TEXT));
  const room = Math.max(LEAST_TEXT, left - name);
  return rows.map((row) => {
    const cells = [
      `${" ".repeat(MARGIN)}${row.number.padStart(number)} ${fill(cut(row.name, name), name)}`,
      paint("quiet", fill(row.clock, clock)),
      row.took.padStart(took),
      outcomePaint(paint, row.outcome, fill(row.outcome, outcome)),
    ];
    const text = cut(row.text, Math.max(LEAST_WITH_TAIL, room - columnsOf(row.tail)));
    return `${cells.join(GAP)}${GAP}${text}${row.tail}`.trimEnd();
  });
}

function rowOf(visit: Visit, number: number, run: FullRun, waits: readonly WaitRow[]): Row {
  const { began, took, outcome } = visit;
  const isOver = outcome !== "waiting" && outcome !== "at work";
  return {
    ...{ number: `${number}`, name: nameOf(visit), clock: clockText(began, run.started ?? run.created) },
    took: isOver ? elapsedText(took) : "",
    outcome: OUTCOMES[outcome] ?? outcome,
    ...{ text: textOf(visit, waits), tail: tailOf(visit, waits) },
  };
}

/** `branch 2 Notify`, `Draft #3`; nodes of a called graph are indented, without the name of the caller. */
function nameOf({ label: own, number, branch, depth }: Visit): string {
  const label = branch.length === 0 ? "" : `branch ${branch.map((index) => index + 1).join(".")} `;
  return `${GAP.repeat(depth)}${label}${visible(own)}${number > 1 ? ` #${number}` : ""}`;
}

function textOf(visit: Visit, waits: readonly WaitRow[]): string {
  const wait = visit.outcome === "waiting" ? waitOf(visit, waits) : undefined;
  if (wait === undefined) return oneLine(visit.error) ?? writesText(visit.writes);
  const question = askedText({ ...wait.waiting, type: null }).trim();
  return `${question}${askedOf(aboutOf(wait).assignees)}${untilText(wait.until)}`;
}

function tailOf(visit: Visit, waits: readonly WaitRow[]): string {
  const attempts = visit.attempts > 1 ? ` (${visit.attempts} attempts)` : "";
  const answerer = answererText(visit, waits);
  return `${attempts}${answerer === "" ? "" : `${GAP}${answerer}`}`;
}

const oneLine = (text: string | null): string | null =>
  text === null ? null : visible(text.split("\n", 1)[0]!);

function writesText(writes: Json): string {
  if (writes === null || typeof writes !== "object") return "";
  return Object.entries(writes)
    .map(([field, value]) => `${visible(field)} = ${visible(JSON.stringify(value))}`)
    .join(", ");
}

function outcomePaint(paint: Paint, outcome: string, text: string): string {
  if (outcome === "threw" || outcome === "failed") return paint("error", text);
  return outcome === "waits" ? paint("warning", text) : text;
}

const ERASED = "the values were erased when the run ended";

/** What became of it, and what may be done next. */
export function footLines(
  { run, waits, set, result, hasWorkers }: Shown,
  { paint, width }: Look,
): readonly string[] {
  const id = run.runId.slice(0, 8);
  const rows: [word: string, text: string][] = [];
  if (run.status === "completed" && result !== null)
    rows.push(["state", run.isErased ? ERASED : cut(writesText(result.state as Json), width - 7)]);
  if (run.held !== null) rows.push([run.status === "stuck" ? "stuck" : "held", heldText(run.held)]);
  if (result?.error) rows.push(["error", failureText(result.error)]);
  for (const { node, visit, values } of set)
    rows.push(["set", cut(`${writesText(values as Json)}  before ${visible(node)}#${visit}`, width - 7)]);
  const next = nextCommands({ run, waits, result, hasWorkers }, id);
  if (next.length > 0) rows.push(["next", nextText(next, width - 7)]);
  return rows.map(([word, text]) => `${paint(word === "error" ? "error" : "help", word.padEnd(5))}  ${text}`);
}

function failureText({ code, node, message, file, line }: NonNullable<WorkflowResult["error"]>): string {
  const at = node === null ? "" : ` at ${visible(node)}`;
  const place = file === null ? "" : `  ${visible(file)}${line === null ? "" : `:${line}`}`;
  return `${code}${at}: ${visible(message)}${place}`;
}

/** On one line where there is room, else one below the other. */
function nextText(commands: readonly string[], room: number): string {
  const line = commands.join("   ·   ");
  return columnsOf(line) <= room ? line : commands.join(`\n${" ".repeat(7)}`);
}

function nextCommands(
  { run, waits, result, hasWorkers }: Pick<Shown, "run" | "waits" | "result" | "hasWorkers">,
  id: string,
): readonly string[] {
  const { status, deadline, userId } = run;
  if (status === "failed" || status === "cancelled" || status === "stuck") {
    const node = result?.error?.node ?? null;
    const fork = node === null ? [] : [`flowsheet runs fork ${id} --from ${shellWord(visible(node), PLAIN)}`];
    return [`flowsheet runs retry ${id}`, ...fork];
  }
  const open = waits.filter(({ ending, until }) => ending === null && !isPast(until) && !isPast(deadline));
  // An answer would come too late: a worker ends the wait.
  const isLeftToWorkers = status === "queued" || (status === "waiting" && open.length === 0);
  if (isLeftToWorkers) return hasWorkers || otherContract(run) !== null ? [] : ["flowsheet work"];
  if (status !== "waiting") return [];
  const mine = open.filter((wait) => mayAnswer(wait, userId));
  return mine.length === 0
    ? []
    : [`flowsheet resume ${id} ${mine.map(({ waiting }) => answerWord(waiting)).join(" ")}`];
}

const isPast = (time: number | null): boolean => time !== null && time <= Date.now();

/** Words that need no quotes, also with the `…` that stands for an answer. */
const PLAIN = /^[\w.,:=@%/+\u2026-]+$/u;

/** A visit in full. */
export function visitText(visit: Visit, waits: readonly WaitRow[], { paint }: Look): string {
  const { node, number, outcome, began } = visit;
  const name = `${visible(node)}#${number}`;
  const took = outcome === "waiting" ? "" : `  ${elapsedText(visit.took)}`;
  const head = `${paint("strong", name)}  ${momentText(began)}${took}  ${OUTCOMES[outcome] ?? outcome}`;
  const several = visit.calls.length > 1;
  const calls = visit.calls.flatMap((call, at) => {
    const { inputs, prompt, cut } = seenOf(call);
    const title = several
      ? [`  ${paint("quiet", `call ${at + 1}: ${OUTCOMES[call.outcome] ?? call.outcome}`)}`]
      : [];
    return [
      ...title,
      ...block("inputs", inputs),
      ...block("prompt", prompt),
      ...(cut.length === 0 ? [] : [`  only the beginning is kept of ${visible(cut.join(", "))}`]),
      ...block("output", call.writes),
      ...block("error", call.error),
    ];
  });
  const answer = answerOf(visit, waits);
  const at = answer?.endedAt == null ? "" : `  ${momentText(answer.endedAt)}`;
  const answered = answer === undefined ? [] : [`  answered ${answererText(visit, waits)}${at}`];
  return `${[head, ...calls, ...answered].join("\n")}\n`;
}

function block(title: string, value: Json): readonly string[] {
  if (value === null || (typeof value === "object" && Object.keys(value).length === 0)) return [];
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return [`  ${title}`, ...text.split("\n").map((line) => `    ${visible(line)}`)];
}

const fill = (text: string, size: number): string => text + " ".repeat(Math.max(0, size - columnsOf(text)));

function cut(text: string, room: number): string {
  if (columnsOf(text) <= room) return text;
  const letters = [...text];
  while (columnsOf(letters.join("")) > room - 1) letters.length -= Math.max(1, letters.length - room);
  return `${letters.join("")}…`;
}

const iso = (time: number): string => new Date(time).toISOString();

/** The clock, and the day when it is another one than that of the start. */
function clockText(time: number, start: number): string {
  const isSameDay = iso(time).slice(0, 10) === iso(start).slice(0, 10);
  return isSameDay ? iso(time).slice(11, 19) : iso(time).slice(5, 16).replace("T", " ");
}
