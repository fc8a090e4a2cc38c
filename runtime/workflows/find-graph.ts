import { suggest } from "../../compiler/diagnostics/suggest.js";
import { worksheetNamed } from "../../compiler/diagnostics/worksheet.js";
import type { Folders } from "../config/folders.js";
import { type FoundSheets, type SheetPath, sheetsInFolder } from "./find-sheets.js";
import { sheetNameOf } from "./library.js";
import { graphNamesIn } from "./read-sheet.js";
import { WorkflowError } from "./workflow-error.js";

/** The workflows folder with its subfolders. Without a configuration only the working folder itself. */
export function projectSheets(cwd: string, folders: Folders): FoundSheets {
  return folders.file === null
    ? sheetsInFolder(cwd, cwd, false)
    : sheetsInFolder(cwd, folders.workflows, true);
}

export interface GraphSearch {
  readonly sheets: readonly SheetPath[];
  /** A graph's name, or `sheet::Graph`. Null: the only graph. */
  readonly graph: string | null;
  readonly folders: Folders;
  readonly encoding: string | null;
}

interface Candidate {
  readonly sheet: SheetPath;
  readonly name: string;
  readonly full: string;
  /** `Triage::Graph`, of a worksheet. */
  readonly short: string | null;
}

export function findGraph(search: GraphSearch): SheetPath & { readonly path: string } {
  const { sheets, graph, folders, encoding } = search;
  const all = sheets.flatMap((sheet) => graphsOf(sheet, folders, encoding));
  const found =
    graph === null ? all : all.filter(({ name, full, short }) => [name, full, short].includes(graph));
  const [first] = found;
  if (first === undefined || first.sheet.path === null) throw unknown(graph, all);
  if (found.length === 1) return { ...first.sheet, path: first.sheet.path };
  throw severalGraphs(graph, found);
}

function graphsOf(sheet: SheetPath, { workflows }: Folders, encoding: string | null): readonly Candidate[] {
  const { path, shown, named } = sheet;
  if (path === null) return [];
  const names = [...graphNamesIn({ path, shown, encoding }, named)];
  const worksheet = worksheetNamed(path)?.worksheet ?? null;
  return names.map((name) => ({
    sheet,
    name,
    full: `${sheetNameOf(path, workflows)}::${name}`,
    short: worksheet === null ? null : `${worksheet}::${name}`,
  }));
}

function unknown(graph: string | null, all: readonly Candidate[]): WorkflowError {
  if (graph === null) return new WorkflowError("graph_unknown", "there is no graph in these sheets");
  const near = suggest(graph, [...new Set(all.map(({ name }) => name))]);
  const others = near === null ? `there are: ${listed(all)}` : `did you mean ${JSON.stringify(near)}?`;
  const help = all.length === 0 ? null : others;
  return new WorkflowError("graph_unknown", `no sheet has a graph ${JSON.stringify(graph)}`, { help });
}

function severalGraphs(graph: string | null, found: readonly Candidate[]): WorkflowError {
  const what =
    graph === null ? "there are several graphs" : `several sheets have a graph ${JSON.stringify(graph)}`;
  const help = "name the one that is meant";
  return new WorkflowError("graph_needed", `${what}: ${listed(found)}`, { help });
}

const MOST = 20;

function listed(graphs: readonly Candidate[]): string {
  const names = graphs.map(({ name }) => name);
  const shorts = graphs.map(({ short, full }) => short ?? full);
  const areClear = (all: readonly string[]): boolean => new Set(all).size === all.length;
  const shown = [names, shorts].find(areClear) ?? graphs.map(({ full }) => full);
  const more = shown.length > MOST ? ` and ${shown.length - MOST} more` : "";
  return `${shown.slice(0, MOST).join(", ")}${more}`;
}
