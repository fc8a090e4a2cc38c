import { jsonText } from "../../compiler/diagnostics/json-text.js";
import type { Paint } from "../../compiler/diagnostics/paint.js";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import { fitting } from "../../runtime/debug/answers.js";
import { isNamed, type NodeNames } from "../../runtime/debug/node-names.js";
import { safeView } from "../../runtime/debug/views.js";
import type {
  Ask,
  Json,
  NodeEnd,
  RunEvent,
  StateData,
  Stop,
  WaitingFor,
} from "../../runtime/graph/contract/contract.js";
import { redactData } from "../../runtime/graph/tell/redact.js";
import { COMMANDS_HELP, type Command, parseCommand } from "./command.js";
import type { CommandLines } from "./command-lines.js";
import {
  branchText,
  type Change,
  changeText,
  headText,
  inputsText,
  lineText,
  type Marks,
  outcomeText,
  questionText,
  stateText,
} from "./texts.js";

export interface DebuggerParts {
  readonly lines: CommandLines;
  readonly say: (text: string) => void;
  readonly paint: Paint;
  readonly redact: (text: string) => string;
  readonly names: NodeNames;
  readonly agentOf: (stop: Stop) => string;
  /** The fields that the sheet knows. */
  readonly fields: ReadonlySet<string>;
  /** Stops `continue`; the debugger adds to it and takes away. */
  readonly breaks: Set<string>;
  /** Aborted when the run is over or is to be. */
  readonly signal: AbortSignal;
  /** Ends the run; `why` says whether somebody wanted that. */
  readonly end: (why: "quit" | "out of commands") => void;
}

/** Makes a debugger: it stops before each visit, and does what its commands say. */
export function createDebugger(parts: DebuggerParts) {
  const session = createSession(parts);
  const ask: Ask = (waiting, _signal, problemOf) => askFor(session, waiting, problemOf);
  return {
    pause: (stop: Stop): Promise<void> => pause(session, stop),
    on: (event: RunEvent): void => take(session, event),
    ask,
    /** The number of failed commands. A wrong answer is asked for again, so only the last one counts. */
    refused: (): number => session.refused,
  };
}

type Session = ReturnType<typeof createSession>;

const createSession = (parts: DebuggerParts) => ({
  ...parts,
  again: "next" as "next" | "continue",
  isStepping: true,
  path: [] as string[],
  /** The states that visits under way began with, by node and visit. */
  before: new Map<string, StateData>(),
  marks: new Map() as Marks,
  stop: null as Stop | null,
  refused: 0,
});

const keyOf = ({ node, visit }: { readonly node: string; readonly visit: number }): string =>
  `${node}|${visit}`;

async function pause(session: Session, stop: Stop): Promise<void> {
  const { say, paint, breaks, before, path } = session;
  session.stop = stop;
  path.push(stop.node);
  say(`\n${headText(stop, session.agentOf(stop), paint)}`);
  if (session.isStepping || isNamed(breaks, stop)) {
    say(inputsText(safeView(stop, session.redact)));
    session.isStepping = true;
    await obey(session, (command) => goOn(session, command));
  }
  before.set(keyOf(stop), stop.look().state);
}

/** Reads commands and does them, until one is taken by `decide`, or there is none. */
async function obey(
  session: Session,
  decide: (command: Command) => boolean,
): Promise<"out of commands" | null> {
  const { lines, signal, say, end } = session;
  for (;;) {
    const line = await lines.next(signal);
    if (signal.aborted) return null;
    if (line === null) {
      end("out of commands");
      return "out of commands";
    }
    if (lines.isScript) say(`> ${visible(line)}\n`);
    const command = parseCommand(line, session.again);
    if (command.kind === "next" || command.kind === "continue") session.again = command.kind;
    if (command.kind === "quit") {
      end("quit");
      return null;
    }
    if (decide(command)) return null;
  }
}

function refuse(session: Session, why: string): void {
  session.refused += 1;
  session.say(lineText(why));
}

/** True for a command that lets the visit go. */
function goOn(session: Session, command: Command): boolean {
  if (command.kind === "next" || command.kind === "continue") {
    session.isStepping = command.kind === "next";
    return true;
  }
  if (command.kind === "answer") refuse(session, 'no node waits here; "next" visits this one');
  else if (command.kind === "set") set(session, command);
  else show(session, command);
  return false;
}

async function askFor(
  session: Session,
  waiting: WaitingFor,
  problemOf: (answer: Json) => string | null,
): Promise<Json> {
  const { say, paint, redact } = session;
  say(questionText({ ...waiting, prompt: redact(waiting.prompt) }, paint));
  let answer: Json | undefined;
  let isMisfit = false;
  const ending = await obey(session, (command) => {
    if (command.kind !== "answer") {
      if (command.kind === "next" || command.kind === "continue" || command.kind === "set")
        refuse(session, `${visible(waiting.node)} waits: answer it first`);
      else show(session, command);
      return false;
    }
    const found = fitting(command.text, problemOf);
    isMisfit = "problem" in found;
    if ("problem" in found) say(lineText(visible(found.problem)));
    else answer = found.value;
    return answer !== undefined;
  });
  // The wrong answer was never corrected.
  if (isMisfit && ending === "out of commands") session.refused += 1;
  // The run is being ended: nobody takes the answer any more.
  return answer ?? null;
}

function set(session: Session, { field, value }: Command & { readonly kind: "set" }): void {
  const { stop, say, paint, fields, marks } = session;
  if (stop === null) return;
  const { state } = safeView(stop, session.redact);
  stop.set(field, value);
  const view = safeView(stop, session.redact);
  const change = changeOf(state, field, view.state[field]);
  session.marks = new Map([...marks, [field, change.mark]]);
  say(lineText(changeText(change, paint)) + inputsText(view));
  if (!fields.has(field) && stop.name === stop.node) {
    const near = suggest(field, fields);
    const help = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
    say(lineText(`no node reads or writes ${JSON.stringify(field)}${help}`));
  }
}

function show(session: Session, command: Command): void {
  const { say, paint, stop, marks } = session;
  if (command.kind === "help")
    say(COMMANDS_HELP.map(([name, meaning]) => lineText(`${name.padEnd(18)}${meaning}`)).join(""));
  else if (command.kind === "problem") refuse(session, visible(command.message));
  else if (command.kind === "state" && stop !== null) {
    const { state } = safeView(stop, session.redact);
    if (command.field === null) say(stateText(state, marks, paint));
    else if (Object.hasOwn(state, command.field)) say(jsonText(state[command.field]));
    else say(lineText(`${JSON.stringify(command.field)} is not set`));
  } else if (command.kind === "where" && stop !== null) say(whereText(session, stop));
  else if (command.kind === "break") addBreak(session, command.node);
  else if (command.kind === "clear") clearBreak(session, command.node);
}

function clearBreak(session: Session, node: string | null): void {
  const { breaks, say } = session;
  if (node === null) breaks.clear();
  else if (!breaks.delete(node)) {
    refuse(session, `there is no break at ${JSON.stringify(node)}`);
    return;
  }
  say(lineText(breaksText(breaks)));
}

function addBreak(session: Session, node: string | null): void {
  const { breaks, names, say } = session;
  if (node !== null && names.isKnown(node)) breaks.add(node);
  if (node === null || names.isKnown(node)) say(lineText(breaksText(breaks)));
  else {
    const near = names.meant(node);
    const help = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
    refuse(session, `no node is called ${JSON.stringify(node)}${help}`);
  }
}

const breaksText = (breaks: ReadonlySet<string>): string =>
  `breaks  ${breaks.size === 0 ? "none" : [...breaks].map(visible).join(", ")}`;

const LAST = 20;

function whereText({ path, breaks }: Session, { step, node, visit, graph, branch }: Stop): string {
  const last = path.slice(-LAST).map(visible).join(" > ");
  const lines = [
    `node    ${visible(node)}, visit ${visit}, step ${step}`,
    `graph   ${visible(graph.name)}`,
    ...(branch.length === 0 ? [] : [`branch  ${branchText(branch)}`]),
    `path    ${path.length > LAST ? "… > " : ""}${last}`,
    breaksText(breaks),
  ];
  return lines.map(lineText).join("");
}

function take(session: Session, event: RunEvent): void {
  const { say, paint } = session;
  if (event.type === "node_retry")
    say(lineText(`${paint("warning", `attempt ${event.attempt} failed`)}: ${visible(event.error)}`));
  if (event.type !== "node_end" || session.signal.aborted) return;
  const changes = changesOf(session, event);
  session.marks = new Map(changes.map(({ field, mark }) => [field, mark]));
  // After a sub-graph, the lines above belong to another node.
  if (session.stop !== null && keyOf(session.stop) !== keyOf(event))
    say(`\n${event.step}. ${paint("strong", visible(event.node))}  is done\n`);
  say(outcomeText(event, changes, paint));
}

function changesOf({ before, redact }: Session, event: NodeEnd): readonly Change[] {
  const state = redactData(before.get(keyOf(event)) ?? {}, redact) as StateData;
  before.delete(keyOf(event));
  const { writes = {}, error, outcome, next } = event;
  const isTold = error !== null && (outcome === "failure" || (outcome === "thrown" && next !== undefined));
  const all: StateData = isTold ? { ...writes, error } : writes;
  return Object.keys(all).map((field) => changeOf(state, field, all[field]));
}

function changeOf(state: StateData, field: string, after: unknown): Change {
  const before = state[field];
  if (before === undefined) return { mark: "+", field, before, after };
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  return { mark: isSame ? "=" : "~", field, before, after };
}
