import { UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";

/** `flowsheet lsp --stdio`: the language server, until the editor leaves. */
export async function lsp(context: Context, _operands: readonly string[], given: Given): Promise<number> {
  if (!given.flag("stdio"))
    throw new UsageError(
      "nothing says how the editor talks to the server",
      "start it as: flowsheet lsp --stdio",
    );
  if (context.stdin.isTerminal())
    throw new UsageError(
      "flowsheet lsp is started by an editor, and talks to no terminal",
      "docs/editors.md says how",
    );
  const { serveEditor } = await import("../lsp/server.js");
  return serveEditor(context, processOf(given));
}

/** The number of the editor's process. */
function processOf(given: Given): number | null {
  const text = given.text("clientProcessId");
  if (text === null) return null;
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new UsageError(`--clientProcessId must be a number of a process, not ${JSON.stringify(text)}`);
}
