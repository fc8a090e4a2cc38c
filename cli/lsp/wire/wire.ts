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
import type { Owed } from "./owed.js";
import { createSession } from "./session.js";

/** How the client has left: `inOrder` after shutdown and exit. */
export type Leave = (inOrder: boolean) => void;

interface Reading {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly refuse: (message: object) => void;
  readonly leave: Leave;
  readonly owed: Owed;
}

/** Reads the client's messages from standard input. What cannot be read is answered, and the next is read. */
export class WireReader extends AbstractMessageReader implements MessageReader {
  readonly #chunks: AsyncIterable<Uint8Array>;
  readonly #refuse: (message: object) => void;
  readonly #leave: Leave;
  readonly #owed: Owed;

  constructor({ chunks, refuse, leave, owed }: Reading) {
    super();
    this.#chunks = chunks;
    this.#refuse = refuse;
    this.#leave = leave;
    this.#owed = owed;
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
          if (passed.kind === "leave") {
            if (passed.inOrder) await this.#owed.settled();
            return this.#leave(passed.inOrder);
          }
          if (passed.kind === "refuse") this.#refuse(passed.refusal);
          if (passed.kind !== "pass") continue;
          this.#owed.asked(passed.message);
          callback(passed.message as Message);
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
  readonly #owed: Owed;

  constructor(stdout: Context["stdout"], leave: Leave, owed: Owed) {
    super();
    this.#stdout = stdout;
    this.#leave = leave;
    this.#owed = owed;
  }

  async write(message: object): Promise<void> {
    const { offer = (text: string) => this.#writeAll(text) } = this.#stdout;
    if (!offer(framed(message))) this.#leave(false);
    this.#owed.answered(message);
  }

  #writeAll(text: string): boolean {
    this.#stdout.write(text);
    return true;
  }

  end(): void {}
}
