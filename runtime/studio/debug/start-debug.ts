import { z } from "zod";
import { createNodeNames } from "../../debug/node-names.js";
import { answersJson, BODY_PROBLEMS } from "../../http/openapi/operation.js";
import { json } from "../../http/request/answer.js";
import { readJson } from "../../http/request/body.js";
import type { Route } from "../../http/route.js";
import { startProblem } from "../../http/routes/execute.js";
import { fields } from "../../http/routes/run-answer.js";
import { findWorkflow } from "../../http/routes/workflows.js";
import { createRedactor } from "../../runs/redact.js";
import { readRequest } from "../../runs/request.js";
import { mustBeLocal } from "../only-local.js";
import { debugRoomOf } from "./debug-room.js";
import { DebugSession, unknownNode } from "./debug-session.js";

const MOST_BREAKS = 1_000;

const debugBody = z
  .strictObject({
    workflow: z.string().meta({ description: "Its graph's name, or `sheet::graph`." }),
    given: fields.optional(),
    breaks: z
      .array(z.string())
      .max(MOST_BREAKS)
      .optional()
      .meta({ description: "Nodes to stop before. Without any the run stops before its first node." }),
  })
  .meta({ id: "StudioDebug" });

const startedBody = z.object({ id: z.string() }).meta({ id: "StudioDebugger" });

export const startDebug: Route = {
  method: "POST",
  path: "/studio/api/debug",
  permission: "execute",
  operation: {
    operationId: "studioDebug",
    summary: "Run a workflow step by step. Only the Studio of one machine does that",
    tag: "studio",
    body: { "application/json": { schema: debugBody } },
    answers: { "201": answersJson(startedBody, "The debugger, which ends 30 s after nobody reads it.") },
    problems: [
      ...BODY_PROBLEMS,
      "workflow_not_found",
      "workflow_ambiguous",
      "workflow_invalid",
      "too_many_debuggers",
    ],
  },
  handle: async (context) => {
    mustBeLocal(context);
    const { service, principal } = context;
    const { workflow: name, given = {}, breaks = [] } = await readJson(context, debugBody);
    const room = debugRoomOf(service);
    room.mustHaveRoom();
    const workflow = findWorkflow(context, name);
    const userId = principal.userId ?? principal.name;
    const wish = readRequest({
      ...{ csvPath: workflow.source, graphName: workflow.graphName, initialState: given, userId },
    });
    try {
      const { runner, env, project } = service;
      const opened = runner.graphs.known(wish) ?? (await runner.graphs.open(wish));
      runner.checkGiven(opened, wish);
      const names = createNodeNames(opened.graph);
      for (const [i, node] of breaks.entries())
        if (!names.isKnown(node)) throw unknownNode(names, node, `/breaks/${i}`);
      const redact = createRedactor(env, project);
      const session = new DebugSession({ names, breaks, redact });
      const id = room.add(session);
      session.lead((leading) => runner.runStepwise(opened, wish, leading));
      return json({ id }, 201);
    } catch (error) {
      throw startProblem(error, workflow, "given");
    }
  },
};
