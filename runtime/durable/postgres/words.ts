/** A longer word is found by its beginning: the search takes no longer ones. */
const LONGEST = 200;

/** The words of a text as the search compares them: without marks above and below letters, and small. */
export const termsOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== "")
      .map((word) => word.slice(0, LONGEST)),
  ),
];
