/** Signs that can begin comments, strings and regular expressions. */
const MARK = /["'`/{}]/g;
const STRING_END = { '"': /["\n]/g, "'": /['\n]/g } as const;
const TEMPLATE_END = /`|\$\{/g;
/** A `/` after one of these begins a regular expression, not a division. */
const BEFORE_PATTERN =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|void|delete|do|else|throw|new|await|yield))\s*$/;
const PATTERN = /^\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//;
const LOOK_BACK = 40;
/** Longer regular expressions are not matched: the search would be quadratic in hostile text. */
const LONGEST_PATTERN = 200;

/** A module without comments and template strings, which hold no code. Unclosed ones stay. Linear. */
export function codeOf(text: string): string {
  const kept: string[] = [];
  /** The depth of braces at each open `${`. */
  const open: number[] = [];
  let depth = 0;
  let from = 0;
  let end = 0;
  let isClosed = true;
  const dropFrom = (begin: number): void => {
    kept.push(text.slice(from, begin));
    from = end;
  };
  for (;;) {
    MARK.lastIndex = end;
    const found = MARK.exec(text);
    if (found === null) return kept.join("") + text.slice(from);
    const [mark] = found;
    const at = found.index;
    end = at + 1;
    if (mark === '"' || mark === "'") end = endOf(STRING_END[mark], text, end) ?? text.length;
    else if (mark === "{") depth += 1;
    else if (mark === "}" && open.at(-1) !== depth) depth -= 1;
    else if (mark === "/") {
      const comment = commentEnd(text, at);
      end = comment ?? patternEnd(text, at);
      if (comment !== null) dropFrom(at);
    } else {
      // A template string begins, or goes on behind `${…}`.
      if (mark === "}") open.pop();
      const close: number | null = isClosed ? endOf(TEMPLATE_END, text, end) : null;
      // After the first unclosed one no end is searched for, since that would be quadratic.
      isClosed = close !== null;
      if (close === null) continue;
      if (text[close - 1] === "{") open.push(depth);
      end = close;
      dropFrom(at);
    }
  }
}

/** The position after the first mark without a backslash before it; null without one. */
function endOf(mark: RegExp, text: string, begin: number): number | null {
  mark.lastIndex = begin;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    let slashes = 0;
    while (text[found.index - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return mark.lastIndex;
  }
  return null;
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
