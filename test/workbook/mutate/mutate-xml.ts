import { type Dice, oneOf } from "./dice.js";

const NUMBERS = [
  "-1",
  "0",
  "1",
  "2",
  "1.5",
  "1e9",
  "99999",
  "1048576",
  "16384",
  "99999999",
  "NaN",
  "Infinity",
];
const PLACES = ["A1", "A2", "XFD1048576", "A1:XFD1048576", "B3:A1", "$A$1", "R1C1", "ZZZZ9", "A0"];
const OTHERS = [
  "",
  "true",
  "s",
  "b",
  "e",
  "d",
  "str",
  "inlineStr",
  "shared",
  "hidden",
  "float",
  "boolean",
  "time",
  "../../x",
];
const FORMATS = [
  "PT999999H59M59S",
  "2026-02-30",
  "[h]:mm",
  "yyyy",
  "000",
  "of:=A1",
  "External",
  "rId1",
  "_x0000_",
];
const VALUES = [...NUMBERS, ...PLACES, ...OTHERS, ...FORMATS];
/** No part grows beyond this: what is only large is for the bench. */
const LONGEST = 2_000_000;

interface Found {
  readonly start: number;
  readonly end: number;
}

/** The element that begins at a tag chosen by chance: from its start tag to the end tag of the same depth. */
function elementIn(text: string, dice: Dice): Found | null {
  const tags = [...text.matchAll(/<[A-Za-z][^<>]*>/g)];
  if (tags.length === 0) return null;
  const tag = oneOf(tags, dice);
  const start = tag.index;
  if (tag[0].endsWith("/>")) return { start, end: start + tag[0].length };
  let depth = 0;
  for (const { 0: one, index } of text.slice(start).matchAll(/<[/A-Za-z][^<>]*>/g)) {
    if (one.startsWith("</")) depth--;
    else if (!one.endsWith("/>")) depth++;
    if (depth === 0) return { start, end: start + index + one.length };
  }
  return { start, end: text.length };
}

function put(text: string, { start, end }: Found, by: string): string {
  return text.length + by.length > LONGEST ? text : text.slice(0, start) + by + text.slice(end);
}

/** How often an element is written: mostly twice, at times very often. */
const timesOf = (dice: Dice): number => oneOf([2, 2, 2, 3, 101, 300, 10_001, 70_000], dice);

function repeated(piece: string, dice: Dice): string {
  const times = timesOf(dice);
  return piece.length * times > LONGEST ? piece + piece : piece.repeat(times);
}

/** One within the other, very deep at times. */
function nested(piece: string, dice: Dice): string {
  const [, open = "", name = ""] = /^<(([\w:.-]+)[^<>]*?)\/?>/.exec(piece) ?? [];
  const depth = oneOf([1, 2, 100, 5_000], dice);
  if (name === "" || (open.length + name.length + 5) * depth > LONGEST) return piece;
  return `<${open}>`.repeat(depth) + piece + `</${name}>`.repeat(depth);
}

function changeElement(text: string, others: readonly string[], dice: Dice): string {
  const hit = elementIn(text, dice);
  if (hit === null) return text;
  const piece = text.slice(hit.start, hit.end);
  const kind = dice(6);
  if (kind === 0) return put(text, hit, "");
  if (kind === 1) return put(text, hit, repeated(piece, dice));
  if (kind === 2) return put(text, hit, nested(piece, dice));
  if (kind === 3) {
    const target = elementIn(text, dice) ?? hit;
    return put(text, { start: target.start, end: target.start }, piece);
  }
  const other = oneOf(others, dice);
  const taken = elementIn(other, dice);
  return put(
    text,
    kind === 4 ? hit : { ...hit, end: hit.start },
    taken === null ? "" : other.slice(taken.start, taken.end),
  );
}

function changeAttribute(text: string, dice: Dice): string {
  const found = [...text.matchAll(/ ([\w:.-]+)="([^"]*)"/g)];
  if (found.length === 0) return text;
  const { 0: whole, 1: name = "", index } = oneOf(found, dice);
  const value = dice(4) === 0 ? (oneOf(found, dice)[2] ?? "") : oneOf(VALUES, dice);
  const by = [
    ` ${name}="${value}"`,
    ` ${name}="${value}"`,
    "",
    ` ${oneOf(found, dice)[1] ?? name}="${value}"`,
  ];
  return put(text, { start: index, end: index + whole.length }, oneOf(by, dice));
}

function changeText(text: string, dice: Dice): string {
  const found = [...text.matchAll(/>([^<>]+)</g)];
  if (found.length === 0) return text;
  const { 1: inner = "", index } = oneOf(found, dice);
  const by = [
    oneOf(VALUES, dice),
    "",
    inner.slice(0, 1000).repeat(1000),
    "x".repeat(oneOf([1000, 100_000, 1_048_577], dice)),
    "&#x10FFFF;]]&gt;",
  ];
  return put(text, { start: index + 1, end: index + 1 + inner.length }, oneOf(by, dice));
}

/** Changes the elements, attributes and texts of XML that stays well-formed, as a rule. */
export function mutateXml(text: string, others: readonly string[], dice: Dice): string {
  let made = text;
  for (let left = 1 + dice(4); left > 0; left--) {
    const kind = dice(5);
    if (kind < 2) made = changeAttribute(made, dice);
    else if (kind < 4) made = changeElement(made, others, dice);
    else made = changeText(made, dice);
  }
  return made;
}
