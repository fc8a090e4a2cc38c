import { type Understanding, understandSheet } from "../../compiler/compile.js";
import type { Json } from "../../compiler/ir.js";
import type { StateData } from "../../runtime/graph/contract.js";
import { checkGiven, type GivenProblem, readInput } from "../../runtime/runs/given.js";
import { type OpenedGraph, openGraph, WorkflowError } from "../../runtime/workflows/open-graph.js";
import type { Context } from "../context.js";
import { EXIT, UsageError } from "../failure.js";
import { openProject, sheetsToRead } from "../project.js";
import { writeFindings } from "../report.js";
import { createProgress } from "../run/progress.js";
import { formatResult } from "../run/result.js";
import { readInput as readStandardInput } from "../sheets/open.js";
import { readSheet } from "../sheets/read.js";
import type { Given } from "../verbs.js";
import { createWorlds } from "../world.js";

/** `flowsheet run`: runs a graph of a sheet. */
export async function run(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const opened = await open(context, operands, given);
  if (typeof opened === "number") return opened;
  const state = await givenState(context, opened, given);
  const progress = given.flag("json") || context.quiet ? null : createProgress(context);
  const result = await opened.graph.run(state, {
    ...(progress === null ? {} : { on: progress }),
    ...limit(given, "timeout", "timeoutMs"),
    ...limit(given, "maxSteps", "maxSteps"),
  });
  context.stdout.write(formatResult(result, opened, given.flag("json")));
  if (result.status === "suspended") return EXIT.suspended;
  return result.status === "completed" ? EXIT.done : EXIT.findings;
}

function limit(
  given: Given,
  option: string,
  name: "timeoutMs" | "maxSteps",
): { readonly timeoutMs?: number; readonly maxSteps?: number } {
  const text = given.text(option);
  if (text === null) return {};
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new UsageError(`--${option} must be a whole number, 1 or more`);
  return { [name]: value };
}

/** Reads the sheet and links its graph; an exit code when that is not possible. */
async function open(
  context: Context,
  operands: readonly string[],
  given: Given,
): Promise<OpenedGraph | number> {
  const folders = openProject(context);
  const sheets = await sheetsToRead(context, folders, { operands, csv: given.list("csv") });
  const [sheet, ...others] = sheets;
  if (sheet === undefined || others.length > 0)
    throw new UsageError(`run takes one sheet, not ${sheets.length}`);
  const { env, encoding } = context;
  const world = createWorlds({ folders, env, encoding, sheets, unknownAgent: "error" })(sheet);
  const content = await readSheet(sheet, context);
  if (content === null) return EXIT.usage;
  const source = { file: sheet.shown, ...(encoding === null ? {} : { encoding }) };
  const understanding =
    content.kind === "too-large"
      ? content.understanding
      : understandSheet({ ...source, bytes: content.bytes }, world);
  try {
    const opened = await openGraph(understanding, given.text("graph"), folders);
    if (!given.flag("generated")) return opened;
    const { openGenerated } = await import("../../runtime/workflows/open-generated.js");
    return { ...opened, graph: await openGenerated(opened.ir, folders) };
  } catch (error) {
    if (error instanceof WorkflowError) return refuse(context, understanding, error);
    throw error;
  }
}

async function refuse(
  context: Context,
  { file, sheet }: Understanding,
  { code, message, help, diagnostics }: WorkflowError,
): Promise<number> {
  if (code !== "workflow_invalid") throw new UsageError(message, help);
  const sources = new Map([[file, sheet?.text ?? ""]]);
  await writeFindings({ diagnostics, sources, graphs: [] }, "text", { context, output: context.stderr });
  return EXIT.findings;
}

/** What `--state` and `--input` give; the second beats the first. Checked before anything is run. */
async function givenState(context: Context, { ir }: OpenedGraph, given: Given): Promise<StateData> {
  const state: { [field: string]: Json } = { ...(await readState(context, given.text("state"))) };
  const problems: GivenProblem[] = [];
  for (const pair of given.list("input")) {
    const cut = pair.indexOf("=");
    if (cut < 1) throw new UsageError(`--input takes name=value, not ${JSON.stringify(pair)}`);
    const name = pair.slice(0, cut);
    const read = readInput(ir, name, pair.slice(cut + 1));
    if ("value" in read) state[name] = read.value;
    else problems.push(read.problem);
  }
  const checked = checkGiven(ir, state);
  for (const { message, help } of checked.unknown)
    context.note(help === null ? message : `${message}: ${help}`);
  const [first, ...rest] = [...problems, ...checked.problems];
  if (first === undefined) return state;
  for (const { message, help } of rest.reverse()) context.fail(message, help);
  throw new UsageError(first.message, first.help);
}

async function readState(context: Context, text: string | null): Promise<StateData> {
  if (text === null) return {};
  const { json, from } = await stateText(context, text);
  let state: unknown;
  try {
    state = JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${from} is no JSON: ${(error as Error).message}`);
  }
  if (typeof state !== "object" || state === null || Array.isArray(state))
    throw new UsageError(`${from} must be a JSON object`);
  return state as StateData;
}

async function stateText(
  context: Context,
  text: string,
): Promise<{ readonly json: string; readonly from: string }> {
  if (text === "-") {
    const opened = await readStandardInput(context.stdin);
    if (opened.kind !== "bytes") throw new UsageError("the state on standard input is too large");
    return { json: new TextDecoder().decode(opened.bytes), from: "standard input" };
  }
  if (!text.startsWith("@")) return { json: text, from: "--state" };
  const { openSheet } = await import("../sheets/open.js");
  const { resolve } = await import("node:path");
  const opened = openSheet(resolve(context.cwd, text.slice(1)));
  if (opened.kind !== "bytes")
    throw new UsageError(`cannot open ${text.slice(1)}`, opened.kind === "failed" ? opened.why : null);
  return { json: new TextDecoder().decode(opened.bytes), from: text.slice(1) };
}
