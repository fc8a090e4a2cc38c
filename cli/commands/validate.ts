import { decode } from "../../compiler/1-parse/text/encoding.js";
import type { BookPage } from "../../compiler/1-parse/workbook/book-page.js";
import { hooksOfOthers } from "../../compiler/2-analyze/settings/check-webhook.js";
import { type Understanding, understandSheet } from "../../compiler/compile.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { isChosen } from "../../compiler/service/fix-rounds.js";
import type { TypeFindings } from "../../compiler/type-check/check-types.js";
import type { World } from "../../compiler/world.js";
import type { Folders } from "../../runtime/config/folders.js";
import type { RunFit } from "../../runtime/durable/edits/moves.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import type { Library } from "../../runtime/workflows/library.js";
import {
  isOtherTable,
  type SheetContent,
  sourceOf,
  understandContent,
} from "../../runtime/workflows/read-sheet.js";
import { WorkflowError } from "../../runtime/workflows/workflow-error.js";
import { EXIT, UsageError } from "../failure.js";
import type { Mending } from "../fix/mend.js";
import { mendingOf } from "../fix/mending.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { optimizeLater } from "../process/optimizing.js";
import { openProject, sheetsToRead } from "../project.js";
import { type Findings, type Format, formatOf, writeFindings } from "../report.js";
import { describeFit } from "../runs/describe-fit.js";
import { isNothing, partTests } from "../sheets/collect.js";
import { createWorksheetWatch } from "../sheets/passed-worksheets.js";
import { passedOver, readContent, surroundingsOf } from "../sheets/read.js";

interface Request {
  readonly strict: boolean;
  readonly mending: Mending | null;
  readonly format: Format;
  /** Looks which open runs do not fit the sheets; null when it was not asked for. */
  readonly runs: (() => Promise<readonly RunFit[]>) | null;
}

export interface CheckedSheet {
  readonly understanding: Understanding;
  readonly text: string;
  /** A fix that could not be written makes the exit code a failure. */
  readonly unwritten?: boolean;
}

export type Checked = CheckedSheet | "passed over" | "unopened";

/** `flowsheet validate`: all problems of all sheets that are named, or of the configuration when only that is. */
export async function validate(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const section = given.text("section");
  const sheetsNamed = operands.length + given.list("csv").length > 0;
  if (section !== null || (context.config !== null && !sheetsNamed)) {
    if (sheetsNamed) throw new UsageError("--section is for the configuration, not for sheets");
    if (given.flag("checkRuns"))
      throw new UsageError("--check-runs is for sheets, not for the configuration");
    return (await import("./validate-config.js")).validateConfiguration(context, given);
  }
  const folders = openProject(context);
  const named = { operands, csv: given.list("csv") };
  const { tests, others } = partTests(context.cwd, named);
  const sheets = tests.length > 0 && isNothing(others) ? [] : await sheetsToRead(context, folders, others);
  const runs = async (): Promise<readonly RunFit[]> =>
    (await import("../runs/check-runs.js")).fitsOf(context, folders, sheetsNamed ? sheets : null);
  const request = requestOf(given, given.flag("checkRuns") ? runs : null);
  const isTyped = given.flag("types");
  const compiled = isTyped ? await import("../compile/agent-files.js") : null;
  const around = surroundingsOf(context, folders, sheets, { unknownAgent: "warning", ...compiled });
  const checked: Checked[] = [];
  const { watched, passedOver: worksheetsPassed } = createWorksheetWatch();
  for (const sheet of sheets) {
    context.detail(`checking ${sheet.shown}`);
    const world = watched(sheet, around.worldOf(sheet));
    checked.push(await checkSheet(sheet, world, request.mending, context));
    // The event loop runs between two sheets, so that Ctrl-C is noticed.
    if (sheets.length > 1) await new Promise((resume) => setImmediate(resume));
  }
  for (const line of worksheetsPassed(sheets)) context.note(line);
  if (tests.length > 0) {
    const { checkTests } = await import("../test/check-tests.js");
    for (const test of tests) checked.push(await checkTests(test, folders, context, request.mending));
  }
  if (!isTyped) return report(checked, request, context);
  const { library } = around;
  let types = await checkTypes(checked, folders, sheets, library, context);
  const { mending } = request;
  const typed = mending === null ? [] : types.diagnostics.filter((one) => isChosen(one, mending.choice));
  if (mending !== null && typed.length > 0) {
    for (const [index, sheet] of sheets.entries()) {
      const found = typed.filter(({ file }) => file === sheet.shown);
      const mended = await mendTypes(sheet, found, around.worldOf(sheet), mending, context);
      if (mended !== null) checked[index] = mended;
    }
    types = await checkTypes(checked, folders, sheets, library, context);
  }
  return report(checked, request, context, types);
}

/** Writes the types that agents declare into the cells of a sheet; null when there is nothing to write. */
async function mendTypes(
  sheet: SheetPath,
  found: readonly Diagnostic[],
  world: World,
  mending: Mending,
  context: Context,
): Promise<CheckedSheet | null> {
  const content = found.length === 0 ? null : await readContent(sheet, context);
  if (content?.kind !== "bytes") return null;
  const { mendSheet } = await import("../fix/mend.js");
  const understand = understanderOf(sheet, world);
  const mended = await mendSheet({ ...content, sheet, understand, found }, mending, context);
  return typeof mended === "string" ? null : mended;
}

const understanderOf =
  ({ shown }: SheetPath, world: World) =>
  (bytes: Uint8Array, book?: BookPage): Understanding =>
    understandSheet(
      sourceOf({ shown, encoding: null }, book === undefined ? { bytes } : { bytes, book }),
      world,
    );

/** Type errors in the modules that `compile` would write; none is written. */
async function checkTypes(
  checked: readonly Checked[],
  folders: Folders,
  sheets: readonly SheetPath[],
  library: Library,
  context: Context,
): Promise<TypeFindings> {
  const { createProjectGraphs } = await import("../compile/project-graphs.js");
  const { createEmitter } = await import("../compile/modules.js");
  const { findTypeProblems } = await import("../types/check.js");
  const understood = sheetsIn(checked).map(({ understanding }) => understanding);
  const { cwd } = context;
  const project = createProjectGraphs({ sheets, understood, library, folders, cwd, there: [] });
  const out = folders.generated;
  const emit = createEmitter(folders, out, { modules: project });
  return findTypeProblems(context, folders, understood, project, out, emit);
}

function requestOf(given: Given, runs: Request["runs"]): Request {
  const format = formatOf(given);
  if (given.flag("dryRun") && format !== "text")
    throw new UsageError("--dry-run shows a diff; it has no other format");
  return {
    strict: given.flag("strict"),
    mending: mendingOf(given),
    format,
    runs,
  };
}

async function checkSheet(
  sheet: SheetPath,
  world: World,
  mending: Mending | null,
  context: Context,
): Promise<Checked> {
  const content = await readSheet(sheet, context);
  if (content === null) return "unopened";
  if (content.kind === "too-large") return { understanding: content.understanding, text: "" };
  const { bytes } = content;
  optimizeLater(bytes);
  if (!sheet.named && isOtherTable(content, context.encoding)) {
    context.note(passedOver(sheet));
    return "passed over";
  }
  const mended =
    mending === null
      ? "left"
      : await (await import("../fix/mend.js")).mendSheet(
          { ...content, sheet, understand: understanderOf(sheet, world) },
          mending,
          context,
        );
  if (typeof mended !== "string") return mended;
  const { encoding } = context;
  const understanding = understandContent(content, { shown: sheet.shown, encoding, world });
  const text = understanding.sheet?.text ?? decode(bytes, encoding ?? undefined).text;
  return { understanding, text, unwritten: mended === "unwritten" };
}

/** Null for a sheet that cannot be read. This was reported, and the other sheets are still checked. */
async function readSheet(sheet: SheetPath, context: Context): Promise<SheetContent | null> {
  try {
    return await readContent(sheet, context);
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    context.fail(error.message, error.help);
    return null;
  }
}

const sheetsIn = (all: readonly Checked[]): readonly CheckedSheet[] =>
  all.filter((one) => typeof one !== "string");

async function report(
  all: readonly Checked[],
  request: Request,
  context: Context,
  types: TypeFindings = { diagnostics: [], sources: new Map() },
): Promise<number> {
  const checked = sheetsIn(all);
  const findings: Findings = {
    diagnostics: [
      ...checked.flatMap(({ understanding }) => understanding.diagnostics),
      ...hooksOfOthers(checked.map(({ understanding }) => understanding)),
      ...types.diagnostics,
    ],
    sources: new Map([
      ...checked.map(({ understanding, text }) => [understanding.file, text] as const),
      ...types.sources,
    ]),
    graphs: checked.flatMap(({ understanding }) => understanding.graphs),
    nodes: checked.reduce((sum, { understanding }) => sum + (understanding.sheet?.rows.length ?? 0), 0),
  };
  // The diff of a dry run is its data on stdout, so remaining problems go to stderr.
  const output = request.mending?.mode === "show" ? context.stderr : context.stdout;
  const fits = (await request.runs?.()) ?? null;
  if (checked.length > 0) await writeFindings(findings, request.format, context, output, jsonRuns(fits));
  else if (all.every((one) => one === "passed over")) context.fail("there is no sheet among these files");
  if (checked.length === 0 || all.includes("unopened") || checked.some(({ unwritten }) => unwritten === true))
    return EXIT.usage;
  const { diagnostics } = findings;
  const code = await tellRuns(fits, request.format, context);
  if (code !== EXIT.done) return code;
  return diagnostics.some(({ severity }) => request.strict || severity === "error")
    ? EXIT.findings
    : EXIT.done;
}

const jsonRuns = (fits: readonly RunFit[] | null): object =>
  fits === null ? {} : { runs: fits.map(describeFit) };

/** With another format, stdout holds only that: the runs are told beside it. */
async function tellRuns(fits: readonly RunFit[] | null, format: Format, context: Context): Promise<number> {
  if (fits === null) return EXIT.done;
  const { isBehind, tellFits } = await import("../runs/check-runs.js");
  if (format === "json") return isBehind(fits) ? EXIT.findings : EXIT.done;
  return tellFits(fits, context, format === "text" ? context.stdout : context.stderr);
}
