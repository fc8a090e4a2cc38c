/** The shortest name with suggestions: one edit turns any letter into any other. */
const SHORTEST = 3;
/** The longest name with suggestions: longer text is no typo. */
const LONGEST = 120;

/** Names that differ only in case, white space, `_` and `-` have the same folded form. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/gu, "");
}

/**
 * True when one edit turns `a` into `b`: a letter added, removed or changed, or two neighbours swapped. Cost: linear.
 */
export function oneEdit(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let i = 0;
  while (i < a.length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  let same = 0;
  while (a.charCodeAt(a.length - 1 - same) === b.charCodeAt(b.length - 1 - same) && same < a.length) same++;
  const rest = Math.max(a.length, b.length) - i - same;
  return rest <= 1 || (rest === 2 && a.length === b.length && a[i] === b[i + 1] && a[i + 1] === b[i]);
}

const isNear = (a: string, b: string): boolean => Math.max(a.length, b.length) >= SHORTEST && oneEdit(a, b);

/**
 * The candidate that `name` may stand for: the first with the same folded form, else the first that is one edit away.
 * Cost: linear in the candidates; use `createNear` for many names.
 */
export function suggest(name: string, candidates: Iterable<string>): string | null {
  if (name.length > LONGEST) return null;
  const folded = foldName(name);
  let near: string | null = null;
  for (const candidate of candidates) {
    if (candidate === name || candidate.length > LONGEST) continue;
    const other = foldName(candidate);
    if (other === folded) return candidate;
    if (near === null && (isNear(name, candidate) || isNear(folded, other))) near = candidate;
  }
  return near;
}

/** True when two names differ only in case, white space, `_` and `-`, and no other candidate is spelled so. */
export function isSpelling(name: string, suggestion: string, candidates: Iterable<string>): boolean {
  const folded = foldName(name);
  if (foldName(suggestion) !== folded) return false;
  for (const candidate of candidates)
    if (candidate !== suggestion && foldName(candidate) === folded) return false;
  return true;
}

const BASE = 0x01000193;
/** A folded name may be longer than the name. */
const LONGEST_FORM = 4 * LONGEST;
const behind = new Int32Array(LONGEST_FORM + 1);
const powers = new Int32Array(LONGEST_FORM + 1);

/**
 * A number for the name, and for the name without each of its letters in turn. Two names at one edit distance share
 * one of them, and others do so seldom. Linear, where the shortened names themselves would take the square.
 */
function sumsOf(name: string): readonly number[] {
  const { length } = name;
  behind[length] = 0;
  for (let i = length - 1, power = 1; i >= 0; i--, power = Math.imul(power, BASE)) {
    powers[i] = power;
    behind[i] = Math.imul(name.charCodeAt(i), power) + (behind[i + 1] as number);
  }
  const sums = [(behind[0] as number) >>> 0];
  for (let i = 0, before = 0; i < length; i++) {
    sums.push((Math.imul(before, powers[i] as number) + (behind[i + 1] as number)) >>> 0);
    before = Math.imul(before, BASE) + name.charCodeAt(i);
  }
  return sums;
}

/** The candidates that a name may stand for, in their order: perhaps too many, never too few. */
export type Near = (name: string) => readonly string[];

/** Up to this many candidates a plain loop is faster than an index. */
const FEW = 32;
/** An index takes a hundred times as long as a loop over its names: a few questions about not very many go without. */
const SEVERAL = 2_000;
const FEW_ASKED = 3;
/** The letters of all forms in an index. Names beyond it are not found: no sheet that people write has so many. */
const MOST_LETTERS = 30_000_000;

/** Finds what many names may stand for among one set of candidates: a look-up costs only the length of the name. */
export function createNear(candidates: Iterable<string>, formOf: (name: string) => string = foldName): Near {
  const list = [...candidates];
  if (list.length <= FEW) return () => list;
  let filed: Float64Array | null = null;
  let asked = 0;
  return (name) => {
    if (name.length > LONGEST) return NONE;
    if (list.length <= SEVERAL && asked++ < FEW_ASKED) return list;
    filed ??= fileNames(list, formOf);
    const found = new Set<number>();
    const whole = formOf(name);
    for (const sum of sumsOf(whole)) addPlaces(found, filed, sum);
    return [...found].sort((a, b) => a - b).map((index) => list[index] as string);
  };
}

const NONE: readonly string[] = [];

/** `suggest` for many names and one set of candidates. */
export function createSuggester(candidates: Iterable<string>): (name: string) => string | null {
  const near = createNear(candidates);
  return (name) => suggest(name, near(name));
}

/** More names than a list can have. */
const PLACES = 2 ** 20;
/** More names share a sum only where somebody has looked for such names. */
const MOST_SHARED = 2_000;

/** The sums of all names with their places, in order: a sum stands in front of its place, in one number. */
function fileNames(names: readonly string[], formOf: (name: string) => string): Float64Array {
  const filed: number[] = [];
  let letters = 0;
  for (const [index, name] of names.entries()) {
    letters += name.length > LONGEST ? 0 : name.length ** 2;
    if (letters > MOST_LETTERS || index === PLACES) break;
    if (name.length > LONGEST) continue;
    let last = -1;
    for (const sum of sumsOf(formOf(name))) {
      if (sum !== last) filed.push(sum * PLACES + index);
      last = sum;
    }
  }
  return Float64Array.from(filed).sort();
}

function addPlaces(found: Set<number>, filed: Float64Array, sum: number): void {
  const first = sum * PLACES;
  let low = 0;
  for (let high = filed.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((filed[middle] as number) < first) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < low + MOST_SHARED && (filed[at] ?? Infinity) < first + PLACES; at++)
    found.add((filed[at] as number) - first);
}
