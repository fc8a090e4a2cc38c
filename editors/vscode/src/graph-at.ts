import * as vscode from "vscode";

/** What a lens of the server says of a graph: `module` and `tests` are addresses of files. */
export interface GraphArgument {
  readonly uri: string;
  readonly graph: string;
  readonly module?: string;
  readonly tests?: string;
}

const isArgument = (value: unknown): value is GraphArgument =>
  typeof value === "object" &&
  value !== null &&
  typeof Reflect.get(value, "uri") === "string" &&
  typeof Reflect.get(value, "graph") === "string";

/** The argument of a lens; a command from the palette takes the lens of the graph that the cursor is in. */
export async function graphFor(command: string, given: unknown): Promise<GraphArgument | null> {
  if (isArgument(given)) return given;
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return null;
  const { uri } = editor.document;
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    uri,
  );
  const own = lenses
    .filter((lens) => lens.command?.command === command)
    .sort((a, b) => a.range.start.line - b.range.start.line);
  const above = own.filter(({ range }) => range.start.line <= editor.selection.active.line);
  const found: unknown = (above.at(-1) ?? own[0])?.command?.arguments?.[0];
  return isArgument(found) ? found : null;
}
