import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** The program that serves a workspace folder, or why there is none. */
export type Program = { readonly path: string } | { readonly missing: string };

/** The setting `flowsheet.path`, else the program that the folder's project has installed. */
export function findProgram(
  folder: string,
  setting: string,
  platform: NodeJS.Platform = process.platform,
): Program {
  const named = setting.trim();
  if (named !== "") {
    const path = isAbsolute(named) ? named : join(folder, named);
    return existsSync(path) ? { path } : { missing: `flowsheet.path names ${path}, which is not there` };
  }
  const path = join(folder, "node_modules", ".bin", platform === "win32" ? "flowsheet.cmd" : "flowsheet");
  if (existsSync(path)) return { path };
  return { missing: "flowsheet is not installed in this folder: run npm install --save-dev flowsheet" };
}

/** Only a shell starts a `.cmd` file. Then the path stands in quotes. */
export function startOf(path: string): { readonly command: string; readonly shell: boolean } {
  const shell = /\.(?:cmd|bat)$/i.test(path);
  return { command: shell ? `"${path}"` : path, shell };
}

/** Whether a text may be a sheet or a test sheet, so that a missing program is worth a word. */
export function looksLikeSheet(file: string, text: string): boolean {
  const head = text.slice(0, 2000).toLowerCase();
  if (/\.test\.csv$/i.test(file)) return /(?:^|[\n,;\t"])case[",;\t]/.test(head);
  return /(?:graph|workflow)[ _-]?name/.test(head) && /(?:node|step)[ _-]?name/.test(head);
}
