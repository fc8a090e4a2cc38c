import { SaxesParser } from "saxes";
import { BOOK_LIMITS } from "./limits.js";
import { bad } from "./refusal.js";

export interface Element {
  /** The name without its prefix. */
  readonly name: string;
  /** The value of an attribute, by its name without a prefix. */
  readonly attribute: (name: string) => string | null;
}

export interface XmlReader {
  readonly open: (element: Element) => void;
  readonly close: (name: string) => void;
  readonly text: (text: string) => void;
}

/** So many bytes are decoded at a time, so that the text of a large part is never there as a whole. */
const CHUNK = 65_536;

/** Reads the XML of a part. What is no XML, and a document type, is refused. */
export function readXml(part: string, bytes: Uint8Array, reader: XmlReader): void {
  const parser = new SaxesParser({ xmlns: false as const, position: false });
  parser.on("error", () => {
    throw bad(`its part ${JSON.stringify(part)} is no XML`);
  });
  parser.on("doctype", () => {
    throw bad(`its part ${JSON.stringify(part)} holds a document type, which no workbook has`);
  });
  let depth = 0;
  let count = 0;
  // The parser tells of them one by one, and of the element when it has them all.
  parser.on("attribute", () => {
    if (++count > BOOK_LIMITS.attributes)
      throw bad(
        `its part ${JSON.stringify(part)} holds an element with more than ${BOOK_LIMITS.attributes} attributes`,
      );
  });
  parser.on("opentag", ({ name, attributes }) => {
    count = 0;
    if (++depth > BOOK_LIMITS.depth)
      throw bad(
        `its part ${JSON.stringify(part)} holds more than ${BOOK_LIMITS.depth} elements within each other`,
      );
    reader.open({ name: withoutPrefix(name), attribute: (wanted) => attributeOf(attributes, wanted) });
  });
  parser.on("closetag", ({ name }) => {
    depth--;
    reader.close(withoutPrefix(name));
  });
  parser.on("text", reader.text);
  parser.on("cdata", reader.text);
  for (const text of decoded(part, bytes)) parser.write(text);
  parser.close();
}

function* decoded(part: string, bytes: Uint8Array): Iterable<string> {
  const decoder = new TextDecoder(encodingOf(bytes), { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += CHUNK)
      yield decoder.decode(bytes.subarray(at, at + CHUNK), { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw bad(`its part ${JSON.stringify(part)} holds bytes that are no text`);
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return "utf-16be";
  return "utf-8";
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(":") + 1);

function attributeOf(attributes: { readonly [name: string]: string }, wanted: string): string | null {
  const plain = attributes[wanted];
  if (plain !== undefined && Object.hasOwn(attributes, wanted)) return plain;
  for (const name of Object.keys(attributes))
    if (name.endsWith(wanted) && withoutPrefix(name) === wanted) return attributes[name] ?? null;
  return null;
}
