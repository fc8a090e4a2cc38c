/** The shortest name with suggestions: one edit turns any letter into any other. */
const SHORTEST = 3;
/** The longest name with suggestions: longer text is no typo. */
const LONGEST = 256;

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
 * Cost: linear in the candidates; use `createSuggester` for many names.
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

/**
 * Finds the candidates that are equal to a name or may be one edit away. They are indexed by all their forms, so a
 * look-up costs only the length of the name.
 */
export function createNeighbours(
  candidates: Iterable<string>,
  formOf: (name: string) => string,
): (name: string) => ReadonlySet<string> {
  let filed: ReadonlyMap<string, readonly string[]> | null = null;
  return (name) => {
    const found = new Set<string>();
    if (name.length > LONGEST) return found;
    filed ??= fileNames(candidates, formOf);
    const whole = formOf(name);
    for (const form of [whole, ...shortened(whole)]) {
      for (const candidate of filed.get(form) ?? []) found.add(candidate);
    }
    return found;
  };
}

/** `suggest` for many names and one set of candidates. */
export function createSuggester(candidates: Iterable<string>): (name: string) => string | null {
  const neighbours = createNeighbours(candidates, foldName);
  return (name) => suggest(name, neighbours(name));
}

function fileNames(
  candidates: Iterable<string>,
  formOf: (name: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const filed = new Map<string, string[]>();
  for (const candidate of candidates) {
    if (candidate.length > LONGEST) continue;
    const whole = formOf(candidate);
    for (const form of [whole, ...shortened(whole)]) {
      const names = filed.get(form);
      if (names === undefined) filed.set(form, [candidate]);
      else if (names.at(-1) !== candidate) names.push(candidate);
    }
  }
  return filed;
}
