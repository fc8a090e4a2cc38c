import { resolve } from "node:path";
import type { Json } from "../../compiler/ir.js";
import { isReserved } from "../../runtime/graph/values.js";
import { readInput } from "../../runtime/runs/given.js";
import type { GivenProblem } from "../../runtime/runs/given-error.js";
import type { OpenedGraph } from "../../runtime/workflows/open-graph.js";
import { openSheet, readPieces } from "../../runtime/workflows/open-sheet.js";
import type { Context } from "../context.js";
import { UsageError } from "../failure.js";
import type { Given } from "../verbs.js";

type State = { readonly [field: string]: Json };

/** What `--state` and `--input` give; the second beats the first. All that is wrong with it is said. */
export async function readGivenState(
  context: Context,
  { ir, checkGiven }: OpenedGraph,
  given: Given,
): Promise<State> {
  const state: { [field: string]: Json } = { ...(await readState(context, given.text("state"))) };
  const problems: GivenProblem[] = [];
  for (const pair of given.list("input")) {
    const cut = pair.indexOf("=");
    if (cut < 1) throw new UsageError(`--input takes name=value, not ${JSON.stringify(pair)}`);
    const name = pair.slice(0, cut);
    if (isReserved(name)) throw new UsageError(`${JSON.stringify(name)} cannot be the name of a field`);
    const read = readInput(ir, name, pair.slice(cut + 1));
    if ("value" in read) state[name] = read.value;
    else problems.push(read.problem);
  }
  const checked = checkGiven(state);
  for (const { message, help } of checked.unknown)
    context.note(help === null ? message : `${message}: ${help}`);
  const told = new Set(problems.map(({ field }) => field));
  const all = [...problems, ...checked.problems.filter(({ field }) => !told.has(field))];
  const last = all.pop();
  if (last === undefined) return state;
  for (const { message, help } of all) context.fail(message, help);
  throw new UsageError(last.message, last.help);
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

interface StateText {
  readonly json: string;
  readonly from: string;
}

async function stateText({ stdin, cwd }: Context, text: string): Promise<StateText> {
  if (text !== "-" && !text.startsWith("@")) return { json: text, from: "--state" };
  const path = text.slice(1);
  if (text === "@") throw new UsageError("--state @ names no file", "write the file's path behind the @");
  const from = text === "-" ? "standard input" : path;
  const opened = text === "-" ? await readPieces(stdin.chunks()) : openSheet(resolve(cwd, path));
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
