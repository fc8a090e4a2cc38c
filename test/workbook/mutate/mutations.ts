import { type MadePart, zipOf } from "../made.js";
import { createDice, type Dice, oneOf } from "./dice.js";
import { mutateArchive } from "./mutate-archive.js";
import { mutateXml } from "./mutate-xml.js";

const STARS = [
  "<",
  ">",
  "&",
  '"',
  "<!DOCTYPE a>",
  "\0",
  "</c>",
  "<c/>",
  "r=",
  "99999999",
  "&#0;",
  "&amp;",
  "-1",
  "e9",
];

/** Pieces of a text put in, taken out, or doubled. */
function mutateText(text: string, dice: Dice): string {
  let made = text;
  for (let left = 1 + dice(3); left > 0; left--) {
    const at = dice(made.length + 1);
    const to = Math.min(made.length, at + dice(40));
    const kind = dice(4);
    if (kind === 0) made = made.slice(0, at) + oneOf(STARS, dice) + made.slice(at);
    else if (kind === 1) made = made.slice(0, at) + made.slice(to);
    else if (kind === 2) made = made.slice(0, to) + made.slice(at);
    else made = made.slice(0, at) + String.fromCharCode(dice(0x180)) + made.slice(at + 1);
  }
  return made;
}

function mutateBytes(bytes: Uint8Array, dice: Dice): Uint8Array {
  const copy = bytes.slice();
  for (let left = 1 + dice(6); left > 0; left--) copy[dice(copy.length)] = dice(256);
  return dice(8) === 0 ? copy.subarray(0, dice(copy.length)) : copy;
}

/** What the reader opens is hit more often than what it passes over. */
const OPENED = /content\.xml|manifest\.xml|workbook\.xml|sheet\d*\.xml|sharedStrings|styles\.xml|\.rels$/;

function mutatePart(parts: readonly MadePart[], dice: Dice): readonly MadePart[] {
  const texts = parts.filter(({ name, content }) => typeof content === "string" && OPENED.test(name));
  const hit = oneOf(texts, dice);
  const others = texts.map(({ content }) => String(content));
  const mutate = (text: string): string =>
    dice(3) === 0 ? mutateText(text, dice) : mutateXml(text, others, dice);
  return parts.flatMap((part) => {
    if (part !== hit) return [part];
    return dice(40) === 0 ? [] : [{ ...part, content: mutate(String(part.content)) }];
  });
}

/** The workbook of a round: a third is hit in its bytes or its directory, the others in the XML of their parts. */
export function mutated(books: readonly (readonly MadePart[])[], seed: number, round: number): Uint8Array {
  const dice = createDice(seed + round * 7919);
  const parts = oneOf(books, dice);
  const kind = dice(6);
  if (kind === 0) return mutateBytes(zipOf(parts), dice);
  if (kind === 1) return mutateArchive(zipOf(parts), dice);
  return zipOf(mutatePart(parts, dice));
}
