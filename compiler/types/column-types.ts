export const COLUMN_TYPES = ["string", "number", "boolean", "date"] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

export const isColumnType = (word: unknown): word is ColumnType => COLUMN_TYPES.some((type) => type === word);

/** The parts of a date that a format has, in their order, and the text between them. */
export type DatePart =
  | { readonly letter: "y" | "M" | "d" | "H" | "m" | "s"; readonly count: number }
  | string;

/** Reads a format such as `dd.MM.yyyy HH:mm`; null when it is none. */
export function readDateFormat(format: string): readonly DatePart[] | null {
  const parts: DatePart[] = [];
  for (const [piece, letters] of format.matchAll(/([A-Za-z])\1*|[^A-Za-z]+/g)) {
    if (letters === undefined) parts.push(piece);
    else if (!isPart(letters, piece.length)) return null;
    else parts.push({ letter: letters, count: piece.length });
  }
  const letters = parts.flatMap((part) => (typeof part === "string" ? [] : [part.letter]));
  const isDate = ["y", "M", "d"].every((letter) => letters.some((one) => one === letter));
  return isDate && new Set(letters).size === letters.length ? parts : null;
}

type Letter = Exclude<DatePart, string>["letter"];

const isPart = (letter: string, count: number): letter is Letter =>
  letter === "y" ? count === 2 || count === 4 : "MdHms".includes(letter) && count <= 2;

export function numberStyleFault(decimal: unknown, thousands: unknown): string | null {
  return decimal !== undefined && decimal === thousands ? "another sign than decimal" : null;
}
