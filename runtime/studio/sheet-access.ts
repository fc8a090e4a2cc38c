import { HttpProblem } from "../http/request/problem.js";
import type { RequestContext } from "../http/route.js";
import type { Service } from "../http/service.js";
import { mayUse, type Reader } from "../http/workflow-access.js";
import { once } from "../lazy.js";
import { createShelf, type Shelf, type ShelfSheet } from "./shelf.js";

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
  return sheets.filter((sheet) => maySee(reader, sheet));
}

const maySee = (reader: Reader, { name: sheet, graphs }: ShelfSheet): boolean =>
  reader.graphs === null ||
  (graphs.length > 0 && graphs.every(({ name: graph }) => mayUse(reader, { graph, sheet })));

/** The sheet that the path names; one that the caller may not see is not there. */
export async function sheetIn(context: RequestContext): Promise<ShelfSheet> {
  const name = context.params.get("sheet") ?? "";
  const found = (await seenSheets(context)).find((sheet) => sheet.name === name);
  if (found === undefined) throw new HttpProblem("sheet_not_found");
  return found;
}
