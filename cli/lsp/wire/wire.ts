import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
} from "vscode-languageserver/node";
import type { Context } from "../../process/context.js";
import { createFrames, framed } from "./frames.js";
import { createSession } from "./session.js";

/** How the client has left: `inOrder` after shutdown and exit. */
export type Leave = (inOrder: boolean) => void;

/** Reads the client's messages from standard input. What cannot be read is answered, and the next is read. */
export class WireReader extends AbstractMessageReader implements MessageReader {
  readonly #chunks: AsyncIterable<Uint8Array>;
  readonly #refuse: (message: object) => void;
  readonly #leave: Leave;

  constructor(chunks: AsyncIterable<Uint8Array>, refuse: (message: object) => void, leave: Leave) {
    super();
    this.#chunks = chunks;
    this.#refuse = refuse;
    this.#leave = leave;
  }

  listen(callback: DataCallback): Disposable {
    void this.#read(callback);
    return { dispose: () => {} };
  }

  async #read(callback: DataCallback): Promise<void> {
    const frames = createFrames();
    const pass = createSession();
    try {
      for await (const chunk of this.#chunks)
        for (const frame of frames(chunk)) {
          const passed = pass(frame);
          if (passed.kind === "leave") return this.#leave(passed.inOrder);
          if (passed.kind === "refuse") this.#refuse(passed.refusal);
          if (passed.kind === "pass") callback(passed.message as Message);
        }
    } catch {
      // A pipe that breaks has ended.
    }
    this.#leave(false);
  }
}

/** Writes to standard output; a client that no longer reads has left. */
export class WireWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #stdout: Context["stdout"];
  readonly #leave: Leave;

  constructor(stdout: Context["stdout"], leave: Leave) {
    super();
    this.#stdout = stdout;
    this.#leave = leave;
  }

  async write(message: object): Promise<void> {
    const { offer = (text: string) => this.#writeAll(text) } = this.#stdout;
    if (!offer(framed(message))) this.#leave(false);
  }

  #writeAll(text: string): boolean {
    this.#stdout.write(text);
    return true;
  }

  end(): void {}
}
