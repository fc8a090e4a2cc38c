import type { Understanding } from "../../compiler/compile.js";
import type { Project } from "../../runtime/config/folders.js";
import { openTests } from "../../runtime/testing/open-tests.js";
import { WorkflowError } from "../../runtime/workflows/workflow-error.js";
import type { Context } from "../process/context.js";
import type { TestPath } from "./part.js";

interface TestCheck {
  readonly project: Project;
  readonly context: Context;
  readonly fix: boolean;
}

type CheckedTests =
  | {
      readonly kind: "checked";
      readonly understanding: Understanding;
      readonly text: string;
      readonly unwritten: boolean;
    }
  | { readonly kind: "unopened" };

export function checkTests(test: TestPath, { project, context, fix }: TestCheck): CheckedTests {
  const { env, encoding } = context;
  if (fix) context.note(`${test.shown} is left as it is: --fix is for sheets of workflows`);
  try {
    const { tests, text } = openTests(test, { project, env, encoding });
    const understanding = { file: tests.file, sheet: null, graphs: [], diagnostics: tests.diagnostics };
    return { kind: "checked", understanding, text, unwritten: false };
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    context.fail(error.message, error.help);
    return { kind: "unopened" };
  }
}
