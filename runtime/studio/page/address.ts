/** What the page shows, as its address says it. */
export interface Place {
  /** Null for the list of sheets. */
  readonly sheet: string | null;
  readonly graph: string | null;
  readonly node: string | null;
}

export const LIST: Place = { sheet: null, graph: null, node: null };

/** Reads the fragment of an address such as `#/sheets/team/refund.csv?graph=Refund&node=Ask`. */
export function placeOf(fragment: string): Place {
  const [path = "", query = ""] = fragment.replace(/^#/, "").split("?");
  const sheet = path.startsWith("/sheets/") ? decoded(path.slice("/sheets/".length)) : "";
  if (sheet === "") return LIST;
  const words = new URLSearchParams(query);
  return { sheet, graph: words.get("graph"), node: words.get("node") };
}

export function fragmentOf({ sheet, graph, node }: Place): string {
  if (sheet === null) return "#/sheets";
  const words = new URLSearchParams();
  if (graph !== null) words.set("graph", graph);
  if (node !== null) words.set("node", node);
  const query = words.size === 0 ? "" : `?${words}`;
  return `#/sheets/${pathOf(sheet)}${query}`;
}

/** A sheet's name in an address: its parts encoded, with `/` left as it is. */
export const pathOf = (sheet: string): string => sheet.split("/").map(encodeURIComponent).join("/");

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
