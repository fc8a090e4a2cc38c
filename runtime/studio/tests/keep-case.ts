import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { visible } from "../../../compiler/diagnostics/visible.js";
import { answersJson, BODY_PROBLEMS } from "../../http/openapi/operation.js";
import { json } from "../../http/request/answer.js";
import { readJson } from "../../http/request/body.js";
import { HttpProblem, inputInvalid } from "../../http/request/problem.js";
import type { RequestContext, Route } from "../../http/route.js";
import { sheetOf } from "../../http/routes/served-runs.js";
import { createRedactor } from "../../runs/redact.js";
import type { OpenedTests } from "../../testing/open-tests.js";
import { openTests } from "../../testing/open-tests.js";
import { type CaseResult, createTestRunner } from "../../testing/run-tests.js";
import { WorkflowError } from "../../workflows/workflow-error.js";
import { mustBeLocal } from "../only-local.js";
import { bytesOf, readOnlyReason } from "../read-only.js";
import { findSheet, type NamedSheet, shelfOf } from "../sheet-access.js";
import { testNameOf } from "../shelf.js";
import { mustBeWritable, noteWrite, WRITE_PROBLEMS, writing } from "../writing.js";
import { firstCase, withCase } from "./append-case.js";
import { type CaseOfRun, caseOfRun, cellsOf, loosened, type RecordedRun, whyNoCase } from "./case-of-run.js";
import { describeCase } from "./case-outcome.js";

/** Such a cell would be a comment, or a formula to a spreadsheet program. */
const MEANT_OTHERWISE = /^(?:[=+\-@]|#(?= |$)|\/\/)/;
const CASE_NAME =
  "the name of a case begins with none of = + - @ # //, and has no line ends and no signs that cannot be seen";

const keepBody = z
  .strictObject({
    sheet: z.string(),
    run_id: z.string(),
    case: z.string().trim().min(1).max(200).meta({ description: "What the case is called." }),
  })
  .meta({ id: "StudioKeepCase" });

const keptBody = z
  .object({
    file: z.string().meta({ description: "The test sheet." }),
    case: z.string(),
    outcome: z
      .looseObject({})
      .meta({ description: "What came of the case at once, as `case_end` tells it." }),
  })
  .meta({ id: "StudioKeptCase" });

export const keepCase: Route = {
  method: "POST",
  path: "/studio/api/tests/cases",
  permission: "write",
  operation: {
    operationId: "studioKeepCase",
    summary: "Keep a run as a case of the sheet's test sheet. Only the Studio of one machine does that",
    tag: "studio",
    body: { "application/json": { schema: keepBody } },
    answers: { "201": answersJson(keptBody, "The case is written, and was run once.") },
    problems: [...BODY_PROBLEMS, ...WRITE_PROBLEMS, "run_not_found", "workflow_invalid"],
  },
  handle: async (context) => {
    mustBeLocal(context);
    mustBeWritable(context);
    const { service } = context;
    const body = await readJson(context, keepBody);
    if (MEANT_OTHERWISE.test(body.case) || visible(body.case) !== body.case)
      throw inputInvalid([{ pointer: "/case", message: CASE_NAME }]);
    const sheet = await findSheet(context, body.sheet);
    if (sheet === null) throw new HttpProblem("sheet_not_found");
    const recorded = await recordedRun(context, sheet, body.run_id);
    const file = testFileOf(context, sheet);
    const known = await shelfOf(service).list();
    const made = caseOfRun(recorded, {
      redact: createRedactor(service.env, service.project),
      graphs: known.find(({ name }) => name === sheet.name)?.graphs ?? [],
    });
    const { kept, result, opened } = await tried(context, file, { made, name: body.case, recorded });
    await writing(context, file, (before) => Buffer.from(kept(before)));
    noteWrite(context, file.name, { cases: 1 });
    return json({ file: file.name, case: body.case, outcome: describeCase(result, opened) }, 201);
  },
};

async function recordedRun(
  { service }: RequestContext,
  { name }: NamedSheet,
  runId: string,
): Promise<RecordedRun> {
  const runs = await service.runner.kept();
  const run = (await runs?.executor.get(runId)) ?? null;
  if (runs === null || run === null || sheetOf(service, run) !== name) throw new HttpProblem("run_not_found");
  const [steps, waits] = await Promise.all([runs.executor.steps(runId), runs.executor.waits(runId)]);
  const recorded = { run, steps, waits };
  const why = whyNoCase(recorded);
  if (why !== null) throw new HttpProblem("edit_invalid", { detail: why });
  return recorded;
}

/** The test sheet beside a sheet, or its place. */
function testFileOf({ service }: RequestContext, { name, path }: NamedSheet): NamedSheet {
  const known = shelfOf(service).testOf(name);
  if (known !== null) return known;
  if (!/\.csv$/i.test(path))
    throw new HttpProblem("sheet_read_only", { detail: "cases of a workbook are written in the workbook" });
  return { name: testNameOf(name), path: testNameOf(path) };
}

interface Wish {
  readonly made: CaseOfRun;
  readonly name: string;
  readonly recorded: RecordedRun;
}

interface Tried {
  /** The text of the test sheet with the case. */
  readonly kept: (before: Buffer | null) => string;
  readonly result: CaseResult;
  readonly opened: OpenedTests;
}

/** Tries the case as it is, at the time of the run, and with values that change held to their kind. */
async function tried(
  context: RequestContext,
  file: NamedSheet,
  { made, name, recorded }: Wish,
): Promise<Tried> {
  const { run } = recorded;
  const first = await attempt(context, file, { made, name, recorded });
  if (isPassed(first)) return first;
  const atItsTime = {
    ...made,
    given: { ...made.given, $now: new Date(run.started ?? run.created).toISOString() },
  };
  const second = await attempt(context, file, { made: atItsTime, name, recorded });
  if (isPassed(second)) return second;
  const fields = first.result.mismatches.flatMap((one) => (one.column === "expect_state" ? one.fields : []));
  const third = await attempt(context, file, { made: loosened(made, fields), name, recorded });
  return isPassed(third) ? third : first;
}

const isPassed = ({ result }: Tried): boolean => result.mismatches.length === 0;

async function attempt(
  context: RequestContext,
  file: NamedSheet,
  { made, name, recorded }: Wish,
): Promise<Tried> {
  const { service, signal } = context;
  const { project, env, encoding, log } = service;
  const sources = { project, env, encoding };
  const { graph } = recorded.run;
  const kept = (before: Buffer | null): string => {
    const text = before === null ? null : textOf(file, before);
    const open = (bytes: string): OpenedTests => opening(file, sources, bytes);
    // With one graph a case need not name it.
    const cells = (areSeveral: boolean) => cellsOf(name, areSeveral ? graph : "", made);
    if (text === null) {
      const alone = open(firstCase(cells(false)));
      return firstCase(cells(alone.workflow.graphs.length > 1));
    }
    const { tests, workflow } = open(text);
    if (tests.sheet === null)
      throw new HttpProblem("edit_invalid", {
        detail: `${file.name} is no test sheet: flowsheet validate says why`,
      });
    if (tests.cases.some((one) => one.name === name && one.graph.name === graph))
      throw new HttpProblem("edit_invalid", { detail: `there is a case ${JSON.stringify(name)} already` });
    const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
    return mark + withCase(tests.sheet, cells(workflow.graphs.length > 1));
  };
  const opened = opening(file, sources, kept(bytesOf(file.path)));
  const one = opened.tests.cases.findLast((found) => found.name === name && found.graph.name === graph);
  if (one === undefined) {
    const why = opened.tests.diagnostics.at(-1)?.message ?? "its graph is not in the sheet any more";
    throw new HttpProblem("edit_invalid", { detail: `the run cannot be a case: ${why}` });
  }
  const redact = createRedactor(env, project);
  const runner = createTestRunner(opened, { project, env, signal, log, redact });
  return { kept, opened, result: await runner.run(one) };
}

function opening(
  { path, name }: NamedSheet,
  sources: Parameters<typeof openTests>[1],
  text: string,
): OpenedTests {
  try {
    return openTests({ path, shown: name, named: true }, sources, {
      kind: "bytes",
      bytes: Buffer.from(text),
    });
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    throw new HttpProblem("workflow_invalid", { detail: error.message });
  }
}

function textOf({ path }: NamedSheet, bytes: Buffer): string {
  const reason = readOnlyReason(path, bytes, false);
  if (reason !== null || !isUtf8(bytes))
    throw new HttpProblem("sheet_read_only", { detail: reason ?? undefined });
  return bytes.toString();
}
