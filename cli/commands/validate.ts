import { decode } from "../../compiler/1-parse/text/encoding.js";
import { type Understanding, understandSheet } from "../../compiler/compile.js";
import type { TypeFindings } from "../../compiler/type-check/check-types.js";
import type { World } from "../../compiler/world.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { isOtherTable, type SheetContent } from "../../runtime/workflows/read-sheet.js";
import { WorkflowError } from "../../runtime/workflows/workflow-error.js";
import { createSurroundings } from "../../runtime/workflows/world.js";
import type { ProjectSheets } from "../compile/project-graphs.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject, sheetsToRead } from "../project.js";
import { type Findings, type Format, formatOf, writeFindings } from "../report.js";
import { passedOver, readContent } from "../sheets/read.js";
import { isNothing, partTests } from "../test/part.js";

interface Request {
  readonly strict: boolean;
  readonly fix: "no" | "write" | "show";
  readonly format: Format;
}

type Checked =
  | {
      readonly kind: "checked";
      readonly understanding: Understanding;
      readonly text: string;
      /** A fix that could not be written makes the exit code a failure. */
      readonly unwritten: boolean;
    }
  | { readonly kind: "passed-over" | "unopened" };

/** `flowsheet validate`: all problems of all sheets that are named, or of the configuration when only that is. */
export async function validate(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const section = given.text("section");
  const sheetsNamed = operands.length + given.list("csv").length > 0;
  if (section !== null || (context.config !== null && !sheetsNamed)) {
    if (sheetsNamed) throw new UsageError("--section is for the configuration, not for sheets");
    return (await import("./validate-config.js")).validateConfiguration(context, given);
  }
  const request = requestOf(given);
  const folders = openProject(context);
  const named = { operands, csv: given.list("csv") };
  const { tests, others } = partTests(context.cwd, named);
  const sheets = tests.length > 0 && isNothing(others) ? [] : await sheetsToRead(context, folders, others);
  const { env, encoding } = context;
  const world = { folders, env, encoding, sheets, unknownAgent: "warning" } as const;
  const compiled = given.flag("types") ? await import("../compile/agent-files.js") : null;
  const { worldOf, library } = createSurroundings({ ...world, ...compiled });
  const checked: Checked[] = [];
  for (const sheet of sheets) {
    context.detail(`checking ${sheet.shown}`);
    checked.push(await checkSheet(sheet, worldOf(sheet), { request, context }));
    // The event loop runs between two sheets, so that Ctrl-C is noticed.
    if (sheets.length > 1) await new Promise((resume) => setImmediate(resume));
  }
  if (tests.length > 0) {
    const { checkTests } = await import("../test/check-tests.js");
    for (const test of tests)
      checked.push(checkTests(test, { project: folders, context, fix: request.fix !== "no" }));
  }
  let types = given.flag("types") ? await checkTypes(checked, { folders, sheets, library }, context) : null;
  if (types !== null && request.fix !== "no" && types.diagnostics.some(({ fix }) => fix?.safe === true)) {
    const { diagnostics } = types;
    for (const [index, sheet] of sheets.entries()) {
      const mended = await mendTypes(
        sheet,
        { diagnostics, world: worldOf(sheet), mode: request.fix },
        context,
      );
      if (mended !== null) checked[index] = { ...mended, kind: "checked", unwritten: false };
    }
    types = await checkTypes(checked, { folders, sheets, library }, context);
  }
  return report(checked, { ...request, types }, context);
}

interface TypeFixes {
  readonly diagnostics: TypeFindings["diagnostics"];
  readonly world: World;
  readonly mode: "write" | "show";
}

/** Writes the types that agents declare into the cells of a sheet; null when there is nothing to write. */
async function mendTypes(
  sheet: SheetPath,
  { diagnostics, world, mode }: TypeFixes,
  context: Context,
): Promise<{ readonly understanding: Understanding; readonly text: string } | null> {
  const found = diagnostics.filter(({ file, fix }) => file === sheet.shown && fix?.safe === true);
  const content = found.length === 0 ? null : await readContent(sheet, context);
  if (content?.kind !== "bytes") return null;
  const { mendSheet } = await import("../fix/mend.js");
  const mended = await mendSheet({ sheet, bytes: content.bytes, world, mode, found }, context);
  return mended.kind === "mended" ? mended : null;
}

/** Type errors in the modules that `compile` would write; none is written. */
async function checkTypes(
  checked: readonly Checked[],
  { folders, sheets, library }: Pick<ProjectSheets, "folders" | "sheets" | "library">,
  context: Context,
): Promise<TypeFindings> {
  const { createProjectGraphs } = await import("../compile/project-graphs.js");
  const { createEmitter } = await import("./compile.js");
  const { findTypeProblems } = await import("../types/check.js");
  const understood = checked.flatMap((one) => (one.kind === "checked" ? [one.understanding] : []));
  const { cwd } = context;
  const project = createProjectGraphs({ sheets, understood, library, folders, cwd, there: [] });
  const out = folders.generated;
  const emit = await createEmitter(folders, out, { modules: project });
  return findTypeProblems(context, { understood, folders, out, emit, project });
}

function requestOf(given: Given): Request {
  const format = formatOf(given);
  const show = given.flag("dryRun");
  if (show && format !== "text") throw new UsageError("--dry-run shows a diff; it has no other format");
  return { strict: given.flag("strict"), fix: show ? "show" : given.flag("fix") ? "write" : "no", format };
}

interface Task {
  readonly request: Request;
  readonly context: Context;
}

async function checkSheet(sheet: SheetPath, world: World, { request, context }: Task): Promise<Checked> {
  const content = await readSheet(sheet, context);
  if (content === null) return { kind: "unopened" };
  const checked = { kind: "checked", text: "", unwritten: false } as const;
  if (content.kind === "too-large") return { ...checked, understanding: content.understanding };
  const { bytes } = content;
  if (!sheet.named && isOtherTable(bytes, context.encoding)) {
    context.note(passedOver(sheet));
    return { kind: "passed-over" };
  }
  const { fix: mode } = request;
  const mended =
    mode === "no"
      ? null
      : await (await import("../fix/mend.js")).mendSheet({ sheet, bytes, world, mode }, context);
  if (mended?.kind === "mended")
    return { ...checked, understanding: mended.understanding, text: mended.text };
  const encoding = context.encoding ?? undefined;
  const understanding = understandSheet({ file: sheet.shown, bytes, ...(encoding && { encoding }) }, world);
  const text = understanding.sheet?.text ?? decode(bytes, encoding).text;
  return { ...checked, understanding, text, unwritten: mended?.kind === "unwritten" };
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

async function report(
  all: readonly Checked[],
  request: Request & { readonly types: TypeFindings | null },
  context: Context,
): Promise<number> {
  const checked = all.filter((one) => one.kind === "checked");
  const { diagnostics: ofTypes, sources: agents } = request.types ?? { diagnostics: [], sources: [] };
  const findings: Findings = {
    diagnostics: [...checked.flatMap(({ understanding }) => understanding.diagnostics), ...ofTypes],
    sources: new Map([
      ...checked.map(({ understanding, text }) => [understanding.file, text] as const),
      ...agents,
    ]),
    graphs: checked.flatMap(({ understanding }) => understanding.graphs),
  };
  // The diff of a dry run is its data on stdout, so remaining problems go to stderr.
  const output = request.fix === "show" ? context.stderr : context.stdout;
  if (checked.length > 0) await writeFindings(findings, request.format, { context, output });
  else if (all.every(({ kind }) => kind === "passed-over"))
    context.fail("there is no sheet among these files");
  if (
    checked.length === 0 ||
    all.some((one) => one.kind === "unopened" || (one.kind === "checked" && one.unwritten))
  ) {
    return EXIT.usage;
  }
  const { diagnostics } = findings;
  return diagnostics.some(({ severity }) => request.strict || severity === "error")
    ? EXIT.findings
    : EXIT.done;
}
