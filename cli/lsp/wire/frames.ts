/** What came over the wire: a message, or text that is none. */
export type Frame =
  | { readonly kind: "message"; readonly message: unknown }
  | { readonly kind: "broken"; readonly why: string };

/** No sheet is larger than 50 MB, which JSON may write in twice as many bytes. */
const MAX_BODY = 128 * 1024 * 1024;
const MAX_HEADER = 8 * 1024;
const BREAK = Buffer.from("\r\n\r\n");
const BEGIN = Buffer.from("Content-Length:");

/**
 * Cuts the bytes of a client into messages. After a broken header it goes on at the next `Content-Length`, so that one
 * bad message does not lose all that follow.
 */
export function createFrames(): (piece: Uint8Array) => readonly Frame[] {
  const pieces: Uint8Array[] = [];
  let held = 0;
  /** So many bytes must be there before it is worth to look again. */
  let needed = 0;
  return (piece) => {
    pieces.push(piece);
    held += piece.length;
    if (held < needed) return [];
    let rest: Buffer = Buffer.concat(pieces);
    const found: Frame[] = [];
    for (;;) {
      const step = next(rest);
      if (step.frame !== null) found.push(step.frame);
      rest = rest.subarray(step.used);
      needed = step.needed;
      if (step.used === 0) break;
    }
    pieces.splice(0, pieces.length, rest);
    held = rest.length;
    return found;
  };
}

interface Step {
  readonly frame: Frame | null;
  readonly used: number;
  readonly needed: number;
}

const broken = (why: string, used: number): Step => ({ frame: { kind: "broken", why }, used, needed: 0 });
const wait = (needed: number): Step => ({ frame: null, used: 0, needed });

function next(bytes: Buffer): Step {
  const end = bytes.indexOf(BREAK);
  if (end < 0)
    return bytes.length <= MAX_HEADER
      ? wait(0)
      : broken("a header has no end", nextBegin(bytes, bytes.length));
  const length = lengthIn(bytes.toString("latin1", 0, end));
  const start = end + BREAK.length;
  if (length === null) return broken("a header has no Content-Length", nextBegin(bytes, start));
  if (length > MAX_BODY) return broken("a message is too large", start);
  const stop = start + length;
  if (bytes.length < stop) return wait(stop);
  return { frame: frameOf(bytes.toString("utf8", start, stop)), used: stop, needed: 0 };
}

/** Where the next header may begin; `otherwise` when there is none. */
function nextBegin(bytes: Buffer, otherwise: number): number {
  const at = bytes.indexOf(BEGIN, 1);
  return at < 0 || at > otherwise ? otherwise : at;
}

function lengthIn(header: string): number | null {
  const [, digits] = /^Content-Length:[ \t]*(\d{1,12})[ \t]*$/im.exec(header.replaceAll("\r", "")) ?? [];
  // A header that holds more than one is the rest of a broken message.
  const isOne = header.split(/Content-Length:/i).length === 2 && /^[\w-]+:/.test(header);
  return digits === undefined || !isOne ? null : Number(digits);
}

function frameOf(text: string): Frame {
  try {
    return { kind: "message", message: JSON.parse(text) };
  } catch {
    return { kind: "broken", why: "a message is no JSON" };
  }
}

/** A message as it goes over the wire. */
export function framed(message: unknown): string {
  const text = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
