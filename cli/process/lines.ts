import { createInterface } from "node:readline";
import type { Lines } from "./context.js";

export function openLines(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Lines {
  const typed: string[] = [];
  let ended = false;
  let wake: (() => void) | null = null;
  const lines = createInterface({ input, output, terminal: true });
  lines.on("line", (line) => {
    typed.push(line);
    wake?.();
  });
  lines.on("close", () => {
    ended = true;
    wake?.();
  });
  // In raw mode Ctrl-C is a key for the line editor, and no signal.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  lines.pause();
  return {
    ask: async (question, signal) => {
      lines.setPrompt(question);
      if (!ended) lines.prompt();
      const stop = (): void => wake?.();
      signal.addEventListener("abort", stop);
      while (typed.length === 0 && !ended && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      signal.removeEventListener("abort", stop);
      lines.pause();
      const line = signal.aborted ? undefined : typed.shift();
      if (line === undefined) output.write("\n");
      return line ?? null;
    },
    close: () => lines.close(),
  };
}
