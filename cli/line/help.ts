import { columnsOf } from "../../compiler/diagnostics/layout.js";
import type { Paint } from "../../compiler/diagnostics/paint.js";
import { wrap } from "../../compiler/diagnostics/wrap.js";

/** A term and what it means. */
export type Item = readonly [term: string, meaning: string];

/** The help of the program or of one command. */
export interface HelpPage {
  readonly usage: string;
  readonly summary: string;
  readonly sections: readonly { readonly title: string; readonly items: readonly Item[] }[];
  readonly examples: readonly Item[];
  readonly footer: string;
}

export interface HelpLook {
  readonly paint: Paint;
  readonly width: number;
}

const MAX_WIDTH = 100;
const MIN_MEANING = 24;
const GAP = "  ";

/** Lays a help page out for a terminal. */
export function formatHelp(page: HelpPage, { paint, width }: HelpLook): string {
  const room = Math.min(width, MAX_WIDTH);
  const list = (title: string, items: readonly Item[], column: number): readonly string[] =>
    items.length === 0
      ? []
      : [paint("strong", title), ...items.flatMap((item) => itemLines(item, { column, room, paint }))];
  const column = widest(page.sections.flatMap(({ items }) => items));
  const blocks = [
    [`${paint("strong", "Usage:")} ${page.usage}`],
    wrap(page.summary, room),
    ...page.sections.map(({ title, items }) => list(title, items, column)),
    list("Examples", page.examples, widest(page.examples)),
    wrap(page.footer, room),
  ].filter((lines) => lines.length > 0);
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

const widest = (items: readonly Item[]): number => Math.max(0, ...items.map(([term]) => columnsOf(term)));

interface ItemLook {
  /** Columns of the widest term. */
  readonly column: number;
  readonly room: number;
  readonly paint: Paint;
}

function itemLines([term, meaning]: Item, { column, room, paint }: ItemLook): readonly string[] {
  const indent = GAP.length + column + GAP.length;
  // Where the terms leave no room beside them, meanings stand below.
  const below = room - indent < MIN_MEANING;
  const margin = below ? 3 * GAP.length : indent;
  const [first = "", ...rest] = wrap(meaning, Math.max(MIN_MEANING, room - margin));
  const head = `${GAP}${paint("help", term)}`;
  const tail = rest.map((line) => " ".repeat(margin) + line);
  if (below) return [head, " ".repeat(margin) + first, ...tail];
  return [`${head}${" ".repeat(column - columnsOf(term))}${GAP}${first}`, ...tail];
}
