import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { isMapping } from "../graph/values/values.js";
import { type McpCaller, may } from "./caller.js";
import { faultOf } from "./faults.js";
import { OWN_TOOLS, unknownTool } from "./own-tools.js";
import { PROMPTS, promptOf } from "./prompts.js";
import { listResources, readResource, TEMPLATES } from "./resources.js";
import type { Sdk } from "./sdk.js";
import { createSealing } from "./sealing.js";
import type { Tool } from "./tool.js";
import { workflowTools } from "./workflow-tools.js";

const INSTRUCTIONS =
  "Each workflow of the project is a tool with typed input. A run that waits for a person answers with status suspended: flowsheet_resume goes on with it. To write or mend workflows, call flowsheet_agents, flowsheet_validate and flowsheet_explain.";

/** A run may ask so often within one call; then it is gone on with by flowsheet_resume. */
const ROUNDS = 64;

/** What the client sees of one caller: only the tools that it may call. */
export function createMcpServer(sdk: Sdk, caller: McpCaller): Server {
  const { service } = caller;
  const sealing = createSealing(sdk, caller);
  const server = new sdk.Server(
    { name: "flowsheet", version: service.version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: INSTRUCTIONS,
      inputRequired: { maxRounds: ROUNDS },
      requestState: { verify: (state, context) => sealing.verify(state, context) },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: toolsFor(caller).map(describeTool) }));
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: args = {} } }, context) => {
    const tool = toolsFor(caller).find((one) => one.name === name);
    if (tool === undefined)
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, unknownTool(name).message);
    try {
      const canAsk = canAskUser(sdk, server, context);
      return await caller.during(tool.call({ args, caller, context, sealing, canAsk }));
    } catch (error) {
      return faultOf(error, caller);
    }
  });
  server.setRequestHandler("resources/list", () => ({ resources: [...listResources(caller)] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...TEMPLATES] }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const found = readResource(caller, uri);
    if (found === null) throw new sdk.ResourceNotFoundError(uri);
    return found;
  });
  server.setRequestHandler("prompts/list", () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler("prompts/get", ({ params: { name, arguments: given = {} } }) => {
    const prompt = promptOf(name, given);
    if (typeof prompt !== "string") return prompt;
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, prompt);
  });
  return server;
}

/** The workflows come first: they are what most clients are for. */
const toolsFor = (caller: McpCaller): readonly Tool[] =>
  [...workflowTools(caller), ...OWN_TOOLS, ...caller.more].filter(({ permission }) =>
    may(caller, permission),
  );

const describeTool = ({ name, title, description, inputSchema, outputSchema, isReading }: Tool) => ({
  ...{ name, title, description },
  inputSchema: { ...inputSchema, type: "object" as const },
  ...(outputSchema === undefined ? {} : { outputSchema: { ...outputSchema, type: "object" as const } }),
  annotations: { readOnlyHint: isReading },
});

/** A client that says nothing of elicitation cannot ask. An empty declaration means forms. */
function canAskUser(sdk: Sdk, server: Server, { mcpReq: { envelope } }: ServerContext): boolean {
  const told: { readonly [key: string]: unknown } = { ...envelope };
  const declared = told[sdk.CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const elicitation = isMapping(declared) ? declared["elicitation"] : undefined;
  if (!isMapping(elicitation)) return false;
  return elicitation["form"] !== undefined || elicitation["url"] === undefined;
}
