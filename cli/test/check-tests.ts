import type { Project } from "../../runtime/config/folders.js";
import { openTests } from "../../runtime/testing/open-tests.js";
import { WorkflowError } from "../../runtime/workflows/workflow-error.js";
import type { Checked } from "../commands/validate.js";
import type { Context } from "../process/context.js";
import type { TestPath } from "../sheets/collect.js";

/** Checks a test sheet; nothing in it can be fixed. */
export function checkTests(test: TestPath, project: Project, context: Context, fix: boolean): Checked {
  const { env, encoding } = context;
  if (fix) context.note(`${test.shown} is left as it is: --fix is for sheets of workflows`);
  try {
    const { tests, text } = openTests(test, { project, env, encoding });
    const understanding = { file: tests.file, sheet: null, graphs: [], diagnostics: tests.diagnostics };
    return { understanding, text };
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    context.fail(error.message, error.help);
    return "unopened";
  }
}
