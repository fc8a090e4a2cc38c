import type { ReadResourceResult, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import { createReport } from "../../compiler/diagnostics/report.js";
import { drawMermaid } from "../draw/mermaid.js";
import { diagnosticsOf } from "../http/routes/workflows.js";
import { lookUp, mayUse, workflowsFor } from "../http/workflow-access.js";
import type { Workflow } from "../workflows/catalogue.js";
import { type McpCaller, may, offeredTo } from "./caller.js";

const ROOT = "flowsheet://";

export const TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: `${ROOT}sheets/{file}`,
    name: "sheet",
    title: "The text of a sheet",
    mimeType: "text/csv",
  },
  {
    uriTemplate: `${ROOT}diagnostics/{file}`,
    name: "diagnostics",
    title: "The problems of a sheet",
    mimeType: "application/json",
  },
  {
    uriTemplate: `${ROOT}graphs/{name}.mmd`,
    name: "graph",
    title: "A workflow as a Mermaid diagram",
    mimeType: "text/vnd.mermaid",
  },
];

export function listResources(caller: McpCaller): readonly Resource[] {
  if (!may(caller, "read")) return [];
  const sheets = [...sheetsFor(caller)].flatMap(([file, found]) => [
    ...(maySeeText(caller, found) ? [{ uri: uriOf("sheets", file), name: file, mimeType: "text/csv" }] : []),
    { uri: uriOf("diagnostics", file), name: `problems of ${file}`, mimeType: "application/json" },
  ]);
  const graphs = offeredTo(caller).map(({ name }) => ({
    uri: `${uriOf("graphs", name)}.mmd`,
    name: `picture of ${name}`,
    mimeType: "text/vnd.mermaid",
  }));
  return [...sheets, ...graphs];
}

const uriOf = (kind: string, name: string): string => `${ROOT}${kind}/${encodeURIComponent(name)}`;

/** Null where there is none, or none for the caller. */
export function readResource(caller: McpCaller, uri: string): ReadResourceResult | null {
  const [, kind = "", rest = ""] = /^flowsheet:\/\/(sheets|diagnostics|graphs)\/(.+)$/s.exec(uri) ?? [];
  const name = decoded(rest);
  if (name === null || !may(caller, "read")) return null;
  const found = kind === "graphs" ? graphOf(caller, name) : sheetOf(caller, kind, name);
  return found === null ? null : { contents: [{ uri, ...found }] };
}

interface Content {
  readonly mimeType: string;
  readonly text: string;
}

function graphOf(caller: McpCaller, file: string): Content | null {
  const found = file.endsWith(".mmd") ? lookUp(caller, file.slice(0, -".mmd".length)) : null;
  if (found?.kind !== "found") return null;
  return { mimeType: "text/vnd.mermaid", text: drawMermaid(found.workflow.ir) };
}

function sheetOf(caller: McpCaller, kind: string, file: string): Content | null {
  const found = sheetsFor(caller).get(file);
  if (found === undefined) return null;
  if (kind === "diagnostics")
    return { mimeType: "application/json", text: JSON.stringify(reportOf(caller, found)) };
  const text = found[0]?.understanding?.sheet?.text;
  return text === undefined || !maySeeText(caller, found) ? null : { mimeType: "text/csv", text };
}

/** The workflows of each sheet that the caller may use. */
function sheetsFor(caller: McpCaller): ReadonlyMap<string, readonly Workflow[]> {
  const sheets = new Map<string, Workflow[]>();
  for (const workflow of workflowsFor(caller)) {
    if (workflow.sheet === null) continue;
    sheets.set(workflow.sheet, [...(sheets.get(workflow.sheet) ?? []), workflow]);
  }
  return sheets;
}

/** Prompts and settings are the author's: over HTTP whoever may write sees them, where no graph is hidden. */
const maySeeText = (caller: McpCaller, [first]: readonly Workflow[]): boolean =>
  may(caller, "write") &&
  (first?.understanding?.graphs ?? []).every(({ name }) =>
    mayUse(caller, { graph: name, sheet: first?.sheet ?? null }),
  );

/** True when the caller is told of every graph of the sheet. */
const isWhole = (found: readonly Workflow[]): boolean =>
  (found[0]?.understanding?.graphs ?? []).every(({ name }) =>
    found.some(({ graphName }) => graphName === name),
  );

/** All that is wrong with a sheet, or what concerns the graphs that the caller may use. */
function reportOf(caller: McpCaller, found: readonly Workflow[]): object {
  const { understanding = null } = found[0] ?? {};
  if (caller.graphs !== null || understanding === null || !isWhole(found))
    return { diagnostics: [...new Set(found.flatMap((one) => diagnosticsOf(one)))] };
  const { diagnostics, file, sheet, graphs } = understanding;
  return createReport(diagnostics, new Map([[file, sheet?.text ?? ""]]), graphs);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
