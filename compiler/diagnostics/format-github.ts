import type { AnyDiagnostic } from "./diagnostic.js";
import { aroundText, countOf, inOrder, LIST_LIMIT, type Sources, totalsText } from "./listing.js";
import { clip, visible } from "./visible.js";
import { fileItself } from "./worksheet.js";

const LINE_LIMIT = 2000;

/** Diagnostics as GitHub workflow commands, which appear as annotations on their lines. */
export function formatGithub(diagnostics: readonly AnyDiagnostic[], sources: Sources): string {
  const sorted = inOrder(diagnostics, sources);
  const commands = sorted.slice(0, LIST_LIMIT).map(command);
  if (sorted.length > LIST_LIMIT) commands.push(`::notice title=flowsheet::${escapeData(cutText(sorted))}`);
  return commands.map((line) => `${line}\n`).join("");
}

const cutText = (all: readonly AnyDiagnostic[]): string =>
  `${totalsText(countOf(all))}; the first ${LIST_LIMIT} are shown`;

function command(diagnostic: AnyDiagnostic): string {
  const properties = Object.entries(propertiesOf(diagnostic))
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
    .join(",");
  return `::${diagnostic.severity} ${properties}::${escapeData(bodyOf(diagnostic))}`;
}

function propertiesOf({ file, place, code }: AnyDiagnostic): { readonly [name: string]: string | number } {
  const path = visible(fileItself(file).replaceAll("\\", "/"));
  if (place === null) return { file: path, title: code };
  if (place.worksheet !== undefined) return { file: path, line: place.line, title: code };
  const lines = { file: path, line: place.line, endLine: place.endLine };
  // GitHub accepts columns only for annotations of a single line.
  const columns = place.line === place.endLine ? { col: place.column, endColumn: place.endColumn } : {};
  return { ...lines, ...columns, title: code };
}

function bodyOf(diagnostic: AnyDiagnostic): string {
  const { message, label, help } = diagnostic;
  return [message, help ?? label ?? "", aroundText(diagnostic)]
    .filter((line) => line !== "")
    .map((line) => visible(clip(line, LINE_LIMIT)))
    .join("\n");
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
