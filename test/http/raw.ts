import { connect } from "node:net";

const PATIENCE_MS = 30_000;

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** The body as JSON; null when it is none. */
  readonly json: Readonly<Record<string, unknown>> | null;
}

/**
 * Sends bytes to a port, and reads all that comes back until the server closes, nothing more comes for a while, or
 * nothing comes at all.
 */
export function send(
  port: number,
  bytes: string | Buffer,
  quietMs = 300,
  patienceMs = PATIENCE_MS,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const done = (): void => {
      socket.destroy();
      resolve(Buffer.concat(parts).toString("utf8"));
    };
    let timer = setTimeout(done, patienceMs);
    socket.on("data", (part: Buffer) => {
      parts.push(part);
      clearTimeout(timer);
      timer = setTimeout(done, quietMs);
    });
    socket.on("close", () => {
      clearTimeout(timer);
      done();
    });
    socket.on("error", (error) => (parts.length === 0 ? reject(error) : done()));
  });
}

/** Sends bytes after which the server closes: all that comes until then is the answer. */
export const sendLast = (port: number, bytes: string | Buffer): Promise<string> =>
  send(port, bytes, PATIENCE_MS);

/** One request, written as it is given; the server is asked to close after it. */
export async function request(
  port: number,
  line: string,
  headers: readonly string[] = [],
  body: string | Buffer = "",
): Promise<RawAnswer> {
  const length = body.length === 0 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${line} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", ...headers, ...length];
  const bytes = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), Buffer.from(body)]);
  return parseAnswer(await sendLast(port, bytes));
}

/** Reads the first answer of what came over the wire. */
export function parseAnswer(text: string): RawAnswer {
  const cut = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, cut === -1 ? text.length : cut).split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const body = cut === -1 ? "" : text.slice(cut + 4);
  return { status: Number(first.split(" ")[1] ?? 0), headers, body, json: parsed(body) };
}

function parsed(body: string): RawAnswer["json"] {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
