import { HttpProblem } from "../../http/request/problem.js";
import type { RequestContext } from "../../http/route.js";
import { type OpenedTests, openTests } from "../../testing/open-tests.js";
import { WorkflowError } from "../../workflows/workflow-error.js";
import { findSheet, shelfOf } from "../sheet-access.js";

/** The test sheet beside a sheet, opened; null where there is none. */
export async function testsOf(context: RequestContext, name: string): Promise<OpenedTests | null> {
  const { service } = context;
  const sheet = await findSheet(context, name);
  if (sheet === null) throw new HttpProblem("sheet_not_found");
  const file = shelfOf(service).testOf(sheet.name);
  if (file === null) return null;
  const { project, env, encoding } = service;
  try {
    return openTests({ path: file.path, shown: file.name, named: true }, { project, env, encoding });
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    throw new HttpProblem("workflow_invalid", { detail: `${file.name} cannot be opened: ${error.message}` });
  }
}
