import { visible } from "../../compiler/diagnostics/visible.js";

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** All text of a sheet enters a page through here. Invisible characters are shown, line ends stay. */
export const html = (text: string): string =>
  text
    .split("\n")
    .map((line) => visible(line).replace(/[&<>"']/g, (one) => ENTITIES[one] ?? ""))
    .join("\n");

/** What the search of the first page looks through: words, each once, in lower case. */
export const wordsOf = (texts: readonly string[]): string =>
  html([...new Set(texts.join(" ").toLowerCase().split(/\s+/))].join(" ").trim());

export interface Column {
  readonly head: string;
  /** Text of HTML. */
  readonly cells: readonly string[];
}

/** A table; the empty text without rows. Columns that no row fills are left out. */
export function table(caption: string, columns: readonly Column[]): string {
  const [first] = columns;
  if (first === undefined || first.cells.length === 0) return "";
  const shown = columns.filter((column) => column === first || column.cells.some((cell) => cell !== ""));
  const row = (tag: "td" | "th", of: (column: Column) => string): string =>
    `<tr>${shown.map((column) => `<${tag}>${of(column)}</${tag}>`).join("")}</tr>`;
  const rows = first.cells.map((_, i) => row("td", ({ cells }) => cells[i] ?? ""));
  const head = row("th", ({ head: name }) => html(name)).replaceAll("<th>", '<th scope="col">');
  return `<div class="wide"><table>
<caption>${html(caption)}</caption>
<thead>${head}</thead>
<tbody>
${rows.join("\n")}
</tbody>
</table></div>
`;
}

export const code = (text: string): string => (text === "" ? "" : `<code>${html(text)}</code>`);
