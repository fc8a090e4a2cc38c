interface ObjectText {
  readonly members: readonly {
    readonly key: string;
    readonly keyAt: number;
    readonly valueAt: number;
    readonly end: number;
  }[];
  readonly close: number;
}

/**
 * Creates the section when it is missing. All other text keeps its line ends and indentation: JSON.stringify would lose
 * them.
 */
export function addMembers(
  text: string,
  section: string,
  added: readonly (readonly [key: string, value: string])[],
): string {
  if (added.length === 0) return text;
  const root = objectAt(text, text.indexOf("{"));
  const member = root.members.findLast(({ key }) => key === section);
  if (member !== undefined) return insert(text, objectAt(text, member.valueAt), added, 2);
  const { eol, unit } = layoutOf(text);
  const lines = added.map(([key, value]) => `${unit}${unit}${JSON.stringify(key)}: ${value}`);
  return insert(text, root, [[section, `{${eol}${lines.join(`,${eol}`)}${eol}${unit}}`]], 1);
}

function insert(
  text: string,
  { members, close }: ObjectText,
  added: readonly (readonly [key: string, value: string])[],
  depth: number,
): string {
  const { eol, unit } = layoutOf(text);
  const last = members.at(-1);
  const before = last === undefined ? null : /[\r\n]\s*$/.exec(text.slice(0, last.keyAt))?.[0];
  // An object on one line stays on one line.
  const gap =
    last !== undefined && before == null
      ? " "
      : `${eol}${before?.replace(/^[\r\n]+/, "") ?? unit.repeat(depth)}`;
  const joined = added.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(`,${gap}`);
  if (last !== undefined) return `${text.slice(0, last.end)},${gap}${joined}${text.slice(last.end)}`;
  return `${text.slice(0, close).trimEnd()}${gap}${joined}${eol}${unit.repeat(depth - 1)}${text.slice(close)}`;
}

function layoutOf(text: string): { readonly eol: string; readonly unit: string } {
  return {
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    unit: /[\r\n]([ \t]+)"/.exec(text)?.[1] ?? "  ",
  };
}

function objectAt(text: string, begin: number): ObjectText {
  const members: ObjectText["members"][number][] = [];
  let at = skipSpace(text, begin + 1);
  while (text[at] === '"') {
    const keyAt = at;
    at = stringEnd(text, at);
    const key = JSON.parse(text.slice(keyAt, at)) as string;
    const valueAt = skipSpace(text, skipSpace(text, at) + 1);
    const end = valueEnd(text, valueAt);
    members.push({ key, keyAt, valueAt, end });
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return { members, close: at };
}

function skipSpace(text: string, begin: number): number {
  let at = begin;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return at;
}

function stringEnd(text: string, begin: number): number {
  let at = begin + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function valueEnd(text: string, begin: number): number {
  let depth = 0;
  for (let at = begin; ; ) {
    const char = text[at] ?? "";
    if (char === '"') at = stringEnd(text, at);
    else {
      if (depth === 0 && /[,}\]\s]|^$/.test(char)) return at;
      if (/[[{]/.test(char)) depth += 1;
      else if (/[\]}]/.test(char)) depth -= 1;
      at += 1;
    }
    if (depth === 0 && /["}\]]/.test(char)) return at;
  }
}
