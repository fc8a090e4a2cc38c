/** One element of a document that holds nothing but elements, attributes and text. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly text: string;
}

const TAG = /^<(\/?)([a-z]+)((?:\s+[A-Za-z:-]+="[^"<]*")*)\s*(\/?)>/;

/** Reads strictly: anything but plain elements, quoted attributes and the five entities is an error. */
export function readXml(source: string): readonly Element[] {
  const elements: { name: string; attributes: Map<string, string>; text: string }[] = [];
  const open: number[] = [];
  let rest = source.trim();
  while (rest !== "") {
    const text = /^[^<]*/.exec(rest)?.[0] ?? "";
    if (text !== "") {
      const current = elements[open.at(-1) ?? -1];
      if (current === undefined) throw new Error(`text outside: ${text}`);
      current.text += decode(text);
      rest = rest.slice(text.length);
      continue;
    }
    const [all = "", closing, name = "", attributes = "", empty] = TAG.exec(rest) ?? [];
    if (all === "") throw new Error(`no tag: ${rest.slice(0, 80)}`);
    rest = rest.slice(all.length);
    if (closing === "/") {
      const last = elements[open.pop() ?? -1];
      if (last?.name !== name) throw new Error(`</${name}> closes ${last?.name}`);
      continue;
    }
    const found = [...attributes.matchAll(/([A-Za-z:-]+)="([^"<]*)"/g)];
    elements.push({
      name,
      attributes: new Map(found.map(([, key = "", value = ""]) => [key, decode(value)])),
      text: "",
    });
    if (empty !== "/") open.push(elements.length - 1);
  }
  if (open.length > 0) throw new Error("an element is not closed");
  return elements;
}

const ENTITIES: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

function decode(text: string): string {
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/u.test(text))
    throw new Error("not a character of XML");
  return text.replace(/&([^;]*);?/g, (all, name: string) => {
    const character = ENTITIES[name];
    if (character === undefined || !all.endsWith(";")) throw new Error(`no entity: ${all}`);
    return character;
  });
}
