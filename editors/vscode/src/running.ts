import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { startOf } from "./find.js";
import type { GraphArgument } from "./graph-at.js";
import { programOf } from "./servers.js";

interface Project {
  readonly folder: vscode.WorkspaceFolder;
  readonly path: string;
}

function projectOf(uri: vscode.Uri): Project | null {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const program = folder === undefined ? { missing: "the file is in no folder" } : programOf(folder);
  if (folder !== undefined && "path" in program) return { folder, path: program.path };
  if ("missing" in program) void vscode.window.showWarningMessage(`Flowsheet: ${program.missing}`);
  return null;
}

/** `flowsheet run` in a terminal, with the values that the graph begins with. */
export async function runGraph({ uri, graph }: GraphArgument): Promise<void> {
  const sheet = vscode.Uri.parse(uri);
  const project = await savedProject(sheet);
  if (project === null) return;
  const inputs = await askInputs(project, sheet, graph);
  if (inputs === null) return;
  const values = inputs.flatMap((input) => ["--input", input]);
  await execute(project, `run ${graph}`, ["run", "--csv", sheet.fsPath, `--graph=${graph}`, ...values]);
}

/** `flowsheet test` in a terminal. */
export async function testSheet({ tests, uri }: GraphArgument): Promise<void> {
  const file = vscode.Uri.parse(tests ?? uri);
  const project = await savedProject(file);
  if (project !== null) await execute(project, "test", ["test", file.fsPath]);
}

/** Commands read files: what is typed must be in them first. */
async function savedProject(uri: vscode.Uri): Promise<Project | null> {
  const project = projectOf(uri);
  if (project === null) return null;
  return (await vscode.workspace.saveAll(false)) ? project : null;
}

/** `name=value` for each input that gets one; null when it is cancelled. */
async function askInputs(
  project: Project,
  sheet: vscode.Uri,
  graph: string,
): Promise<readonly string[] | null> {
  const given: string[] = [];
  for (const name of await inputsOf(project, sheet, graph)) {
    const prompt = `${name} of the graph ${graph}; empty: it is not given`;
    const value = await vscode.window.showInputBox({ title: `Run ${graph}`, prompt, ignoreFocusOut: true });
    if (value === undefined) return null;
    if (value !== "") given.push(`${name}=${value}`);
  }
  return given;
}

async function inputsOf(project: Project, sheet: vscode.Uri, graph: string): Promise<readonly string[]> {
  const { command, shell } = startOf(project.path);
  const file = shell ? `"${sheet.fsPath}"` : sheet.fsPath;
  const options = { cwd: project.folder.uri.fsPath, shell, maxBuffer: 64 * 1024 * 1024 };
  const text = await promisify(execFile)(command, ["validate", "--json", file], options).then(
    ({ stdout }) => stdout,
    // A sheet with problems ends it with exit code 1, and is told of all the same.
    (failure: { stdout?: string }) => failure.stdout ?? "",
  );
  return inputsIn(text, graph);
}

function inputsIn(text: string, graph: string): readonly string[] {
  try {
    const report = JSON.parse(text) as { graphs?: { name: string; inputs: string[] }[] };
    return report.graphs?.find(({ name }) => name === graph)?.inputs ?? [];
  } catch {
    return [];
  }
}

async function execute({ folder, path }: Project, name: string, args: readonly string[]): Promise<void> {
  const definition = { type: "flowsheet", args };
  const options = { cwd: folder.uri.fsPath };
  const quoted = (value: string): vscode.ShellQuotedString => ({
    value,
    quoting: vscode.ShellQuoting.Strong,
  });
  // On Windows only a shell starts the program; elsewhere no shell reads the arguments.
  const execution = startOf(path).shell
    ? new vscode.ShellExecution(quoted(path), args.map(quoted), options)
    : new vscode.ProcessExecution(path, [...args], options);
  await vscode.tasks.executeTask(new vscode.Task(definition, folder, name, "flowsheet", execution));
}
