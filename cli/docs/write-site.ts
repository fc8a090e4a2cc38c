import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { reasonOf } from "../../runtime/workflows/open-file.js";
import { EXIT, UsageError } from "../failure.js";
import { checkMade, writeMade } from "../output-file.js";
import type { Context } from "../process/context.js";
import { countText } from "../report.js";
import { isPageOf } from "./frame.js";

export interface SiteToWrite {
  /** The folder, as the command line names it. */
  readonly out: string;
  /** The text of each page by its file name. */
  readonly site: ReadonlyMap<string, string>;
  /** The sheets that were read, as their pages name them. */
  readonly read: ReadonlySet<string> | "any";
  readonly isCheck: boolean;
  readonly isClean: boolean;
}

/** Writes all pages or, when a file of somebody else is in the way, none. */
export async function writeSite(to: SiteToWrite, context: Context): Promise<number> {
  const { out, site, isCheck, isClean } = to;
  const stale = stalePages(to, context);
  const quiet = { ...context, note: context.detail };
  const pages = [...site].map(([name, text]) => ({ out: join(out, name), text }));
  const code = isCheck ? checkMade(pages, quiet) : await writeMade(pages, quiet);
  for (const name of stale) {
    const shown = join(out, name);
    if (isClean && !isCheck) removePage(shown, context);
    else context.note(`${shown} is made from no graph any more; --clean removes it`);
  }
  if (isCheck && (code !== EXIT.done || stale.length > 0)) return EXIT.findings;
  const first = relative(context.cwd, resolve(context.cwd, out, "index.html"));
  const count = countText(site.size, "page");
  context.note(isCheck ? `${count} up to date` : `wrote ${count}: open ${first}`);
  return code;
}

/** Pages of this command whose sheet was read and has no such graph any more. */
function stalePages({ out, site, read }: SiteToWrite, { cwd }: Context): readonly string[] {
  const folder = resolve(cwd, out);
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".html") && !site.has(entry.name))
      .flatMap(({ name }) => (isPageOf(readFileSync(join(folder, name), "utf8"), read) ? [name] : []));
  } catch (error) {
    throw new UsageError(`cannot read the folder ${out}: ${reasonOf(error).why}`);
  }
}

function removePage(shown: string, { cwd }: Context): void {
  try {
    rmSync(resolve(cwd, shown), { force: true });
  } catch (error) {
    throw new UsageError(`cannot remove ${shown}: ${reasonOf(error).why}`);
  }
}
