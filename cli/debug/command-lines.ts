import type { Context } from "../process/context.js";

export interface CommandLines {
  /** The next command; null when there is no more, or the signal tells to stop. */
  readonly next: (signal: AbortSignal) => Promise<string | null>;
  /** Commands of a script are not on the screen, so the transcript shows them. */
  readonly isScript: boolean;
  readonly close: () => void;
}

/** Commands that a person types on a terminal, or else the lines of standard input. */
export async function openCommandLines({ stdin, stderr }: Context): Promise<CommandLines> {
  if (stdin.openLines !== undefined && stdin.isTerminal() && stderr.isTerminal()) {
    const lines = await stdin.openLines();
    return { next: (signal) => lines.ask("debug> ", signal), isScript: false, close: lines.close };
  }
  const script = scriptLines(stdin.chunks());
  return { next: (signal) => orStop(script, signal), isScript: true, close: () => {} };
}

/** The next line, unless the signal comes first. */
function orStop(script: AsyncIterator<string>, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(null);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    script.next().then(({ done, value }) => {
      signal.removeEventListener("abort", stop);
      resolve(done === true ? null : value);
    }, reject);
  });
}

/** The lines as they come, so that another program can lead the debugger through a pipe. */
async function* scriptLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  rest += decoder.decode();
  if (rest !== "") yield rest.replace(/\r$/, "");
}
