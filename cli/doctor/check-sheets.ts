import type { Understanding } from "../../compiler/compile.js";
import { OutputError } from "../../compiler/output/output-error.js";
import { planOutput } from "../../compiler/output/plan.js";
import { cacheOf } from "../../runtime/agents/custom/cache-folder.js";
import { findAgents } from "../../runtime/agents/custom/find.js";
import { loadAgents } from "../../runtime/agents/custom/load.js";
import { passedOver } from "../../runtime/agents/custom/passed-over.js";
import { builtinType } from "../../runtime/agents/registry.js";
import type { Project } from "../../runtime/config/folders.js";
import { FlowsheetError, messageOf } from "../../runtime/graph/contract/errors.js";
import { remindFault } from "../../runtime/runs/reminders/remind-with.js";
import { agentModules } from "../../runtime/workflows/agent-modules.js";
import { projectSheets } from "../../runtime/workflows/find-graph.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { failingAgents } from "../compile/agent-files.js";
import { outputFault } from "../compile/outcome.js";
import type { ProjectSheets } from "../compile/project-graphs.js";
import type { Context } from "../process/context.js";
import { shownPath } from "../project.js";
import { countText } from "../report.js";
import { surroundingsOf, understandFile } from "../sheets/read.js";
import { isReadableFolder } from "./check-project.js";
import { type Finding, type Findings, ok, problem, warning } from "./finding.js";

/** The agent that reminds people, where one is named. */
export function checkReminding({ env }: Context, project: Project): Findings {
  const fault = remindFault(project, env);
  return fault === null ? [] : [problem("agents", fault.message, fault.help)];
}

/** Each of the project's own agents is loaded as a run would load it. */
export async function checkAgents({ cwd }: Context, { agents, root }: Project): Promise<Findings> {
  const found = findAgents(agents).filter(({ isSure }) => isSure);
  const missed = passedOver(agents).filter(({ isLikeAgent }) => isLikeAgent);
  const told = missed.map(({ file, what, cure }) =>
    warning("agents", `${shownPath(file, cwd)} was seen and gives no agent: ${what}`, cure),
  );
  if (found.length === 0) return told.length > 0 ? told : [ok("agents", "none of your own")];
  const cache = cacheOf(root);
  const problems: Finding[] = [];
  for (const { type, file } of found) {
    try {
      await loadAgents({ folder: agents, types: [type], cache, modules: agentModules });
    } catch (error) {
      const message = messageOf(error).replaceAll(`${cwd}/`, "");
      const cure = `mend ${shownPath(file, cwd)}: rows that name the agent cannot run`;
      if (problems.every((one) => one.message !== message)) problems.push(problem("agents", message, cure));
    }
  }
  const hidden = found.filter(({ name }) => builtinType(name) !== undefined);
  for (const { name, file } of hidden) {
    const message = `${name} in ${shownPath(file, cwd)} is never used: a built-in agent has that name`;
    problems.push(warning("agents", message, "give it another name"));
  }
  if (problems.length > 0) return [...problems, ...told];
  const names = found.map(({ name }) => name).join(", ");
  return [...told, ok("agents", `${found.length} found and loaded: ${names}`)];
}

/** The sheets and what was understood of them; null when they cannot be found. */
type Read = Pick<ProjectSheets, "sheets" | "understood" | "library"> | null;

/** The sheets, or why they cannot be found unless that is told with the folders. */
function findSheets(
  { cwd }: Context,
  project: Project,
): readonly SheetPath[] | { readonly findings: Findings } {
  try {
    return projectSheets(cwd, project).sheets;
  } catch (error) {
    if (!(error instanceof FlowsheetError)) throw error;
    const isTold = project.file !== null && !isReadableFolder(project.workflows);
    const cure = "give this user the permission to read it";
    return { findings: isTold ? [] : [problem("sheets", error.message, cure)] };
  }
}

export async function checkSheets(
  context: Context,
  project: Project,
): Promise<{ readonly findings: Findings; readonly read: Read }> {
  const sheets = findSheets(context, project);
  if ("findings" in sheets) return { findings: sheets.findings, read: null };
  const { worldOf, library } = surroundingsOf(context, project, sheets, {
    unknownAgent: "error",
    failingAgents,
  });
  const findings: Finding[] = [];
  const understood: Understanding[] = [];
  for (const sheet of sheets) {
    try {
      const one = await understandFile(sheet, worldOf(sheet), context);
      if (one !== null) understood.push(one);
    } catch (error) {
      if (!(error instanceof FlowsheetError)) throw error;
      findings.push(problem("sheets", error.message, "see that this user can read it"));
    }
  }
  const read = { sheets, understood, library };
  return { findings: [...findings, ...sheetFindings(understood)], read };
}

function sheetFindings(understood: readonly Understanding[]): Findings {
  const about = "sheets";
  if (understood.length === 0)
    return [warning(about, "there is none in the project", "flowsheet init makes a project with one")];
  const valid = understood.filter((one) => !hasErrors(one));
  const warned = valid.filter(({ diagnostics }) => diagnostics.length > 0);
  return [
    ...(valid.length === 0 ? [] : [ok(about, countText(valid.length, "valid sheet"))]),
    ...warned.map(({ file, diagnostics }) => {
      const count = countText(diagnostics.length, "warning");
      return warning(about, `${file} has ${count}`, `run: flowsheet validate ${file}`);
    }),
    ...understood.filter(hasErrors).map(({ file, diagnostics }) => {
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      const message = `${file} has ${countText(errors.length, "error")}: ${errors[0]?.message ?? ""}`;
      return problem(about, message, `run: flowsheet validate ${file}`);
    }),
  ];
}

const hasErrors = ({ diagnostics }: Understanding): boolean =>
  diagnostics.some(({ severity }) => severity === "error");

const KEEP = { clean: false, kept: new Set<string>() } as const;

export async function checkGenerated(context: Context, project: Project, read: Read): Promise<Findings> {
  try {
    return await compareGenerated(context, project, read);
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    const { message } = outputFault(error, context.cwd);
    return [warning("generated", `not compared: ${message}`, "see that this user can read it")];
  }
}

async function compareGenerated({ cwd }: Context, project: Project, read: Read): Promise<Findings> {
  const about = "generated";
  const { generated } = project;
  const there = planOutput(generated, new Map(), KEEP);
  if (there.length === 0) return [ok(about, "no module (flowsheet compile makes them)")];
  if (read === null)
    return [warning(about, "not compared: the sheets cannot be found", "mend that, then look again")];
  if (read.understood.some(hasErrors))
    return [warning(about, "not compared: a sheet has errors", "mend the sheets, then look again")];
  const { createEmitter } = await import("../compile/modules.js");
  const { createProjectGraphs } = await import("../compile/project-graphs.js");
  const modules = createProjectGraphs({ ...read, folders: project, cwd, there: [] });
  const emit = createEmitter(project, generated, { modules });
  const own = read.understood.flatMap((one) => one.graphs);
  const graphs = [...own, ...modules.calledBy(own).map(({ graph }) => graph)];
  const off = planOutput(generated, emit(graphs), KEEP).filter(({ action }) => action !== "unchanged");
  if (off.length === 0) return [ok(about, `${countText(there.length, "module")} up to date`)];
  const names = off.map(({ name, action }) => `${name} (${action === "created" ? "missing" : "stale"})`);
  const message = `${shownPath(generated, cwd)} is out of date: ${names.join(", ")}`;
  return [warning(about, message, "run: flowsheet compile --clean")];
}
