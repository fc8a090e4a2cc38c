/** What `process.exit` calls in the end, which Node's types do not name. */
interface Ending {
  reallyExit: (code: number) => never;
}

/**
 * Gives what keeps an exit code against listeners of agents. It is called when the process ends, by the first of all
 * listeners. What they set is taken back by a listener of ours that stays the last one, and where `process.exit` ends.
 */
export function watchExitCode(): (code: number) => void {
  let kept: number | null = null;
  const last = (): void => {
    if (kept !== null) process.exitCode = kept;
  };
  process.on("newListener", (event, listener) => {
    if (event === "exit" && listener !== last) process.nextTick(stayLast, last);
  });
  return (code) => {
    kept = code;
    const ending = process as unknown as Ending;
    const end = ending.reallyExit;
    ending.reallyExit = () => end.call(process, code);
  };
}

function stayLast(last: () => void): void {
  process.off("exit", last);
  process.on("exit", last);
}
