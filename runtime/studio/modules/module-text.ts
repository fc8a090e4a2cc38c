import { z } from "zod";
import { answersJson } from "../../http/openapi/operation.js";
import { json } from "../../http/request/answer.js";
import { HttpProblem } from "../../http/request/problem.js";
import type { Route } from "../../http/route.js";
import { workshopOf } from "../only-local.js";
import { sheetIn } from "../sheet-access.js";
import { SHEET_NAME } from "../sheet-text.js";
import { ModuleRefused } from "../workshop.js";
import { noteModule } from "./shown-module.js";

const moduleBody = z
  .object({
    file: z.string(),
    text: z.string(),
    tokens: z
      .array(z.tuple([z.int(), z.int(), z.enum(["keyword", "string", "number", "comment"])]))
      .meta({ description: "Where each begins, how long it is, and what it is." }),
    rows: z
      .array(z.tuple([z.int(), z.int()]))
      .meta({ description: "Lines from 1, and the records from 0 that they are made from." }),
    stale: z.boolean().meta({ description: "The file is missing or has other text." }),
    written: z.boolean().meta({ description: "There is a file." }),
  })
  .meta({ id: "StudioModule" });

export const moduleText: Route = {
  method: "GET",
  path: "/studio/api/sheets/{sheet*}/graphs/{graph}/module",
  permission: "read",
  operation: {
    operationId: "studioModule",
    summary: "The module that a graph becomes. Only the Studio of one machine shows it",
    tag: "studio",
    names: SHEET_NAME,
    answers: { "200": answersJson(moduleBody, "Its text, with what belongs to which row.") },
    problems: ["sheet_not_found", "workflow_not_found", "workflow_invalid"],
  },
  handle: async (context) => {
    const workshop = workshopOf(context);
    const { path } = await sheetIn(context);
    const graph = context.params.get("graph") ?? "";
    const found = await workshop.module(path, graph).catch((error: unknown) => {
      throw error instanceof ModuleRefused
        ? new HttpProblem("workflow_invalid", { detail: error.message })
        : error;
    });
    if (found === null) throw new HttpProblem("workflow_not_found");
    noteModule(context.service, { path, graph, is: found });
    return json(found);
  },
};
