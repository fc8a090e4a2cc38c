/** Fields of a page know one line end. */
export const withPlainEnds = (text: string): string => text.replace(/\r\n?/g, "\n");

/**
 * A text that was changed in a field, with the line ends that it had. New line breaks get those of the sheet; what stands
 * before and behind the change stays byte by byte.
 */
export function withOwnEnds(before: string, changed: string, lineEnd: string): string {
  const plain = withPlainEnds(before);
  if (plain === changed) return before;
  if (plain === before && !plain.includes("\n")) return changed.replaceAll("\n", lineEnd);
  const shorter = Math.min(plain.length, changed.length);
  let head = 0;
  while (head < shorter && plain[head] === changed[head]) head++;
  let tail = 0;
  while (tail < shorter - head && plain.at(-1 - tail) === changed.at(-1 - tail)) tail++;
  const middle = changed.slice(head, changed.length - tail).replaceAll("\n", lineEnd);
  return (
    before.slice(0, rawLength(before, head)) + middle + before.slice(rawLength(before, plain.length - tail))
  );
}

/** How many characters of a text are so many of it with plain line ends. */
function rawLength(text: string, plain: number): number {
  let at = 0;
  for (let i = 0; i < plain; i++) at += text.startsWith("\r\n", at) ? 2 : 1;
  return at;
}
