import { z } from "zod";
import { workbookOf } from "../../../compiler/1-parse/text/file-kind.js";
import { answersJson, BODY_PROBLEMS, textsOf } from "../openapi/operation.js";
import { text } from "../request/answer.js";
import { checkBody, mediaType, parseJsonBody, receiveBody } from "../request/body.js";
import { HttpProblem } from "../request/problem.js";
import type { Route } from "../route.js";
import { diagnostic } from "./workflows.js";

const MAX_SHEET = 5 * 1024 * 1024;

const validationBody = z.strictObject({ csv_content: z.string() }).meta({ id: "ValidationRequest" });

const validationReport = z
  .object({
    valid: z.boolean(),
    errors: z.int(),
    warnings: z.int(),
    diagnostics: z.array(diagnostic),
    graphs: z.array(
      z.object({
        name: z.string(),
        entry: z.string(),
        nodes: z.int(),
        inputs: z.array(z.string()),
        outputs: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: "ValidationReport" });

export const validateSheet: Route = {
  method: "POST",
  path: "/validation/csv",
  permission: "read",
  operation: {
    operationId: "validate",
    summary: "Find every problem of a sheet; nothing is run",
    tag: "workflows",
    body: { "application/json": { schema: validationBody }, ...textsOf(["text/csv"]) },
    answers: { "200": answersJson(validationReport, "What was found; `valid` tells whether it can run.") },
    problems: [...BODY_PROBLEMS, "sheet_too_complex", "overloaded"],
  },
  handle: async (context) => {
    const { sheetChecks } = context.service;
    const { caller, signal } = context;
    const type = mediaType(context.request, ["application/json", "text/csv"]);
    // Checked again after the body: the caller may have reached the limit in the meantime.
    sheetChecks.admit(caller);
    const body = await receiveBody(context, MAX_SHEET);
    if (workbookOf(body) !== null)
      throw new HttpProblem("media_type_unsupported", {
        detail: "this is a workbook: flowsheet convert makes CSV of it",
      });
    const bytes =
      type === "text/csv" ? body : Buffer.from(checkBody(validationBody, parseJsonBody(body)).csv_content);
    return text("application/json", await sheetChecks.check({ caller, bytes, signal }));
  },
};
