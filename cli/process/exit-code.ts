/** `process.exit` calls this function at the end. Node's types do not name it. */
interface Ending {
  reallyExit: (code: number) => never;
}

/**
 * Returns a function that protects the exit code from agents. The first `exit` listener must call it.
 * Listeners of agents may change the code later. So it is restored by the last listener and when `process.exit` ends.
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
