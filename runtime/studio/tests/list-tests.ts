import { z } from "zod";
import { answersJson } from "../../http/openapi/operation.js";
import { json } from "../../http/request/answer.js";
import type { Route } from "../../http/route.js";
import { placeOfCase } from "../../testing/run-tests.js";
import { mustBeLocal } from "../only-local.js";
import { testsOf } from "./test-sheet.js";

const testCase = z.object({
  case: z.string(),
  graph: z.string(),
  line: z.int(),
  cell: z.string().nullable().meta({ description: "The cell of the test sheet that has its name." }),
});

const testSheet = z
  .object({
    file: z.string().nullable().meta({ description: "The test sheet; null where there is none." }),
    cases: z.array(testCase),
    problems: z.array(z.object({ severity: z.string(), message: z.string(), cell: z.string().nullable() })),
  })
  .meta({ id: "StudioTests" });

export const listTests: Route = {
  method: "GET",
  path: "/studio/api/tests",
  permission: "read",
  operation: {
    operationId: "studioTests",
    summary: "The cases of a sheet's test sheet. Only the Studio of one machine shows them",
    tag: "studio",
    query: [{ name: "sheet", in: "query", required: true, schema: { type: "string" } }],
    answers: { "200": answersJson(testSheet, "The cases, in the order of the file.") },
    problems: ["sheet_not_found", "workflow_invalid"],
  },
  handle: async (context) => {
    mustBeLocal(context);
    const opened = await testsOf(context, context.query.get("sheet") ?? "");
    if (opened === null) return json({ file: null, cases: [], problems: [] });
    const { file, cases, diagnostics } = opened.tests;
    return json({
      file,
      cases: cases.map((one) => {
        const { line, cell } = placeOfCase(opened, one);
        return { case: one.name, graph: one.graph.name, line, cell };
      }),
      problems: diagnostics.map(({ severity, message, place }) => ({
        ...{ severity, message, cell: place?.cell ?? null },
      })),
    });
  },
};
