import type { ClientWorkflow } from "../../compiler/3-emit/client/emit-client.js";
import { questionsOf } from "../../runtime/agents/asking/questions.js";
import { inputSchema, stateSchema } from "../../runtime/http/openapi/field-schema.js";
import { graphsOf, type Workflow } from "../../runtime/workflows/catalogue.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import { checkMade, writeMade } from "../output-file.js";
import type { Context } from "../process/context.js";
import { shellWord } from "../shell-word.js";

/** `flowsheet client`: a typed HTTP client for the workflows of a project, or of a running server. */
export async function client(context: Context, _operands: readonly string[], given: Given): Promise<number> {
  const [out, server] = [given.text("out"), given.text("server")];
  const found = server === null ? await ofProject(context) : await ofServer(context, server);
  if (found === null) return EXIT.findings;
  if (found.length === 0) throw new UsageError(`${server} serves no workflow that this key may see`);
  const { emitClient } = await import("../../compiler/3-emit/client/emit-client.js");
  const words = ["flowsheet client"];
  if (server !== null) words.push("--server", shellWord(server));
  if (out !== null) words.push("--out", shellWord(out));
  const text = emitClient(found, server ?? "the sheets of the project", words.join(" "));
  return given.flag("check") ? checkMade([{ out, text }], context) : writeMade([{ out, text }], context);
}

async function ofProject(context: Context): Promise<readonly ClientWorkflow[] | null> {
  const { servedWorkflows } = await import("../client/served.js");
  const served = await servedWorkflows(context);
  if (served === null) return null;
  const { workflows } = served;
  const graphOf = graphsOf(workflows);
  return workflows.map(({ name, ir }: Workflow) => ({
    name,
    description: ir.nodes[0]?.description ?? "",
    inputs: inputSchema(ir),
    state: stateSchema(ir),
    questions: questionsOf(ir, graphOf),
  }));
}

async function ofServer({ env }: Context, server: string): Promise<readonly ClientWorkflow[]> {
  const { workflowsOfServer } = await import("../client/from-server.js");
  const key = env["FLOWSHEET_KEY"] ?? "";
  return workflowsOfServer(server, key === "" ? null : key);
}
