import { visible } from "../../compiler/diagnostics/visible.js";
import type { Project } from "../../runtime/config/folders.js";
import type { RunFit } from "../../runtime/durable/edits/moves.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import { EditedSheets } from "../../runtime/runs/kept/edited-sheets.js";
import { hasStore, openProjectStore } from "../../runtime/runs/kept/store-place.js";
import { createRedactor } from "../../runtime/runs/redact.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { EXIT } from "../failure.js";
import type { Context, Output } from "../process/context.js";
import { countText } from "../report.js";

/** How open runs stand to the sheets as they now are: to these and their callers, or to all. */
export async function fitsOf(
  { cwd, env, encoding }: Context,
  project: Project,
  sheets: readonly SheetPath[] | null,
): Promise<readonly RunFit[]> {
  const paths = sheets && new Set(sheets.flatMap(({ path }) => (path === null ? [] : [path])));
  const redact = createRedactor(env, project);
  const store = await openStore(project);
  try {
    return await new EditedSheets({ cwd, project, env, encoding, store, redact }).check(paths);
  } finally {
    await store?.close();
  }
}

/** Null when there is none: a check makes no file. */
export const openStore = async (project: Project): Promise<DurableStore | null> =>
  hasStore(project) ? openProjectStore(project) : null;

export const isBehind = (fits: readonly RunFit[]): boolean => fits.some((one) => !one.fits);

export function tellFits(fits: readonly RunFit[], context: Context, output: Output): number {
  if (fits.length === 0) context.note("every open run is of a sheet as it now is");
  const groups = groupedBy(
    fits,
    ({ graph, from, to, isFile, isGone }) => `${isFile} ${isGone} ${graph} ${from} ${to}`,
  );
  output.write(groups.map(groupText).join("\n"));
  return isBehind(fits) ? EXIT.findings : EXIT.done;
}

function groupText(group: readonly RunFit[]): string {
  const [{ graph, from, to, isFile, isGone }] = group as readonly [RunFit];
  const stay = groupedBy(
    group.filter((one) => !one.fits),
    ({ why }) => why ?? "",
  );
  const fit = group.filter((one) => one.fits).length;
  const name = visible(graph);
  const now = to === null ? (isGone === true ? "gone" : "unknown") : short(to);
  const lines = [`${name}  ${short(from)} → ${now}   ${countText(group.length, "open run")}`];
  if (fit > 0)
    lines.push(
      `${counted(fit, fit === 1 ? "fits" : "fit")}${fit === 1 ? "it" : "they"} may move: flowsheet runs move --all --graph ${name}`,
    );
  for (const runs of stay) {
    const verb = runs.length === 1 ? "stays" : "stay";
    lines.push(`${counted(runs.length, verb)}${visible(runs[0]!.why ?? "")}     ${idsText(runs)}`);
  }
  if (stay.length > 0) lines.push(isFile === true ? STALE : lasting(from));
  return `${lines.join("\n")}\n`;
}

const STALE = "Runs in files of an earlier version go on only with the sheet as it was (run_stale).";

const lasting = (from: string): string =>
  `Runs that stay go on with the sheet as it was (${short(from)}): nothing is lost.`;

const counted = (count: number, verb: string): string => `${`${count}`.padStart(4)} ${verb.padEnd(11)}`;

const SHOWN = 3;

function idsText(runs: readonly RunFit[]): string {
  const ids = runs.slice(0, SHOWN).map(({ runId }) => `${short(runId)}…`);
  return [...ids, ...(runs.length > SHOWN ? [`and ${runs.length - SHOWN} more`] : [])].join("  ");
}

/** Enough to tell one from another. */
const short = (id: string): string => id.slice(0, 4);

function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}
