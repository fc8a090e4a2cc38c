import { UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";

/** `flowsheet mcp`: the workflows as tools of an assistant, until it leaves. */
export async function mcp(context: Context, _operands: readonly string[], given: Given): Promise<number> {
  if (context.stdin.isTerminal())
    throw new UsageError(
      "flowsheet mcp is started by an assistant, and talks to no terminal",
      "docs/assistants.md says how",
    );
  const { serveStdio } = await import("../mcp/serve.js");
  return serveStdio(context, { workflows: workflowsIn(given), authoring: given.flag("authoring") });
}

function workflowsIn(given: Given): readonly string[] {
  const text = given.text("workflows");
  if (text === null) return ["*"];
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => name !== "")) return names;
  throw new UsageError("--workflows takes names of graphs, with a comma between them");
}
