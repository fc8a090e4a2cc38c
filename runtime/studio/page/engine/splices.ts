import type { Splice } from "./messages.js";

/**
 * What makes one text of another, each in the text that those before have made. Lines that stay between two changes are
 * no part of them, so that the compiler need not read them again.
 */
export function splicesBetween(before: string, after: string): readonly Splice[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  const most = shorter - head;
  while (
    tail < most &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  const [old, now] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const [oldLines, nowLines] = [old.split("\n"), now.split("\n")];
  if (oldLines.length !== nowLines.length || oldLines.length === 1)
    return [{ start: head, end: head + old.length, text: now }];
  let at = head;
  const splices = oldLines.flatMap((line, i): readonly Splice[] => {
    const start = at;
    at += line.length + 1;
    const text = nowLines[i] as string;
    return text === line ? [] : [{ start, end: start + line.length, text }];
  });
  // From the end, so that the places of the others stay what they are.
  return splices.reverse();
}
