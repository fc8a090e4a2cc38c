/** A start tag or a whole empty one, with its attributes. */
const TAG = /<([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;

/** The value of an attribute of a tag, as it is written. */
export function attributeText(tag: string, name: string): string | null {
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? [];
  return double ?? single ?? null;
}

export interface FoundElement {
  readonly name: string;
  readonly local: string;
  readonly start: number;
  /** Where its start tag ends; the same as `end` for one without content. */
  readonly from: number;
  readonly end: number;
}

/** The elements that follow each other from an offset on, until one ends that holds them. */
export function elementsFrom(text: string, offset: number): readonly FoundElement[] {
  const found: FoundElement[] = [];
  const tags = new RegExp(TAG);
  tags.lastIndex = offset;
  for (let tag = tags.exec(text); tag !== null; tag = tags.exec(text)) {
    const { 0: whole, 1: name = "", 3: slash, index } = tag;
    if (text.slice(found.at(-1)?.end ?? offset, index).includes("</")) break;
    const from = index + whole.length;
    const close = slash === "/" ? from : text.indexOf(`</${name}>`, from);
    const end = slash === "/" ? from : close < 0 ? text.length : close + name.length + 3;
    found.push({ name, local: name.slice(name.indexOf(":") + 1), start: index, from, end });
    tags.lastIndex = end;
  }
  return found;
}

/** The first element of a name. */
export function elementNamed(text: string, local: string): FoundElement | null {
  const at = text.search(new RegExp(`<(?:[\\w.-]+:)?${local}(?=[\\s/>])`));
  return at < 0 ? null : (elementsFrom(text, at)[0] ?? null);
}

/** The prefix of the elements of a document, such as `x:`. */
export const prefixOf = (text: string, root: string): string =>
  new RegExp(`<([\\w.-]+:)?${root}[\\s>]`).exec(text)?.[1] ?? "";

/** Puts text before the end of an element; one without content is opened for it. */
export function appended(text: string, { name, start, from, end }: FoundElement, put: string): string {
  const open = text.slice(start, end);
  if (from === end)
    return `${text.slice(0, start)}${open.replace(/\s*\/>$/, ">")}${put}</${name}>${text.slice(end)}`;
  const close = end - name.length - 3;
  return text.slice(0, close) + put + text.slice(close);
}

export const without = (
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): string => text.slice(0, start) + text.slice(end);

/** What an attribute holds, or text between tags. */
export const unescapedXml = (text: string): string =>
  text
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
