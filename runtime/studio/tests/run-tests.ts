import { z } from "zod";
import type { CaseIR } from "../../../compiler/2-analyze/tests/case-ir.js";
import { answersText, BODY_PROBLEMS } from "../../http/openapi/operation.js";
import { readJson } from "../../http/request/body.js";
import { type SentEvent, streamOf } from "../../http/request/event-stream.js";
import { HttpProblem } from "../../http/request/problem.js";
import type { RequestContext, Route } from "../../http/route.js";
import { createRedactor } from "../../runs/redact.js";
import type { OpenedTests } from "../../testing/open-tests.js";
import { createTestRunner, placeOfCase } from "../../testing/run-tests.js";
import { mustBeLocal } from "../only-local.js";
import { describeCase } from "./case-outcome.js";
import { testsOf } from "./test-sheet.js";

const testsBody = z
  .strictObject({
    sheet: z.string(),
    case: z.string().optional().meta({ description: "Only the cases of this name." }),
    graph: z.string().optional().meta({ description: "Only the cases of this graph." }),
  })
  .meta({ id: "StudioTestRequest" });

export const runTests: Route = {
  method: "POST",
  path: "/studio/api/tests",
  permission: "execute",
  operation: {
    operationId: "studioRunTests",
    summary: "Run the cases of a sheet's test sheet. Only the Studio of one machine does that",
    tag: "studio",
    body: { "application/json": { schema: testsBody } },
    answers: {
      "200": answersText(
        "text/event-stream",
        "`case_start` and `case_end` of each case, and `tests_end` with the coverage.",
      ),
    },
    problems: [...BODY_PROBLEMS, "sheet_not_found", "workflow_invalid"],
  },
  handle: async (context) => {
    mustBeLocal(context);
    const asked = await readJson(context, testsBody);
    const opened = await testsOf(context, asked.sheet);
    if (opened === null) throw new HttpProblem("sheet_not_found", { detail: "the sheet has no test sheet" });
    const cases = opened.tests.cases.filter(
      ({ name, graph }) => name === (asked.case ?? name) && graph.name === (asked.graph ?? graph.name),
    );
    const { service, caller } = context;
    const stream = streamOf(run(context, opened, cases), { until: null });
    return { ...stream, write: (...to) => service.streams.use(caller, () => stream.write(...to)) };
  },
};

async function* run(
  context: RequestContext,
  opened: OpenedTests,
  cases: readonly CaseIR[],
): AsyncGenerator<SentEvent, undefined> {
  const { service, signal } = context;
  const { project, env, log } = service;
  const redact = createRedactor(env, project);
  const runner = createTestRunner(opened, { project, env, signal, log, redact });
  let passed = 0;
  for (const one of cases) {
    if (signal.aborted || service.slots.isClosed()) return;
    const { cell } = placeOfCase(opened, one);
    yield { type: "case_start", data: { case: one.name, graph: one.graph.name, cell } };
    const result = await runner.run(one);
    if (result.mismatches.length === 0) passed++;
    yield { type: "case_end", data: describeCase(result, opened) };
  }
  const failed = cases.length - passed;
  const problems = runner.diagnostics().map(({ message, place }) => ({ message, cell: place?.cell ?? null }));
  yield { type: "tests_end", data: { passed, failed, coverage: runner.coverage(), problems } };
}
