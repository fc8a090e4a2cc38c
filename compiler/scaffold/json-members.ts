import { readJson } from "../1-parse/cells/json-spots.js";
import type { Json, JsonSpot } from "../ir.js";

type Members = readonly (readonly [key: string, value: Json])[];

/**
 * Creates the section when it is missing. All other text keeps its line ends and indentation: JSON.stringify would lose
 * them. Null for text that is no JSON object.
 */
export function addMembers(text: string, section: string, added: Members): string | null {
  if (added.length === 0) return text;
  const { spot: root } = readJson(text, { start: 0, end: text.length });
  if (root?.entries === undefined) return null;
  const member = root.entries.findLast(({ key }) => key === section);
  if (member !== undefined) return insert(text, member.spot, added.map(memberText), 2);
  const { eol, unit } = layoutOf(text);
  const lines = added.map((one) => `${unit}${unit}${memberText(one)}`);
  const value = `{${eol}${lines.join(`,${eol}`)}${eol}${unit}}`;
  return insert(text, root, [`${JSON.stringify(section)}: ${value}`], 1);
}

const memberText = ([key, value]: Members[number]): string =>
  `${JSON.stringify(key)}: ${JSON.stringify(value)}`;

function insert(
  text: string,
  { entries = [], end }: JsonSpot,
  added: readonly string[],
  depth: number,
): string {
  const { eol, unit } = layoutOf(text);
  const last = entries.at(-1);
  const before = last === undefined ? null : /[\r\n]\s*$/.exec(text.slice(0, last.start))?.[0];
  // An object on one line stays on one line.
  const gap =
    last !== undefined && before == null
      ? " "
      : `${eol}${before?.replace(/^[\r\n]+/, "") ?? unit.repeat(depth)}`;
  const joined = added.join(`,${gap}`);
  const to = last?.spot.end;
  if (to !== undefined) return `${text.slice(0, to)},${gap}${joined}${text.slice(to)}`;
  const close = end - 1;
  return `${text.slice(0, close).trimEnd()}${gap}${joined}${eol}${unit.repeat(depth - 1)}${text.slice(close)}`;
}

function layoutOf(text: string): { readonly eol: string; readonly unit: string } {
  return {
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    unit: /[\r\n]([ \t]+)"/.exec(text)?.[1] ?? "  ",
  };
}
