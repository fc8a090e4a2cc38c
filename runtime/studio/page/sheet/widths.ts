import type { Column, TableRow } from "../engine/messages.js";

const LETTER = 8;
/** Names of nodes are bold. */
const BOLD_LETTER = 9.6;
/** Of the file's word beneath a heading. */
const SMALL_LETTER = 6.6;
const BESIDE = 17;
/** The words of the last row, which stand below the names. */
const NEW_STEP = "new step".length * LETTER;
const LEAST = 64;
const MOST = 280;
/** These are read more than all else, and of a prompt at least its first words are. */
const LEASTS = new Map([
  ["Node", 140],
  ["Next", 100],
  ["Agent", 92],
  ["Prompt", 150],
]);
const HEAD_LETTER = 8;
/** So many rows are looked at. */
const LOOKED_AT = 200;

/**
 * How wide each column is shown, by the texts in it. Where the columns up to the prompt's have no room, the widest of
 * them give way, each to what its heading needs.
 */
export function widthsOf(
  columns: readonly Column[],
  rows: readonly TableRow[],
  room: number,
): readonly number[] {
  const some = rows.filter(({ node }) => node !== null).slice(0, LOOKED_AT);
  const wishes = columns.map((column) => wishOf(column, some));
  const last = columns.findIndex(({ name }) => name === "Prompt");
  const near = last < 0 ? wishes.length : last + 1;
  const leasts = columns.map((column, i) => Math.min(wishes[i] ?? 0, leastOf(column)));
  const most = mostOf(wishes.slice(0, near), leasts, room);
  return wishes.map((wish, i) => (i < near ? within(wish, leasts[i] ?? 0, most) : wish));
}

function wishOf({ index, name, header, isNode }: Column, rows: readonly TableRow[]): number {
  const longest = rows.reduce((most, { cells }) => Math.max(most, cells[index]?.length ?? 0), 0);
  const wish = Math.max(longest * (isNode ? BOLD_LETTER : LETTER), isNode ? NEW_STEP : 0) + BESIDE;
  return Math.round(Math.min(MOST, Math.max(headOf(name), header.length * SMALL_LETTER + BESIDE, wish)));
}

const headOf = (name: string): number => Math.max(LEAST, Math.ceil(name.length * HEAD_LETTER) + BESIDE);

const leastOf = ({ name }: Column): number => LEASTS.get(name) ?? headOf(name);

const within = (wish: number, least: number, most: number): number => Math.min(wish, Math.max(least, most));

/** The widest that a column may be, so that all have room. */
function mostOf(wishes: readonly number[], leasts: readonly number[], room: number): number {
  let [low, high] = [0, MOST];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const sum = wishes.reduce((all, wish, i) => all + within(wish, leasts[i] ?? 0, middle), 0);
    if (sum <= room) low = middle;
    else high = middle - 1;
  }
  return low;
}
