import { seenGraphs } from "../http/hidden-graphs.js";
import { HttpProblem } from "../http/request/problem.js";
import type { RequestContext } from "../http/route.js";
import type { Service } from "../http/service.js";
import { mayUse, type Reader } from "../http/workflow-access.js";
import { once } from "../lazy.js";
import { createShelf, type Shelf, type ShelfSheet } from "./shelf.js";
import { surroundingsOf } from "./surroundings.js";

const shelves = new WeakMap<Service, () => Shelf>();

/** The sheets of a service. They are looked at when somebody first asks. */
export function shelfOf(service: Service): Shelf {
  const known = shelves.get(service) ?? once(() => createShelf(service));
  shelves.set(service, known);
  return known();
}

/** Those that the caller may see: a key that is limited sees a sheet only when it may use all of its graphs. */
export async function seenSheets(reader: Reader): Promise<readonly ShelfSheet[]> {
  const sheets = await shelfOf(reader.service).list();
  const { graphs } = reader;
  if (graphs === null) return sheets;
  return withoutHidden(
    sheets.filter((sheet) => maySee(reader, sheet)),
    { reader, limit: graphs.join("\n") },
  );
}

interface Limited {
  readonly reader: Reader;
  /** The graphs of the key, as one text. */
  readonly limit: string;
}

/** What each limit sees of a sheet, for as long as the sheet is not read again. */
const limited = new WeakMap<ShelfSheet, Map<string, ShelfSheet>>();

/** A key is told nothing of hidden graphs that its sheets call: no count of problems, and no type, comes from them. */
function withoutHidden(sheets: readonly ShelfSheet[], { reader, limit }: Limited): readonly ShelfSheet[] {
  const { service } = reader;
  const around = once(() =>
    surroundingsOf(
      service,
      seenGraphs(service, (named) => mayUse(reader, named)),
    ),
  );
  return sheets.flatMap((sheet) => {
    if (sheet.asked.graphs.size === 0) return [sheet];
    const known = limited.get(sheet) ?? new Map<string, ShelfSheet>();
    limited.set(sheet, known);
    const seen = known.get(limit) ?? shelfOf(service).readIn(sheet, around());
    if (seen !== null) known.set(limit, seen);
    return seen === null ? [] : [seen];
  });
}

const maySee = (reader: Reader, { name: sheet, graphs }: ShelfSheet): boolean =>
  reader.graphs === null ||
  (graphs.length > 0 && graphs.every(({ name: graph }) => mayUse(reader, { graph, sheet })));

/** The sheet of this name; null also for one that the caller may not see. */
export async function findSheet(reader: Reader, name: string): Promise<NamedSheet | null> {
  // Whoever may see all sheets need not wait until they are understood.
  if (reader.graphs === null) return shelfOf(reader.service).find(name);
  return (await seenSheets(reader)).find((sheet) => sheet.name === name) ?? null;
}

export type NamedSheet = Pick<ShelfSheet, "name" | "path">;

/** The sheet that the path names. */
export async function sheetIn(context: RequestContext): Promise<NamedSheet> {
  const found = await findSheet(context, context.params.get("sheet") ?? "");
  if (found === null) throw new HttpProblem("sheet_not_found");
  return found;
}
