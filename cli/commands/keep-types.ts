import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import { checkMade, writeMade } from "../output-file.js";
import type { Context } from "../process/context.js";
import { openProject, shownPath } from "../project.js";

/** `flowsheet types --mcp`: keeps what the tools of other servers declare, so that nodes that call them are typed. */
export async function keepTypes(
  context: Context,
  _operands: readonly string[],
  given: Given,
): Promise<number> {
  if (!given.flag("mcp"))
    throw new UsageError("flowsheet types needs to know what of", "--mcp is the tools of mcp.servers");
  const project = openProject(context);
  const { keptTools } = await import("../types/tools.js");
  const { toolTypesFile } = await import("../../runtime/net/assistants/kept-types.js");
  const text = await keptTools(context, project);
  if (text === null) return EXIT.findings;
  const made = [{ out: shownPath(toolTypesFile(project.root), context.cwd), text }];
  return given.flag("check") ? checkMade(made, context) : writeMade(made, context);
}
