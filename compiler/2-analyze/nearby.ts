/** Names shorter than this are too easily one edit apart. */
const SHORTEST = 4;

/** Names longer than this are not compared: filing them would cost the square of their length. */
const LONGEST = 64;

/** A name without one of its letters: two names one edit apart share such a form, or one is the other's. */
function* shortened(name: string): Generator<string> {
  for (let i = 0; i < name.length; i++) yield name.slice(0, i) + name.slice(i + 1);
}

/** True when one edit (a letter more, less or other, or two neighbours swapped) makes one name of the other. */
export function isOneEdit(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  if (a.length > b.length) return a.slice(i + 1) === b.slice(i);
  if (a.length < b.length) return a.slice(i) === b.slice(i + 1);
  if (a.slice(i + 1) === b.slice(i + 1)) return true;
  return a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2);
}

const withoutDigits = (name: string): string => name.replace(/\p{N}/gu, "");

/** Whether a name may be a slip for another: one edit apart, both long enough, and not only numbered differently. */
export function isSlip(a: string, b: string): boolean {
  return (
    [...a].length >= SHORTEST &&
    [...b].length >= SHORTEST &&
    isOneEdit(a, b) &&
    withoutDigits(a) !== withoutDigits(b)
  );
}

/**
 * Finds a name that another may be a slip for. Names are filed under every form that lacks one letter, so a look-up
 * costs the length of the name, not the number of names.
 */
export function createNearby(names: Iterable<string>): (name: string) => string | null {
  const filed = new Map<string, string[]>();
  const file = (form: string, name: string): void => {
    const names = filed.get(form);
    if (names === undefined) filed.set(form, [name]);
    else names.push(name);
  };
  for (const name of names) {
    if (name.length > LONGEST) continue;
    file(name, name);
    for (const form of shortened(name)) file(form, name);
  }
  return (name) => {
    if (name.length > LONGEST) return null;
    for (const form of [name, ...shortened(name)]) {
      for (const candidate of filed.get(form) ?? []) if (isSlip(name, candidate)) return candidate;
    }
    return null;
  };
}
