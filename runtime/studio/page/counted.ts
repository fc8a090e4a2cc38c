/** A number with its word, such as `1 error` and `2 errors`. */
export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
