import type { CaseCell } from "../../1-parse/index.js";
import { trimRange } from "../../1-parse/text/white-space.js";

export interface CaseItem {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The items of a list in a cell, each with its place; empty ones are none. */
export function itemsOf({ text, start: from }: CaseCell, between: RegExp): readonly CaseItem[] {
  const cuts = [...text.matchAll(between)].map(({ index }) => index);
  return [...cuts, text.length].flatMap((to, i) => {
    const { start, end } = trimRange(text, i === 0 ? 0 : (cuts[i - 1] as number) + 1, to);
    return start === end ? [] : [{ start: from + start, end: from + end, text: text.slice(start, end) }];
  });
}
