import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { createPaint } from "../../compiler/diagnostics/paint.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { type Compared, Comparing } from "../diff/compare.js";
import { comparedText } from "../diff/text.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject, sheetsToRead } from "../project.js";
import { sourcesOf, tellProblems } from "../report.js";
import { fitsOf, isBehind, openStore, tellFits } from "../runs/check-runs.js";
import { describeFit } from "../runs/describe-fit.js";
import { understandFiles } from "../sheets/read.js";

/** `flowsheet diff`: what has changed in sheets since their last runs began. */
export async function diff(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const { env, encoding, stdout } = context;
  const project = openProject(context);
  const csv = given.list("csv");
  const sheets = (await sheetsToRead(context, project, { operands, csv })).map(inFile);
  const about = { unknownAgent: "warning" } as const;
  const { understood } = await understandFiles(context, project, sheets, about, context.note);
  const diagnostics = understood.flatMap((one) => one.diagnostics);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  await tellProblems(errors, sourcesOf(understood), context);
  if (errors.length > 0) return EXIT.findings;
  const store = await openStore(project);
  const compared: Compared[] = [];
  try {
    const comparing = new Comparing({ project, env, store });
    for (const sheet of sheets) {
      const graphs = understood.find(({ file }) => file === sheet.shown)?.graphs ?? [];
      compared.push(...(await comparing.compare({ ...sheet, encoding }, graphs)));
    }
  } finally {
    await store?.close();
  }
  const isWhole = operands.length === 0 && csv.length === 0;
  const fits = given.flag("checkRuns") ? await fitsOf(context, project, isWhole ? null : sheets) : null;
  if (given.flag("json")) {
    const runs = fits === null ? {} : { runs: fits.map(describeFit) };
    stdout.write(jsonText({ graphs: compared.map(describe), ...runs }));
    return fits !== null && isBehind(fits) ? EXIT.findings : EXIT.done;
  }
  const paint = createPaint(context.color(stdout));
  stdout.write(compared.map((one) => comparedText(one, paint)).join("\n"));
  if (fits === null) return EXIT.done;
  if (fits.length > 0) stdout.write("\n");
  return tellFits(fits, context, stdout);
}

function inFile({ path, ...sheet }: SheetPath): SheetPath & { readonly path: string } {
  if (path !== null) return { ...sheet, path };
  throw new UsageError("diff compares sheets with what runs began with, so it needs their files");
}

const describe = ({ graph, sheet, from, to, since, changes }: Compared): object => ({
  ...{ graph, sheet, from, to },
  last_run: since === null ? null : { run_id: since.runId, created_at: since.created },
  changes,
});
