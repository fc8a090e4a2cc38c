import { createPaint, type Paint } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import { choicesOf } from "../../compiler/types/field-type.js";
import type {
  AnyGraph,
  AsleepData,
  Json,
  Result,
  RunOptions,
  StateData,
} from "../../runtime/graph/contract/contract.js";
import { LONGEST_MS } from "../../runtime/graph/drive/scope.js";
import { asleepIn } from "../../runtime/graph/suspend/names-inside.js";
import { problemOf } from "../../runtime/runs/answers.js";
import type { Context, Lines } from "../process/context.js";

/** A person can answer when stdin and stderr are terminals, and this is no build server. */
export function canAsk({ stdin, stderr, quiet, env }: Context): boolean {
  const { CI: ci = "" } = env;
  const isServer = ci !== "" && ci !== "0" && ci !== "false";
  return stdin.openLines !== undefined && !quiet && !isServer && stderr.isTerminal() && stdin.isTerminal();
}

/** Runs a graph, and asks a person at once for the answers that it waits for: those of `mine`. */
export async function runWithAnswers(
  graph: AnyGraph,
  state: StateData,
  options: RunOptions,
  asker: Asker | null,
  { signal, mine }: { readonly signal: AbortSignal; readonly mine: Mine },
): Promise<Result<StateData>> {
  let result = await graph.run(state, options);
  while (result.status === "suspended" && asker !== null) {
    const questions = mine(asleepIn(result.checkpoint));
    const answers = questions.length === 0 ? null : await asker.ask(questions, {}, signal);
    if (answers === null) break;
    result = await graph.resume(result.checkpoint, answers, options);
  }
  return result;
}

/** The questions among others that whoever types may answer. */
export type Mine = (questions: readonly Question[]) => readonly Question[];

/** A wait that has no answer yet. */
export type Question = Pick<AsleepData, "node" | "spec" | "until">;
type Answers = { readonly [node: string]: Json };

/** All questions share one line editor, so that lines typed in advance are not lost. */
export interface Asker {
  /** The answers that a run waits for; null when the person stopped. */
  readonly ask: (
    questions: readonly Question[],
    known: Answers,
    signal: AbortSignal,
  ) => Promise<Answers | null>;
  /** Asks for one of these words, in place of the questions that are open. Null when the person stopped. */
  readonly choose: (
    title: string,
    prompt: string,
    words: readonly string[],
    signal: AbortSignal,
  ) => Promise<string | null>;
  readonly close: () => void;
}

/** Null when there is nobody to ask. */
export function createAsker(context: Context): Asker | null {
  if (!canAsk(context)) return null;
  const { stdin, stderr, color } = context;
  const paint = createPaint(color(stderr));
  let lines: Lines | null = null;
  const giveWay = new AbortController();
  let open: Promise<unknown> = Promise.resolve();
  const askNow = async (waiting: Question, signal: AbortSignal): Promise<string | typeof OVERDUE | null> => {
    lines ??= (await stdin.openLines?.()) ?? null;
    return lines === null ? null : askOne(lines, waiting, paint, signal, stderr.write);
  };
  const askAll = async (questions: readonly Question[], known: Answers, stop: AbortSignal) => {
    const answers: { [node: string]: Json } = {};
    for (const waiting of questions) {
      if (Object.hasOwn(known, waiting.node)) continue;
      const answer = await askNow(waiting, stop);
      if (answer === null) return null;
      if (answer !== OVERDUE) answers[waiting.node] = answer;
    }
    return answers;
  };
  return {
    ask: (questions, known, signal) => {
      const asked = askAll(questions, known, AbortSignal.any([signal, giveWay.signal]));
      open = asked.catch(() => {});
      return asked;
    },
    choose: async (node, prompt, options, signal) => {
      giveWay.abort();
      await open;
      const answer = await askNow({ node, spec: { prompt, options }, until: null }, signal);
      return answer === OVERDUE ? null : answer;
    },
    close: () => lines?.close(),
  };
}

/** The time for the answer is over, so the node continues without one. */
const OVERDUE = Symbol("overdue");

/** A timer that is too long fires at once. */
const timeLeft = (until: number): number => Math.min(Math.max(0, until - Date.now()), LONGEST_MS);

async function askOne(
  lines: Lines,
  waiting: Question,
  paint: Paint,
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<string | typeof OVERDUE | null> {
  say(questionText(waiting, paint));
  const time = waiting.until === null ? null : AbortSignal.timeout(timeLeft(waiting.until));
  const stop = time === null ? signal : AbortSignal.any([signal, time]);
  for (;;) {
    const typed = await lines.ask("> ", stop);
    if (typed === null) return time?.aborted === true && !signal.aborted ? OVERDUE : null;
    const answer = chosen(typed, waiting);
    const problem = problemOf(waiting, answer);
    if (problem === null) return answer;
    say(`${paint("warning", visible(problem))}\n`);
  }
}

function questionText(waiting: Question, paint: Paint): string {
  const { node, spec } = waiting;
  const [first = "", ...rest] = (spec.prompt ?? "").split(/\r\n|\n|\r/).map(visible);
  const head = `${paint("strong", `? ${visible(node)}`)}${first === "" ? "" : `  ${first}`}`;
  const choices = optionsOf(waiting).map(
    (option, index) => `  ${paint("help", `${index + 1})`)} ${visible(option)}`,
  );
  return `${[head, ...rest.map((line) => `  ${line}`), ...choices].join("\n")}\n`;
}

const optionsOf = ({ spec: { options, type } }: Question): readonly string[] => options ?? choicesOf(type);

/** A choice may be named by its number, unless that is itself one of the choices. */
function chosen(typed: string, waiting: Question): string {
  const options = optionsOf(waiting);
  const word = typed.trim();
  if (options.some((option) => option === word)) return typed;
  return /^\d{1,4}$/.test(word) ? (options[Number(word) - 1] ?? typed) : typed;
}
