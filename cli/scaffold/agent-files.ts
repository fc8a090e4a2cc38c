import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { AgentPlan } from "../../compiler/scaffold/agent-plan.js";
import { NewFileError, type NewFiles, takenPaths, writeNewFiles } from "../../compiler/scaffold/new-files.js";
import { renderAgent } from "../../compiler/scaffold/render-agent.js";
import type { Folders } from "../../runtime/config/folders.js";
import { nameFrom } from "../../runtime/workflows/find-sheets.js";
import { reasonOf } from "../../runtime/workflows/open-file.js";
import { UsageError } from "../failure.js";
import { packageRoot } from "../package-root.js";
import type { Context } from "../process/context.js";

export interface Place {
  readonly out: string;
  readonly folders: Folders;
  readonly context: Context;
}

const filesOf = (plan: AgentPlan, out: string): readonly [agent: string, test: string] => [
  join(out, `${plan.name.file}.ts`),
  join(out, `${plan.name.file}.test.ts`),
];

/** Null when no file exists at its paths. */
export function inTheWay(plan: AgentPlan, { out, context }: Place): UsageError | null {
  const taken = takenPaths(filesOf(plan, out)).map((path) => nameFrom(context.cwd, path));
  if (taken.length === 0) return null;
  const are = taken.length === 1 ? "is" : "are";
  return new UsageError(`${taken.join(", ")} ${are} there already`, "--force replaces");
}

export function writeAgents(
  plans: readonly AgentPlan[],
  { out, folders, context }: Place,
  force: boolean,
): void {
  const templates = join(packageRoot(), "templates");
  const files = new Map<string, string>();
  for (const plan of plans) {
    const [agentPath, testPath] = filesOf(plan, out);
    const { agent, test } = renderAgent(plan, templates, folders.generatedImport);
    files.set(agentPath, agent).set(testPath, test);
  }
  const taken = new Set(takenPaths(files.keys()));
  writeOrRefuse({ root: folders.root, files, force }, context);
  for (const path of files.keys()) {
    const done = taken.has(path) ? "replaced" : "created ";
    context.stdout.write(`${done}  ${nameFrom(context.cwd, path)}\n`);
  }
}

export function tellWhatIsLeft({ out, folders, context }: Place): void {
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

/** Refusals of the system are usage errors: the user can fix them. */
export function writeOrRefuse(files: NewFiles, context: Context): void {
  try {
    writeNewFiles(files);
  } catch (error) {
    if (error instanceof NewFileError)
      throw new UsageError(`cannot write ${nameFrom(context.cwd, error.path)}: ${error.why}`);
    throw new UsageError(`cannot write the files: ${reasonOf(error).why}`);
  }
}
