/** Signs that can begin comments, strings and regular expressions. */
const MARK = /["'`/{}]/g;
const STRING_END = { '"': /["\n]/g, "'": /['\n]/g } as const;
/** A `/` after one of these begins a regular expression, not a division. */
const BEFORE_PATTERN =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|void|delete|do|else|throw|new|await|yield))\s*$/;
const PATTERN = /^\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//;
const LOOK_BACK = 40;
/** Longer regular expressions are not matched: the search would be quadratic in hostile text. */
const LONGEST_PATTERN = 200;

/**
 * The text of a module without comments and template strings, which hold no code. Unclosed ones stay. Cost: linear in
 * the text.
 */
export function codeOf(text: string): string {
  const kept: string[] = [];
  /** The depth of braces at each open `${`. */
  const open: number[] = [];
  let depth = 0;
  let from = 0;
  let at = 0;
  let isClosed = true;
  const drop = (end: number): number => {
    kept.push(text.slice(from, at));
    from = end;
    return end;
  };
  const template = (begin: number): number => {
    const end = isClosed ? templateEnd(text, begin) : -1;
    // After the first unclosed one no end is searched for, since that would be quadratic.
    isClosed = end !== -1;
    if (!isClosed) return at + 1;
    if (text[end - 1] === "{") open.push(depth);
    return drop(end);
  };
  const next: { readonly [mark: string]: () => number } = {
    '"': () => stringEnd(text, at, '"'),
    "'": () => stringEnd(text, at, "'"),
    "`": () => template(at + 1),
    "{": () => {
      depth += 1;
      return at + 1;
    },
    "}": () => {
      if (open.length > 0 && open.at(-1) === depth) {
        open.pop();
        return template(at + 1);
      }
      depth -= 1;
      return at + 1;
    },
    "/": () => {
      const end = commentEnd(text, at);
      return end === null ? patternEnd(text, at) : drop(end);
    },
  };
  for (let end = 0; ; ) {
    MARK.lastIndex = end;
    const mark = MARK.exec(text);
    if (mark === null) break;
    at = mark.index;
    end = next[mark[0]]?.() ?? at + 1;
  }
  return kept.join("") + text.slice(from);
}

/** The end of a string, after its quote or at the end of its line. */
function stringEnd(text: string, begin: number, quote: '"' | "'"): number {
  const mark = STRING_END[quote];
  mark.lastIndex = begin + 1;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text))
    if (!isEscaped(text, found.index)) return found.index + 1;
  return text.length;
}

/** The position after the next "`" or "${" of a template string; -1 when it is not closed. */
function templateEnd(text: string, begin: number): number {
  const mark = /`|\$\{/g;
  mark.lastIndex = begin;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text))
    if (!isEscaped(text, found.index)) return mark.lastIndex;
  return -1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 1;
}

/** The end of the comment at `begin`; null without one. The line break is not part of it. */
function commentEnd(text: string, begin: number): number | null {
  const kind = text[begin + 1];
  if (kind !== "/" && kind !== "*") return null;
  const end = text.indexOf(kind === "/" ? "\n" : "*/", begin + 2);
  return end === -1 ? text.length : kind === "/" ? end : end + 2;
}

function patternEnd(text: string, begin: number): number {
  if (!BEFORE_PATTERN.test(text.slice(Math.max(0, begin - LOOK_BACK), begin))) return begin + 1;
  const length = PATTERN.exec(text.slice(begin, begin + LONGEST_PATTERN))?.[0].length ?? 1;
  return begin + length;
}
