export type ScreenName = "sheets" | "runs" | "inbox";

/** What the page shows, as its address says it. */
export interface Place {
  readonly screen: ScreenName;
  /** Null for the list of sheets. */
  readonly sheet: string | null;
  readonly graph: string | null;
  readonly node: string | null;
  /** Of `#/runs/ID` and `#/inbox/ID`; null for the list. */
  readonly run: string | null;
  /** Of `#/runs/ID?step=4`. */
  readonly step: number | null;
}

/** The list of sheets. */
export const LIST: Place = { screen: "sheets", sheet: null, graph: null, node: null, run: null, step: null };

/** The first place of a screen. */
export const listOf = (screen: ScreenName): Place => ({ ...LIST, screen });

/** Reads the fragment of an address such as `#/sheets/team/refund.csv?graph=Refund&node=Ask`. */
export function placeOf(fragment: string): Place {
  const [path = "", query = ""] = fragment.replace(/^#/, "").split("?");
  const [, screen = "", name = ""] = /^\/(sheets|runs|inbox)(?:\/(.*))?$/.exec(path) ?? [];
  const text = decoded(name);
  const words = new URLSearchParams(query);
  if (screen === "runs" || screen === "inbox")
    return { ...listOf(screen), run: text || null, step: stepOf(words) };
  return text === "" ? LIST : { ...LIST, sheet: text, graph: words.get("graph"), node: words.get("node") };
}

function stepOf(words: URLSearchParams): number | null {
  const step = words.get("step");
  return step !== null && /^\d{1,9}$/.test(step) ? Number(step) : null;
}

export function fragmentOf({ screen, sheet, graph, node, run, step }: Place): string {
  const words = new URLSearchParams();
  if (graph !== null) words.set("graph", graph);
  if (node !== null) words.set("node", node);
  if (step !== null) words.set("step", `${step}`);
  const name = (screen === "sheets" ? sheet : run) ?? "";
  if (name === "") return `#/${screen}`;
  return `#/${screen}/${pathOf(name)}${words.size === 0 ? "" : `?${words}`}`;
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
