import { decodeXml, encodeXml } from "../../compiler/1-parse/workbook/sheet-walk.js";
import { writeParts } from "../../compiler/1-parse/workbook/write-zip.js";
import { mainPart, relationshipsOf } from "../../compiler/1-parse/workbook/xlsx.js";
import { openArchive, partKey, Unpacker } from "../../compiler/1-parse/workbook/zip.js";
import { attributeText } from "./xml-text.js";

const TYPES = "[Content_Types].xml";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** As we write it where there was none. */
const NO_RELATIONSHIPS = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="${PACKAGE}/relationships"></Relationships>`;
const VML =
  '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>';

type Decoded = ReturnType<typeof decodeXml>;

/** The parts of a workbook as texts that can be changed; all others stay byte for byte. */
export class BookParts {
  readonly #unpacker: Unpacker;
  readonly #texts = new Map<string, Decoded>();
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  readonly main: string;

  constructor(bytes: Uint8Array) {
    this.#unpacker = new Unpacker(openArchive(bytes));
    this.main = mainPart(this.#unpacker) ?? "";
  }

  /** Null when there is no such part. */
  text(part: string): string | null {
    const key = partKey(part);
    if (this.#removed.has(key)) return null;
    const known = this.#texts.get(key);
    if (known !== undefined) return known.text;
    const bytes = this.#unpacker.open(part);
    if (bytes === null) return null;
    const decoded = decodeXml(bytes);
    this.#texts.set(key, decoded);
    return decoded.text;
  }

  set(part: string, text: string): void {
    if (this.text(part) === text) return;
    const key = partKey(part);
    const known = this.#texts.get(key) ?? { encoding: "utf8", mark: false };
    this.#texts.set(key, { ...known, text });
    this.#changed.add(key);
    this.#names.set(key, part);
    this.#removed.delete(key);
  }

  readonly #names = new Map<string, string>();

  /** Takes a part away, with what says of its content. */
  remove(part: string): void {
    this.#removed.add(partKey(part));
    const types = this.text(TYPES) ?? "";
    const name = `/${part}`.toLowerCase();
    this.set(
      TYPES,
      types.replace(/<(?:[\w.-]+:)?Override\s[^>]*>/g, (tag) =>
        tag.toLowerCase().includes(`"${name}"`) ? "" : tag,
      ),
    );
  }

  /** Adds a part whose content has a type of its own. */
  add(part: string, text: string, contentType: string): void {
    this.set(part, text);
    const types = this.text(TYPES) ?? "";
    const prefix = /<([\w.-]+:)?Types\b/.exec(types)?.[1] ?? "";
    const own = `<${prefix}Override PartName="/${part}" ContentType="${contentType}"/>`;
    this.set(
      TYPES,
      types.replace(/<\/(?:[\w.-]+:)?Types>/, (end) => own + end),
    );
  }

  /** The part that is related to another by a kind, such as `comments`, and the name of the relationship. */
  related(part: string, kind: string): { readonly id: string; readonly target: string } | null {
    return this.relationships(part).find((one) => one.kind === kind) ?? null;
  }

  relationships(part: string): ReturnType<typeof relationshipsOf> {
    const text = this.text(relsOf(part));
    return text === null ? [] : relationshipsOf({ open: () => Buffer.from(text) }, part);
  }

  /** Answers the name of the new relationship. */
  relate(part: string, kind: string, target: string): string {
    const path = relsOf(part);
    const known = this.text(path);
    const text = known ?? NO_RELATIONSHIPS;
    const prefix = /<([\w.-]+:)?Relationships\b/.exec(text)?.[1] ?? "";
    const ids = new Set(this.relationships(part).map(({ id }) => id));
    let number = 1;
    while (ids.has(`flowsheet${number}`)) number++;
    const id = `flowsheet${number}`;
    const own = `<${prefix}Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="/${target}"/>`;
    const opened = text.replace(/<((?:[\w.-]+:)?Relationships)([^>]*)\/>/, "<$1$2></$1>");
    this.set(
      path,
      opened.replace(/<\/(?:[\w.-]+:)?Relationships>/, (end) => own + end),
    );
    return id;
  }

  unrelate(part: string, id: string): void {
    const path = relsOf(part);
    const text = this.text(path) ?? "";
    const left = text.replace(/<(?:[\w.-]+:)?Relationship\s[^>]*>/g, (tag) =>
      attributeText(tag, "Id") === id ? "" : tag,
    );
    if (left === NO_RELATIONSHIPS) this.#removed.add(partKey(path));
    else this.set(path, left);
  }

  /** A part of this kind that has no name yet. */
  freeName(before: string, after: string): string {
    let number = 1;
    while (this.text(`${before}${number}${after}`) !== null) number++;
    return `${before}${number}${after}`;
  }

  /** Parts with this ending are drawings of notes. */
  declareVml(): void {
    const types = this.text(TYPES) ?? "";
    if (/Extension="vml"/i.test(types)) return;
    this.set(
      TYPES,
      types.replace(/(<(?:[\w.-]+:)?Types[^>]*>)/, (start) => start + VML),
    );
  }

  /** Takes back what `declareVml` has put in front of all else. */
  forgetVml(): void {
    const keys = [...this.#unpacker.archive.parts.keys()];
    if (keys.some((key) => key.endsWith(".vml") && !this.#removed.has(key))) return;
    const types = this.text(TYPES) ?? "";
    const at = types.indexOf(VML);
    if (/<(?:[\w.-]+:)?Types[^>]*>$/.test(types.slice(0, at)))
      this.set(TYPES, types.slice(0, at) + types.slice(at + VML.length));
  }

  bytes(): Uint8Array {
    const { archive } = this.#unpacker;
    const changed = new Map<string, Uint8Array>();
    for (const key of this.#changed) {
      const decoded = this.#texts.get(key);
      if (decoded === undefined || this.#removed.has(key)) continue;
      changed.set(this.#names.get(key) ?? key, encodeXml(decoded.text, decoded.encoding, decoded.mark));
    }
    return writeParts(archive, changed, this.#removed);
  }
}

function relsOf(part: string): string {
  const slash = part.lastIndexOf("/") + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

/** How an element names a relationship, in the words of its document. */
export function relationshipAttribute(xml: string, id: string): string {
  const [, prefix] = /\sxmlns:([\w.-]+)="[^"]*\/officeDocument(?:\/2006)?\/relationships"/.exec(xml) ?? [];
  return prefix === undefined ? `xmlns:r="${OFFICE}" r:id="${id}"` : `${prefix}:id="${id}"`;
}
