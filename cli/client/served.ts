import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Project } from "../../runtime/config/folders.js";
import type { ProjectGraphs } from "../../runtime/runs/project-graphs.js";
import { Runner } from "../../runtime/runs/runner.js";
import { createCatalogue, type Workflow } from "../../runtime/workflows/catalogue.js";
import { nameFrom } from "../../runtime/workflows/find-sheets.js";
import { createGeneratedModules } from "../../runtime/workflows/generated-modules.js";
import { UsageError } from "../failure.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { sourcesOf, tellProblems } from "../report.js";
import { named } from "../sheets/collect.js";
import { understandFiles } from "../sheets/read.js";

export interface Served {
  readonly workflows: readonly Workflow[];
  /** The folder that names of sheets begin in. */
  readonly root: string;
}

/** The workflows of a project as its server serves them. Null when sheets have errors, which are told. */
export async function servedWorkflows(context: Context): Promise<Served | null> {
  const { env, encoding, tell } = context;
  const project = withFolder(openProject(context), context);
  const warn = (message: string): void => tell("warning:", message);
  const log = { debug: () => {}, info: () => {}, warn, error: warn };
  const modules = createGeneratedModules(project, log);
  const graphAt = modules.known;
  const runner = new Runner({ cwd: project.workflows, project, env, encoding, log, graphAt, modules });
  const understand: ProjectGraphs["understand"] = (source) => runner.graphs.understand(source);
  const catalogue = createCatalogue({ project, encoding, log, understand, modules });
  await catalogue.ready();
  const workflows = catalogue.list();
  if (workflows.length === 0)
    throw new UsageError("this project has no workflow", "write a sheet, or make one with flowsheet init");
  if (workflows.every(({ valid }) => valid)) return { workflows, root: project.workflows };
  const broken = new Set(workflows.flatMap(({ valid, source }) => (valid ? [] : [source])));
  await tellBroken(context, project, [...broken]);
  return null;
}

/** Places are told from the working folder, as by all commands. */
async function tellBroken(context: Context, project: Project, files: readonly string[]): Promise<void> {
  const sheets = files.map((file) => {
    const path = resolve(project.workflows, file);
    return named(context.cwd, path, nameFrom(context.cwd, path));
  });
  const { understood } = await understandFiles(context, project, sheets, { unknownAgent: "warning" });
  const problems = understood.flatMap(({ diagnostics }) => diagnostics);
  await tellProblems(problems, sourcesOf(understood), context);
}

/** Sheets that lie in a folder by themselves are its workflows, as for other commands. */
const withFolder = (project: Project, { cwd }: Context): Project =>
  project.file === null && !existsSync(project.workflows)
    ? { ...project, workflows: cwd, isFlat: true }
    : project;
