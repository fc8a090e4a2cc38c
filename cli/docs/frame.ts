import { createHash } from "node:crypto";
import { hasMark, MARK } from "../output-file.js";
import { html } from "./html.js";
import { STYLE } from "./look.js";

export interface Frame {
  /** The sheet that the page is made from; null for one of all sheets. */
  readonly sheet: string | null;
  readonly title: string;
  /** Text of HTML. */
  readonly body: string;
  /** The page's own script. */
  readonly script?: string;
}

/** A sheet's name as it stands in a page's comment: no name can end the comment. */
export const addressOf = (sheet: string): string => encodeURI(sheet);

/**
 * A whole page. It loads nothing, from here or elsewhere: its style is in it, and its one script is named by its hash, so
 * that no text of a sheet can become another.
 */
export function frame({ sheet, title, body, script = "" }: Frame): string {
  const hash = createHash("sha256").update(script).digest("base64");
  const scripts = script === "" ? "'none'" : `'sha256-${hash}'`;
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${scripts}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<!-- ${MARK} docs${sheet === null ? "" : ` from ${addressOf(sheet)}`}: edit the sheets, and make this page again -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}</main>
${script === "" ? "" : `<script>${script}</script>\n`}</body>
</html>
`;
}

/** True for a page of this command, and then for one of these sheets; one of all sheets is of no sheet. */
export function isPageOf(page: string, sheets: ReadonlySet<string> | "any"): boolean {
  if (!hasMark(page)) return false;
  const [, sheet] = / docs from (\S+): edit/.exec(page.slice(0, page.indexOf("-->"))) ?? [];
  return sheets === "any" || (sheet !== undefined && sheets.has(sheet));
}
