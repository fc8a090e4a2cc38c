import { resolve } from "node:path";
import { quoted } from "../../compiler/diagnostics/visible.js";
import type { Json } from "../../compiler/ir.js";
import { isReserved } from "../../runtime/graph/values/values.js";
import { createGivenCheck, readInput } from "../../runtime/runs/given.js";
import type { GivenProblem } from "../../runtime/runs/given-error.js";
import { modelOf } from "../../runtime/workflows/definition-model.js";
import { openFile, readPieces } from "../../runtime/workflows/open-file.js";
import type { OpenedGraph } from "../../runtime/workflows/open-graph.js";
import { UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";

type State = { readonly [field: string]: Json };

/** `--input` overrides `--state`. All problems are reported together. */
export async function readGivenState(
  context: Context,
  { ir, checkGiven }: OpenedGraph,
  given: Given,
): Promise<State> {
  const state: { [field: string]: Json } = { ...(await readState(context, given.text("state"))) };
  const problems = readInputs(ir, given, state);
  const checked = checkGiven(state);
  for (const { message, help } of checked.unknown)
    context.note(help === null ? message : `${message}: ${help}`);
  refuseAll(context, problems, checked.problems);
  return state;
}

/** A module also knows the input types that only the code of agents declares. Text is converted to them. */
export function givenToModule(
  context: Context,
  { ir, graph }: OpenedGraph,
  given: Given,
  state: State,
): State {
  const open = new Set(ir.fields.flatMap(({ name, checks }) => (checks.length === 0 ? [name] : [])));
  const model = modelOf(graph.definition, ir.file);
  const converted: { [field: string]: Json } = { ...state };
  const problems = readInputs(model, given, converted, open);
  const unfit = createGivenCheck(model)(converted).problems.filter(({ field }) => open.has(field));
  refuseAll(context, problems, unfit);
  return converted;
}

/** Reads `--input` into a state, the fields of `wanted` alone, and answers what cannot be read. */
function readInputs(
  model: Parameters<typeof readInput>[0],
  given: Given,
  state: { [field: string]: Json },
  wanted?: ReadonlySet<string>,
): readonly GivenProblem[] {
  return given
    .list("input")
    .map(pairOf)
    .flatMap(([name, text]) => {
      if (isReserved(name)) throw new UsageError(`${quoted(name)} cannot be the name of a field`);
      if (wanted?.has(name) === false) return [];
      const read = readInput(model, name, text);
      if ("problem" in read) return [read.problem];
      state[name] = read.value;
      return [];
    });
}

/** Reports all problems but the last, which is thrown; what could not be read is told once. */
function refuseAll(context: Context, unread: readonly GivenProblem[], unfit: readonly GivenProblem[]): void {
  const told = new Set(unread.map(({ field }) => field));
  const problems = [...unread, ...unfit.filter(({ field }) => !told.has(field))];
  const last = problems.at(-1);
  if (last === undefined) return;
  for (const { message, help } of problems.slice(0, -1)) context.fail(message, help);
  throw new UsageError(last.message, last.help);
}

function pairOf(pair: string): readonly [name: string, text: string] {
  const cut = pair.indexOf("=");
  if (cut < 1) throw new UsageError(`--input takes name=value, not ${quoted(pair)}`);
  return [pair.slice(0, cut), pair.slice(cut + 1)];
}

async function readState(context: Context, text: string | null): Promise<State> {
  if (text === null) return {};
  const { json, from } = await stateText(context, text);
  let state: unknown;
  try {
    state = JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${from} is no JSON: ${(error as Error).message}`);
  }
  if (typeof state !== "object" || state === null || Array.isArray(state))
    throw new UsageError(`${from} must be a JSON object of values by field`);
  return state as State;
}

async function stateText({ stdin, cwd }: Context, text: string) {
  if (text !== "-" && !text.startsWith("@")) return { json: text, from: "--state" };
  const path = text.slice(1);
  if (text === "@") throw new UsageError("--state @ names no file", "write the file's path behind the @");
  const from = text === "-" ? "standard input" : path;
  const opened = text === "-" ? await readPieces(stdin.chunks()) : openFile(resolve(cwd, path));
  if (opened.kind === "bytes") return { json: textOf(opened.bytes, from), from };
  throw new UsageError(`cannot open ${from}: ${opened.kind === "failed" ? opened.why : "it is too large"}`);
}

function textOf(bytes: Uint8Array, from: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${from} is not UTF-8 text`);
  }
}
