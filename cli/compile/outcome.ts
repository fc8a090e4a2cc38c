import { relative } from "node:path";
import type { OutputError } from "../../compiler/output/output-error.js";
import { type Action, diffOutput, type PlannedFile, writeOutput } from "../../compiler/output/plan.js";
import { nameFrom } from "../../runtime/workflows/find-sheets.js";
import { reasonOf } from "../../runtime/workflows/open-file.js";
import { EXIT, UsageError } from "../failure.js";
import type { Context } from "../process/context.js";
import { countText } from "../report.js";

type Plan = readonly PlannedFile[];

/** An error of the file system is one that the user can fix. */
export function outputFault({ path, verb, cause }: OutputError, cwd: string): UsageError {
  const code = "code" in cause ? cause.code : null;
  // Both codes mean that a part of the path is not a folder.
  const isBlocked = code === "ENOTDIR" || code === "EEXIST";
  const why = code === null ? cause.message : isBlocked ? "a file is in its way" : reasonOf(cause).why;
  const cure = `see that this user can ${verb} it, or choose another folder with --out`;
  return new UsageError(`cannot ${verb} ${nameFrom(cwd, path) || "."}: ${why}`, cure);
}

/** `--check`: nothing is written; what differs is shown as a diff. */
export async function checkPlan(context: Context, plan: Plan): Promise<number> {
  const off = plan.filter(({ action }) => action !== "unchanged");
  if (off.length === 0) {
    context.note(`${countText(plan.length, "file")} up to date`);
    return EXIT.done;
  }
  context.stdout.write(await diffOutput(off));
  context.fail(
    `${countText(off.length, "generated file")} out of date`,
    `run: flowsheet compile${off.some(({ action }) => action === "stale") ? " --clean" : ""}`,
  );
  return EXIT.findings;
}

/** Why a file is not overwritten, and the cure. */
const REFUSED: { readonly [action in Action]?: readonly [why: string, cure: string] } = {
  foreign: [
    "was not written by flowsheet, so it is left alone",
    "move it away, or choose another folder with --out",
  ],
  linked: ["is a symbolic link, so it is left alone", "remove the link, or choose another folder with --out"],
};

const shownIn = ({ cwd }: Context, out: string, name: string): string =>
  `${relative(cwd, out) || "."}/${name}`;

/** Says which files of a plan are somebody else's; true when there are any, so that nothing is written. */
export function tellRefused(context: Context, out: string, plan: Plan): boolean {
  const refused = plan.filter(({ action }) => REFUSED[action] !== undefined);
  for (const { name, action } of refused) {
    const [why, cure] = REFUSED[action] ?? ["", ""];
    context.fail(`${shownIn(context, out, name)} ${why}`, cure);
  }
  return refused.length > 0;
}

/** Writes the files of a plan, and says what became of each. */
export async function writePlan(context: Context, out: string, plan: Plan): Promise<void> {
  await writeOutput(out, plan);
  for (const { name, action } of plan) {
    const shown = shownIn(context, out, name);
    if (action === "stale") context.note(`${shown} is made from no sheet any more; --clean removes it`);
    else if (!context.quiet) context.stdout.write(`${action.padEnd(9)} ${shown}\n`);
  }
}
