import { z } from "zod";
import { answersJson } from "../../http/openapi/operation.js";
import { json } from "../../http/request/answer.js";
import type { Route } from "../../http/route.js";
import { workshopOf } from "../only-local.js";
import { sheetIn } from "../sheet-access.js";
import { SHEET_NAME } from "../sheet-text.js";
import { mustBeWritable } from "../writing.js";

const compiledBody = z
  .object({
    exit_code: z.int().meta({ description: "0 when the modules are written." }),
    report: z.string().meta({ description: "What flowsheet compile says." }),
  })
  .meta({ id: "StudioCompiled" });

export const compileSheet: Route = {
  method: "POST",
  path: "/studio/api/sheets/{sheet*}/compile",
  permission: "write",
  operation: {
    operationId: "studioCompile",
    summary: "Write the modules of a sheet. Only the Studio of one machine does that",
    tag: "studio",
    names: SHEET_NAME,
    answers: { "200": answersJson(compiledBody, "What the compiler reports.") },
    problems: ["sheet_not_found"],
  },
  handle: async (context) => {
    const workshop = workshopOf(context);
    mustBeWritable(context);
    const { path } = await sheetIn(context);
    const { exitCode, report } = await workshop.compile(path);
    return json({ exit_code: exitCode, report });
  },
};
