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

/** The name without each of its letters in turn. Two names at one edit distance share one of these forms. */
function* shortened(name: string): Generator<string> {
  for (let i = 0; i < name.length; i++) yield name.slice(0, i) + name.slice(i + 1);
}

/** The candidates that a name may stand for, in their order: perhaps too many, never too few. */
export type Near = (name: string) => readonly string[];

/** Up to this many candidates a plain loop is faster than an index. */
const FEW = 32;
/** The letters of all forms in an index. Names beyond it are not found: no sheet that people write has so many. */
const MOST_LETTERS = 30_000_000;

/** Finds what many names may stand for among one set of candidates: a look-up costs only the length of the name. */
export function createNear(candidates: Iterable<string>, formOf: (name: string) => string = foldName): Near {
  const list = [...candidates];
  if (list.length <= FEW) return () => list;
  let filed: ReadonlyMap<string, readonly number[]> | null = null;
  return (name) => {
    if (name.length > LONGEST) return NONE;
    filed ??= fileNames(list, formOf);
    const found = new Set<number>();
    const whole = formOf(name);
    for (const form of [whole, ...shortened(whole)])
      for (const index of filed.get(form) ?? NOWHERE) found.add(index);
    return [...found].sort((a, b) => a - b).map((index) => list[index] as string);
  };
}

const NONE: readonly string[] = [];
const NOWHERE: readonly number[] = [];

/** `suggest` for many names and one set of candidates. */
export function createSuggester(candidates: Iterable<string>): (name: string) => string | null {
  const near = createNear(candidates);
  return (name) => suggest(name, near(name));
}

/** The places of names by all their forms. */
function fileNames(
  names: readonly string[],
  formOf: (name: string) => string,
): ReadonlyMap<string, readonly number[]> {
  const filed = new Map<string, number[]>();
  let letters = 0;
  for (const [index, name] of names.entries()) {
    letters += name.length > LONGEST ? 0 : name.length ** 2;
    if (letters > MOST_LETTERS) break;
    if (name.length > LONGEST) continue;
    const whole = formOf(name);
    for (const form of [whole, ...shortened(whole)]) {
      const places = filed.get(form);
      if (places === undefined) filed.set(form, [index]);
      else if (places.at(-1) !== index) places.push(index);
    }
  }
  return filed;
}
