/** Each word is a look at all that begins so. Many of them would hold up everything else. */
export const MOST_WORDS = 10;

/** The words that a search asks for, each once. */
export const searchWords = (q: string): readonly string[] => {
  const words = q.split(/[^\p{L}\p{N}]+/u);
  return [...new Set(words)].filter((word) => word !== "");
};
