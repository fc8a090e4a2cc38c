import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { customType } from "../../compiler/agent-name.js";
import type { Understanding } from "../../compiler/compile.js";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import {
  type AgentName,
  type AgentPlan,
  planAgent,
  planGenericAgent,
  type UsingNode,
} from "../../compiler/scaffold/agent-plan.js";
import { findAgents } from "../../runtime/agents/custom/find.js";
import type { Folders } from "../../runtime/config/folders.js";
import { projectSheets } from "../../runtime/workflows/find-graph.js";
import { nameFrom, type SheetPath } from "../../runtime/workflows/find-sheets.js";
import { failingAgents } from "../compile/agent-files.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { sourcesOf, tellProblems } from "../report.js";
import { inTheWay, type Place, tellWhatIsLeft, writeAgents } from "../scaffold/agent-files.js";
import { missingAgents, readAgentName, typeOf } from "../scaffold/missing-agents.js";
import { named, stdin } from "../sheets/collect.js";
import { understandFiles } from "../sheets/read.js";

/** `flowsheet scaffold`: agents with the inputs and outputs that the sheet gives them, each with its test. */
export async function scaffold(
  context: Context,
  _operands: readonly string[],
  given: Given,
): Promise<number> {
  const folders = openProject(context);
  const agent = given.text("agent");
  const csv = given.text("csv");
  if (agent === null && csv === null)
    throw new UsageError("nothing says which agent to write", "name it with --agent, or a sheet with --csv");
  const name = agent === null ? null : readAgentName(agent);
  if (name instanceof UsageError) throw name;
  const understood = await understandSheets(context, folders, csv);
  if (csv !== null && (await hasErrors(understood, context))) return EXIT.findings;
  const all = understood.flatMap(usingNodes);
  const place = { out: resolve(context.cwd, given.text("out") ?? folders.agents), folders, context };
  const force = given.flag("force");
  if (name === null) return writeMissing(all, place, force, csv ?? "");
  const plan = planFor(name, all, csv);
  checkElsewhere(plan, place);
  const refusal = force ? null : inTheWay(plan, place);
  if (refusal !== null) throw refusal;
  writeAgents([plan], place, force);
  tellWhatIsLeft(place);
  return EXIT.done;
}

/** Writes the missing agents. An agent that cannot be written is a finding about the sheet. */
function writeMissing(all: readonly UsingNode[], place: Place, force: boolean, csv: string): number {
  const { context, folders } = place;
  const found = new Set(findAgents(folders.agents).map(({ type }) => type));
  const { plans, refusals } = missingAgents(all, found);
  if (plans.length === 0 && refusals.length === 0) {
    context.note(`${csv}: no agent is missing`);
    return EXIT.done;
  }
  const taken = new Map(force ? [] : plans.map((plan) => [plan, inTheWay(plan, place)]));
  const free = plans.filter((plan) => (taken.get(plan) ?? null) === null);
  writeAgents(free, place, force);
  const unwritten = [...refusals, ...taken.values()].filter((refusal) => refusal !== null);
  for (const { message, help } of unwritten) context.fail(message, help);
  if (free.length > 0) tellWhatIsLeft(place);
  return unwritten.length === 0 ? EXIT.done : EXIT.findings;
}

/** The sheet of `--csv`; without it the sheets of the project, as far as they can be read. */
async function understandSheets(
  context: Context,
  folders: Folders,
  csv: string | null,
): Promise<readonly Understanding[]> {
  const { cwd } = context;
  const sheets = csv === null ? sheetsOfProject(cwd, folders) : [csv === "-" ? stdin : named(cwd, csv)];
  return (await understandFiles(context, folders, sheets, { unknownAgent: "warning", failingAgents }))
    .understood;
}

function sheetsOfProject(cwd: string, folders: Folders): readonly SheetPath[] {
  const there = folders.file === null || existsSync(folders.workflows);
  return there ? projectSheets(cwd, folders).sheets : [];
}

/** Says what is wrong with the sheet: an agent is made only of what is right. */
async function hasErrors(understood: readonly Understanding[], context: Context): Promise<boolean> {
  const diagnostics = understood.flatMap((one) =>
    one.diagnostics.filter(({ severity }) => severity === "error"),
  );
  await tellProblems(diagnostics, sourcesOf(understood), context);
  return diagnostics.length > 0;
}

const usingNodes = ({ graphs }: Understanding): readonly UsingNode[] =>
  graphs.flatMap((graph) =>
    graph.nodes.filter(({ agent }) => !agent.builtin).map((node) => ({ graph, node })),
  );

function planFor(name: AgentName, all: readonly UsingNode[], csv: string | null): AgentPlan {
  const using = all.filter((one) => typeOf(one) === customType(name.className));
  if (using.length > 0) return planAgent(name, using);
  if (csv === null) return planGenericAgent(name);
  const known = [...new Set(all.map(({ node }) => node.agent.written))];
  const near = suggest(name.base, known);
  const help = near === null ? "without --csv it is written for any row" : `did you mean ${near}?`;
  throw new UsageError(`no row of ${csv} has the agent ${name.base}`, help);
}

/** Two files with one agent would keep each other from being loaded. */
function checkElsewhere({ name }: AgentPlan, { out, folders, context }: Place): void {
  const target = join(out, `${name.file}.ts`);
  const other = findAgents(folders.agents).find(
    ({ type, file, isSure }) => isSure && type === customType(name.className) && file !== target,
  );
  if (other === undefined) return;
  const file = nameFrom(context.cwd, other.file);
  throw new UsageError(`the agent ${name.base} is already written in ${file}`, "change it there");
}
