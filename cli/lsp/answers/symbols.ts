import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
  type CancellationToken,
  type DocumentSymbol,
  type SymbolInformation,
  SymbolKind,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { SheetDocument } from "../../../compiler/service/document.js";
import { documentSymbols, type SheetSymbol, workspaceSymbols } from "../../../compiler/service/symbols.js";
import type { Project } from "../../../runtime/config/folders.js";
import { projectSheets } from "../../../runtime/workflows/find-graph.js";
import { nameFrom } from "../../../runtime/workflows/find-sheets.js";
import { type Seen, seenOpen, textAt } from "../around/seen.js";
import type { Desk } from "../open/desk.js";
import { rangeOf } from "../open/places.js";
import type { Asked, FeaturesOptions } from "../requests.js";
import { textIn } from "../wire/wanted.js";

const KINDS = {
  graph: SymbolKind.Module,
  node: SymbolKind.Function,
  case: SymbolKind.Event,
} as const;

/** The graphs of a sheet with their nodes; the cases of a test sheet. */
export function outline({ file, view }: Asked): readonly DocumentSymbol[] {
  const { document } = file;
  const shown = ({ name, kind, detail, range, selection, children }: SheetSymbol): DocumentSymbol => ({
    name,
    kind: KINDS[kind],
    detail,
    range: rangeOf(document, range),
    selectionRange: rangeOf(document, selection),
    children: children.map(shown),
  });
  return documentSymbols(view).map(shown);
}

const MOST = 500;
/** More sheets than can be read in this time are passed over. */
const LONGEST_MS = 1_500;

/** The graphs, nodes and cases of all sheets of the open projects. */
export async function symbolsNamed(
  { desk, context }: FeaturesOptions,
  params: unknown,
  token: CancellationToken | undefined,
): Promise<readonly SymbolInformation[]> {
  const query = textIn(params, "query");
  const until = performance.now() + LONGEST_MS;
  const found: SymbolInformation[] = [];
  for (const look of sheetsOf(desk, context.encoding)) {
    if (found.length >= MOST || performance.now() > until || token?.isCancellationRequested === true) break;
    const seen = look();
    for (const symbol of seen === null ? [] : symbolsIn(seen, query)) found.push(symbol);
    await setImmediate();
  }
  return found.slice(0, MOST);
}

function symbolsIn({ uri, document, view }: Seen, query: string): readonly SymbolInformation[] {
  return workspaceSymbols([view], query).map(({ name, kind, selection, container }) => ({
    name,
    kind: KINDS[kind],
    location: { uri, range: rangeOf(document, selection) },
    ...(container === null ? {} : { containerName: container }),
  }));
}

/** Open sheets first; the others are read without their world, for names need none. */
function sheetsOf(desk: Desk, encoding: string | null): readonly (() => Seen | null)[] {
  const open = [...desk.files()].filter(({ kind }) => kind === "table");
  const paths = desk.worlds.projects().flatMap((project) => pathsOf(project));
  const closed = [...new Set(paths)].filter((path) => desk.openAt(path) === null);
  return [
    ...open.map((file) => () => {
      const view = desk.viewOf(file);
      return view === null ? null : seenOpen(file, view);
    }),
    ...closed.map((path) => () => seenAlone(desk, path, encoding)),
  ];
}

function pathsOf(project: Project): readonly string[] {
  try {
    const { sheets, tests } = projectSheets(project.root, project);
    return [...sheets, ...tests].flatMap(({ path }) => path ?? []);
  } catch {
    // A folder that is not there has no sheets.
    return [];
  }
}

function seenAlone(desk: Desk, path: string, encoding: string | null): Seen | null {
  const text = textAt(path, encoding);
  if (text === null) return null;
  const view = SheetDocument.open(nameFrom("/", path), text, desk.worlds.nowhere).view();
  const uri = pathToFileURL(path).href;
  return { uri, path, version: null, document: TextDocument.create(uri, "csv", 0, text), view };
}
