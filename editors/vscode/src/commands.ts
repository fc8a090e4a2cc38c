import * as vscode from "vscode";
import type { Explanations } from "./explanation.js";
import { graphFor } from "./graph-at.js";
import type { Preview } from "./preview.js";
import { runGraph, testSheet } from "./running.js";
import type { Servers } from "./servers.js";

interface Parts {
  readonly servers: Servers;
  readonly preview: Preview;
  readonly explanations: Explanations;
}

/** The commands of the palette, of the lenses and of the server's code actions. */
export function registerCommands(parts: Parts): vscode.Disposable {
  const { servers, preview } = parts;
  const of = (name: string, run: (given: unknown) => Promise<unknown>): vscode.Disposable =>
    vscode.commands.registerCommand(name, (given: unknown) => telling(run(given)));
  return vscode.Disposable.from(
    of("flowsheet.run", (given) => withGraph("flowsheet.run", given, runGraph)),
    of("flowsheet.test", (given) => withGraph("flowsheet.test", given, testSheet)),
    of("flowsheet.openGenerated", (given) =>
      withGraph("flowsheet.openGenerated", given, async ({ module }) => {
        if (module !== undefined) await vscode.window.showTextDocument(vscode.Uri.parse(module));
      }),
    ),
    of("flowsheet.showGraph", () => preview.show()),
    of("flowsheet.explain", (given) => explain(parts, given)),
    of("flowsheet.scaffold", (given) => scaffold(parts, given)),
    of("flowsheet.restart", async () => {
      await servers.end();
      servers.serveOpen();
    }),
  );
}

async function telling(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`Flowsheet: ${message}`);
  }
}

async function withGraph(
  command: string,
  given: unknown,
  run: (argument: NonNullable<Awaited<ReturnType<typeof graphFor>>>) => Promise<void>,
): Promise<void> {
  const argument = await graphFor(command, given);
  if (argument !== null) await run(argument);
  else void vscode.window.showInformationMessage("Flowsheet: there is nothing for this command here.");
}

/** A code action brings the code; from the palette it is that of the problem at the cursor. */
async function explain({ servers, explanations }: Parts, given: unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const code = textIn(given, "code") ?? (editor === undefined ? null : codeAt(editor));
  if (editor === undefined || code === null) {
    void vscode.window.showInformationMessage("Flowsheet: there is no problem at the cursor.");
    return;
  }
  const client = await servers.clientFor(editor.document);
  const text: unknown = await client?.sendRequest("workspace/executeCommand", {
    command: "flowsheet.explain",
    arguments: [{ code }],
  });
  if (typeof text === "string") await explanations.show(code, text);
}

function codeAt({ document, selection }: vscode.TextEditor): string | null {
  const problems = vscode.languages.getDiagnostics(document.uri);
  const problem = problems.find(
    ({ range, source }) => source === "flowsheet" && range.contains(selection.active),
  );
  const code = problem?.code;
  return code === undefined ? null : String(typeof code === "object" ? code.value : code);
}

/** A code action brings the sheet and the agent; from the palette the server's own action at the cursor is taken. */
async function scaffold({ servers }: Parts, given: unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const argument = textIn(given, "agent") === null && editor !== undefined ? await scaffoldAt(editor) : given;
  if (editor === undefined || textIn(argument, "agent") === null) {
    void vscode.window.showInformationMessage("Flowsheet: no agent is missing at the cursor.");
    return;
  }
  const client = await servers.clientFor(editor.document);
  const done: unknown = await client?.sendRequest("workspace/executeCommand", {
    command: "flowsheet.scaffold",
    arguments: [argument],
  });
  const created: unknown = typeof done === "object" && done !== null ? Reflect.get(done, "created") : null;
  const [first]: unknown[] = Array.isArray(created) ? created : [];
  if (typeof first === "string") await vscode.window.showTextDocument(vscode.Uri.parse(first));
}

async function scaffoldAt({ document, selection }: vscode.TextEditor): Promise<unknown> {
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    document.uri,
    selection,
  );
  return actions.find(({ command }) => command?.command === "flowsheet.scaffold")?.command?.arguments?.[0];
}

function textIn(value: unknown, name: string): string | null {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : null;
  return typeof found === "string" ? found : null;
}
