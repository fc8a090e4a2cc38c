/** Common words that say nothing of a text's subject. */
const EMPTY = new Set(
  (
    "a an the and or but if then else of to in on at by for from with without about into over as is are was were be " +
    "been am do does did has have had it its this that these those there here i me my we us our you your he she him " +
    "her his they them their not no yes so can could will would shall should may might must please what which who " +
    "when where why how all any some every each other than too very just also only"
  ).split(" "),
);

/** The words of a text, each once, in lower case and singular. A name such as `RefundTeam` is two words. */
export function wordsOf(text: string): ReadonlySet<string> {
  const spaced = text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2");
  const words = spaced.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY.has(word)).map(singular));
}

/** The singular of most English plurals: parcels and parcel, deliveries and delivery. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || /(?:ss|us|is)$/.test(word)) return word;
  return word.endsWith("ies") && word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

const SAME = 4;
const SIMILAR = 1;
/** The shortest common beginning of similar words. */
const STEM = 4;

/**
 * A score of common words: equal words count most, words with another ending a little. Cost: linear in the words,
 * unless many begin alike.
 */
export function scoreOf(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const byStem = new Map<string, string[]>();
  for (const other of others) {
    const stem = other.slice(0, STEM);
    byStem.set(stem, [...(byStem.get(stem) ?? []), other]);
  }
  let score = 0;
  for (const word of words) {
    if (others.has(word)) score += SAME;
    else if (byStem.get(word.slice(0, STEM))?.some((other) => isSimilar(word, other)) === true)
      score += SIMILAR;
  }
  return score;
}

/**
 * True when one word continues the other, or both have other short endings: cancel and cancellation, delivered and
 * delivery.
 */
function isSimilar(word: string, other: string): boolean {
  const shorter = Math.min(word.length, other.length);
  let shared = 0;
  while (shared < shorter && word[shared] === other[shared]) shared += 1;
  if (shared < STEM) return false;
  return shared === shorter || (shared > STEM && Math.max(word.length, other.length) - shared <= 3);
}
