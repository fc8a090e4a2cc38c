import { resolve } from "node:path";
import { openTests } from "../../runtime/testing/open-tests.js";
import { WorkflowError } from "../../runtime/workflows/workflow-error.js";
import type { CaseTold } from "../docs/examples.js";
import { addressOf } from "../docs/frame.js";
import { makeSite } from "../docs/site.js";
import { writeSite } from "../docs/write-site.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject, sheetsToRead } from "../project.js";
import { sourcesOf, tellProblems } from "../report.js";
import { understandFiles } from "../sheets/read.js";
import { findTests } from "../test/find.js";

/** `flowsheet docs`: a page for each graph, to be read without this program. Nothing is run. */
export async function docs(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const out = given.text("out") ?? "workflow-docs";
  const project = openProject(context);
  const csv = given.list("csv");
  // Test sheets are read, too: that they are no sheets is no news.
  const { cwd, detail } = context;
  const sheets = await sheetsToRead({ cwd, note: detail }, project, { operands, csv });
  const about = { unknownAgent: "warning" } as const;
  const { understood } = await understandFiles(context, project, sheets, about, context.note);
  const problems = understood.flatMap(({ diagnostics }) => diagnostics);
  const hasErrors = problems.some(({ severity }) => severity === "error");
  if (hasErrors) {
    await tellProblems(problems, sourcesOf(understood), context);
    return EXIT.findings;
  }
  const graphs = understood.flatMap((one) => one.graphs);
  if (graphs.length === 0) throw new UsageError("there is no graph in these sheets");
  const cases = await casesOf(context);
  const isOf =
    (file: string, name: string) =>
    ({ one }: CaseTold): boolean =>
      one.graph.name === name && resolve(context.cwd, one.graph.file) === resolve(context.cwd, file);
  const site = await makeSite(
    graphs.map((graph) => ({ graph, cases: cases.filter(isOf(graph.file, graph.name)) })),
  );
  const isAll = operands.length === 0 && csv.length === 0;
  const read = isAll ? "any" : new Set(sheets.map(({ shown }) => addressOf(shown)));
  const [isCheck, isClean] = [given.flag("check"), given.flag("clean")];
  return writeSite({ out, site, read, isCheck, isClean }, context);
}

/** The cases of the project's test sheets that are in order. What is wrong with others, `flowsheet test` tells. */
async function casesOf(context: Context): Promise<readonly CaseTold[]> {
  const { env, encoding, detail } = context;
  const project = openProject(context);
  const { tests } = await findTests(context, project, []).catch((error: unknown) => {
    if (error instanceof UsageError) return { tests: [] };
    throw error;
  });
  return tests.flatMap((test) => {
    try {
      const opened = openTests(test, { project, env, encoding });
      return opened.tests.cases.map((one) => ({ file: opened.tests.file, one }));
    } catch (error) {
      if (!(error instanceof WorkflowError)) throw error;
      detail(error.message);
      return [];
    }
  });
}
