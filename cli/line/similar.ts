const MOST_EDITS = 3;
const LEAST_SHARE = 0.4;

/** The names with the fewest edits from a word, in alphabetical order. */
export function similarTo(word: string, names: readonly string[]): readonly string[] {
  const near = [...new Set(names)].flatMap((name) => {
    const length = Math.max(word.length, name.length);
    // This cheap check avoids the quadratic search for very long words.
    if (Math.abs(word.length - name.length) > MOST_EDITS) return [];
    const edits = editsBetween(word, name);
    return edits <= MOST_EDITS && (length - edits) / length > LEAST_SHARE ? [{ name, edits }] : [];
  });
  const fewest = Math.min(...near.map(({ edits }) => edits));
  return near
    .filter(({ edits }) => edits === fewest)
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b));
}

/** Optimal string alignment distance: letters more, less or other, and neighbours swapped. */
function editsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const other = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        rows[i - 1]![j]! + 1,
        row[j - 1]! + 1,
        rows[i - 1]![j - 1]! + other,
        swapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
      );
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
