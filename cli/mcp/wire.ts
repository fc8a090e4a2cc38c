import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { parseJsonBody } from "../../runtime/http/request/body.js";
import { HttpProblem } from "../../runtime/http/request/problem.js";
import type { Context } from "../process/context.js";

/** A longer message is refused, and passed over. */
const LONGEST = 10_000_000;
const NEWLINE = 0x0a;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** A stream of Node can be closed, so that it does not keep the process. */
type Chunks = AsyncIterable<Uint8Array> & { readonly destroy?: () => void };

/** Messages as lines: of standard input, and to standard output, which nothing else writes to. */
export class StdioWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #stdout: Context["stdout"];
  readonly #chunks: Chunks;
  readonly #ended: () => void;
  #isClosed = false;

  /** Throws for what is JSON and no message of the protocol. */
  readonly #check: (value: unknown) => JSONRPCMessage;

  /** `ended` is called when the client has closed its end, before the connection is. */
  constructor(
    { stdin, stdout }: Pick<Context, "stdin" | "stdout">,
    check: (value: unknown) => JSONRPCMessage,
    ended: () => void,
  ) {
    this.#check = check;
    this.#stdout = stdout;
    this.#chunks = stdin.chunks();
    this.#ended = ended;
  }

  async start(): Promise<void> {
    void this.#read();
  }

  async #read(): Promise<void> {
    const lines = createLines(LONGEST);
    try {
      for await (const chunk of this.#chunks)
        for (const line of lines(chunk)) {
          if (this.#isClosed) return;
          this.#take(line);
        }
    } catch {
      // A pipe that breaks has ended.
    }
    this.#ended();
  }

  #take(line: Buffer | null): void {
    if (line?.every((byte) => byte === 0x0d || byte === 0x20)) return;
    try {
      if (line === null) throw new HttpProblem("body_too_large", { detail: "the message is too long" });
      this.#tell(parseJsonBody(line));
    } catch (error) {
      const message = error instanceof HttpProblem ? error.message : "the message cannot be read";
      this.#write({ jsonrpc: "2.0", id: null, error: { code: PARSE_ERROR, message } });
    }
  }

  /** The library passes over what is no message, and whoever sent it would wait for an answer. */
  #tell(value: object): void {
    let message: JSONRPCMessage;
    try {
      message = this.#check(value);
    } catch {
      const { id, method }: { readonly id?: unknown; readonly method?: unknown } = value;
      // An answer is not answered.
      if (method === undefined && ("result" in value || "error" in value)) return;
      const known = typeof id === "string" || typeof id === "number" ? id : null;
      const error = { code: INVALID_REQUEST, message: "this is no request of JSON-RPC 2.0" };
      this.#write({ jsonrpc: "2.0", id: known, error });
      return;
    }
    this.onmessage?.(message);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(message);
  }

  #write(message: object): void {
    if (this.#isClosed) return;
    const text = `${JSON.stringify(message)}\n`;
    if (this.#stdout.offer === undefined) this.#stdout.write(text);
    // A client that does not read any more has gone.
    else if (!this.#stdout.offer(text)) this.#ended();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#chunks.destroy?.();
    this.onclose?.();
  }
}

/** Cuts bytes into lines; null for a line that is longer than it may be. */
function createLines(longest: number): (chunk: Uint8Array) => readonly (Buffer | null)[] {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size <= longest) parts.push(part);
    else parts = [];
  };
  const end = (): Buffer | null => {
    const line = size > longest ? null : Buffer.concat(parts);
    [parts, size] = [[], 0];
    return line;
  };
  return (chunk) => {
    const bytes = Buffer.from(chunk);
    const lines: (Buffer | null)[] = [];
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      add(bytes.subarray(from, at));
      lines.push(end());
      from = at + 1;
    }
    add(bytes.subarray(from));
    return lines;
  };
}
