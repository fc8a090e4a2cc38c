import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { customType } from "../../compiler/2-analyze/index.js";
import { type Understanding, understandSheet } from "../../compiler/compile.js";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import {
  type AgentName,
  type AgentPlan,
  parseAgentName,
  planAgent,
  planGenericAgent,
  renderAgent,
  takenPaths,
  type UsingNode,
} from "../../compiler/scaffold/index.js";
import { builtinType } from "../../runtime/agents/builtins.js";
import { findAgents } from "../../runtime/agents/find.js";
import type { Folders } from "../../runtime/config/folders.js";
import { projectSheets } from "../../runtime/workflows/find-graph.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { nameFrom } from "../../runtime/workflows/find-sheets.js";
import { isOtherTable } from "../../runtime/workflows/other-table.js";
import { createWorlds } from "../../runtime/workflows/world.js";
import { failingAgents } from "../compile/failing-agents.js";
import type { Context } from "../context.js";
import { EXIT, UsageError } from "../failure.js";
import { packageRoot } from "../package-root.js";
import { openProject } from "../project.js";
import { writeFindings } from "../report.js";
import { writeOrRefuse } from "../scaffold/write.js";
import { collectSheets } from "../sheets/collect.js";
import { readContent } from "../sheets/read.js";
import type { Given } from "../verbs.js";

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
  const name = agent === null ? null : nameOf(agent);
  const understood = await understandSheets(context, folders, csv);
  if (csv !== null && (await hasErrors(understood, context))) return EXIT.findings;
  const all = understood.flatMap(usingNodes);
  const plans = name === null ? missingAgents(all, folders) : [planFor(name, all, csv)];
  if (plans.length === 0) {
    context.note(`${csv}: no agent is missing`);
    return EXIT.done;
  }
  const out = resolve(context.cwd, given.text("out") ?? folders.agents);
  const force = given.flag("force");
  checkElsewhere(plans, { out, folders, context });
  writeAgents(plans, { out, force, folders, context });
  return EXIT.done;
}

/** The names that agents may have, also for the types of a sheet. */
function nameOf(text: string): AgentName {
  const shown = JSON.stringify(text);
  const name = parseAgentName(text);
  if ("refused" in name)
    throw new UsageError(`${shown} cannot name an agent: ${name.refused}`, "such as NextRow");
  if (builtinType(text) !== undefined)
    throw new UsageError(`${shown} is a built-in agent`, "use it as it is, or choose another name");
  const builtin = builtinType(name.base);
  if (builtin !== undefined)
    throw new UsageError(
      `${shown} would be taken for the built-in "${builtin}"`,
      "use that, or choose another name",
    );
  return name;
}

/** The sheet of `--csv`; without it the sheets of the project, as far as they can be read. */
async function understandSheets(
  context: Context,
  folders: Folders,
  csv: string | null,
): Promise<readonly Understanding[]> {
  const { cwd, env, encoding } = context;
  const sheets = csv === null ? sheetsOfProject(cwd, folders) : await namedSheets(cwd, csv);
  const worldOf = createWorlds({ folders, env, encoding, sheets, unknownAgent: "warning", failingAgents });
  const understood: Understanding[] = [];
  for (const sheet of sheets) {
    const content = await readContent(sheet, context);
    if (content.kind === "too-large") understood.push(content.understanding);
    else if (csv !== null || !isOtherTable(content.bytes, encoding)) {
      const source = { file: sheet.shown, bytes: content.bytes, ...(encoding === null ? {} : { encoding }) };
      understood.push(understandSheet(source, worldOf(sheet)));
    }
  }
  return understood;
}

const namedSheets = async (cwd: string, csv: string): Promise<readonly SheetPath[]> =>
  (await collectSheets({ cwd, operands: [], csv: [csv] })).sheets;

function sheetsOfProject(cwd: string, folders: Folders): readonly SheetPath[] {
  const there = folders.file === null || existsSync(folders.workflows);
  return there ? projectSheets(cwd, folders).sheets : [];
}

/** Says what is wrong with the sheet: an agent is made only of what is right. */
async function hasErrors(understood: readonly Understanding[], context: Context): Promise<boolean> {
  const diagnostics = understood
    .flatMap((one) => one.diagnostics)
    .filter(({ severity }) => severity === "error");
  if (diagnostics.length === 0) return false;
  const sources = new Map(understood.map(({ file, sheet }) => [file, sheet?.text ?? ""]));
  await writeFindings({ diagnostics, sources, graphs: [] }, "text", { context, output: context.stderr });
  return true;
}

const usingNodes = ({ graphs }: Understanding): readonly UsingNode[] =>
  graphs.flatMap((graph) =>
    graph.nodes.filter(({ agent }) => !agent.builtin).map((node) => ({ graph, node })),
  );

const typeOf = ({ node }: UsingNode): string => customType(node.agent.written);

function planFor(name: AgentName, all: readonly UsingNode[], csv: string | null): AgentPlan {
  const using = all.filter((one) => typeOf(one) === customType(name.className));
  if (using.length > 0) return planAgent(name, using);
  if (csv === null) return planGenericAgent(name);
  const known = [...new Set(all.map(({ node }) => node.agent.written))];
  const near = suggest(name.base, known);
  const help = near === null ? "without --csv it is written for any row" : `did you mean ${near}?`;
  throw new UsageError(`no row of ${csv} has the agent ${name.base}`, help);
}

/** The agents that rows name and no file has, in the order of the rows. */
function missingAgents(all: readonly UsingNode[], { agents }: Folders): readonly AgentPlan[] {
  const found = new Set(findAgents(agents).map(({ type }) => type));
  const byType = new Map<string, UsingNode[]>();
  for (const one of all) {
    if (found.has(typeOf(one))) continue;
    byType.set(typeOf(one), [...(byType.get(typeOf(one)) ?? []), one]);
  }
  const plans = [...byType.values()].map((using) =>
    planAgent(nameOf(using[0]?.node.agent.written ?? ""), using),
  );
  const files = new Map<string, string>();
  for (const { name } of plans) {
    const other = files.get(name.file);
    if (other !== undefined)
      throw new UsageError(`${other} and ${name.base} would be written to one file`, "rename one of them");
    files.set(name.file, name.base);
  }
  return plans;
}

interface Place {
  readonly out: string;
  readonly folders: Folders;
  readonly context: Context;
}

/** Two files with one agent would keep each other from being loaded. */
function checkElsewhere(plans: readonly AgentPlan[], { out, folders, context }: Place): void {
  const found = findAgents(folders.agents).filter(({ isSure }) => isSure);
  for (const { name } of plans) {
    const target = join(out, `${name.file}.ts`);
    const other = found.find(({ type, file }) => type === customType(name.className) && file !== target);
    if (other === undefined) continue;
    const file = nameFrom(context.cwd, other.file);
    throw new UsageError(`the agent ${name.base} is already written in ${file}`, "change it there");
  }
}

function writeAgents(
  plans: readonly AgentPlan[],
  { out, force, folders, context }: Place & { readonly force: boolean },
): void {
  const templates = join(packageRoot(), "templates");
  const files = new Map<string, string>();
  for (const plan of plans) {
    const { agent, test } = renderAgent(plan, templates);
    files.set(join(out, `${plan.name.file}.ts`), agent);
    files.set(join(out, `${plan.name.file}.test.ts`), test);
  }
  const taken = new Set(takenPaths(files.keys()));
  const shown = (path: string): string => nameFrom(context.cwd, path);
  if (taken.size > 0 && !force) {
    const names = [...taken].map(shown).join(", ");
    throw new UsageError(`${names} ${taken.size === 1 ? "is" : "are"} there already`, "--force replaces");
  }
  writeOrRefuse({ root: folders.root, files, force }, context);
  for (const path of files.keys())
    context.stdout.write(`${taken.has(path) ? "replaced" : "created "}  ${shown(path)}\n`);
  tellWhatIsLeft({ out, folders, context });
}

function tellWhatIsLeft({ out, folders, context }: Place): void {
  const way = relative(folders.agents, out);
  if (way.startsWith("..")) {
    const agents = nameFrom(context.cwd, folders.agents) || ".";
    context.note(
      `agents are looked for in ${agents}: move the files there, or name the folder in flowsheet.yaml`,
    );
  }
  if (!existsSync(join(folders.root, "node_modules", "vitest")))
    context.note("the tests are for vitest: npm install --save-dev vitest");
}
