/** A text as one word of a shell, in quotes unless it is plain. */
export const shellWord = (text: string, plain = /^[\w./-]+$/): string =>
  plain.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
