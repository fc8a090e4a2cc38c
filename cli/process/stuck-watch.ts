// Runs in a thread of its own beside a run with agents of the project; see watchdog.ts.
import { writeSync } from "node:fs";
import { type Debugger, Session } from "node:inspector";
import { parentPort, workerData } from "node:worker_threads";
import { STUCK, type Stuck, type WatchOrder } from "./stuck.js";

/** How long the main thread may take to answer before it counts as stuck. */
const PATIENCE_MS = 1_000;
/** After Ctrl-C nobody wants to wait. */
const HURRY_MS = 400;
/** How long it may take to stop it at a statement. */
const PAUSE_MS = 2_000;
const SIGINT = 2;

const { timeoutMs, files } = workerData as WatchOrder;
let answered = false;
let ending = false;

parentPort?.on("message", (message: unknown) => {
  if (message === "done") watch("done");
  else answered = true;
});
if (timeoutMs !== null) setTimeout(() => watch("timeout"), Math.min(timeoutMs, 2 ** 31 - 1));
watchInterrupts();

/** A thread is given no signals by the documented way; without this one Ctrl-C is left to the main thread. */
function watchInterrupts(): void {
  try {
    const { binding } = process as unknown as { readonly binding: (name: string) => SignalBinding };
    const signal = new (binding("signal_wrap").Signal)();
    signal.onsignal = () => watch("interrupt");
    signal.start(SIGINT);
  } catch {}
}

interface SignalBinding {
  readonly Signal: new () => { onsignal: () => void; readonly start: (signal: number) => number };
}

/** From now on the main thread must answer: it has something to do that it cannot do while it is stuck. */
function watch(why: Stuck): void {
  const patience = why === "interrupt" ? HURRY_MS : PATIENCE_MS;
  const ask = (): void => {
    answered = false;
    parentPort?.postMessage("are you there?");
    setTimeout(() => (answered ? ask() : end(why)), patience);
  };
  ask();
}

/** Stops the main thread wherever it is, and has it end the process. */
function end(why: Stuck): void {
  if (ending) return;
  ending = true;
  setTimeout(endByForce, PAUSE_MS);
  const session = new Session();
  session.connectToMainThread();
  const scripts = new Map<string, string>();
  session.on("Debugger.scriptParsed", ({ params }) => scripts.set(params.scriptId, params.url));
  session.on("Debugger.paused", ({ params }) => {
    const call = [STUCK, why, placeIn(params.callFrames, scripts)].map((one) => JSON.stringify(one));
    session.post("Runtime.evaluate", {
      expression: `globalThis[Symbol.for(${call[0]})](${call[1]}, ${call[2]})`,
    });
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
}

/** Where the project's own code stands; null where that cannot be said, as in a bundle. */
function placeIn(frames: readonly Debugger.CallFrame[], scripts: ReadonlyMap<string, string>): string | null {
  for (const { location } of frames) {
    const url = scripts.get(location.scriptId) ?? "";
    if (!url.startsWith(files) || /\/(?:\.flowsheet|node_modules)\//.test(url)) continue;
    const path = decodeURIComponent(url.slice(files.length).replace(/\?.*/, ""));
    return `${path}:${location.lineNumber + 1}`;
  }
  return null;
}

/** The main thread is in code that cannot be stopped at a statement, such as a call of the system. */
function endByForce(): void {
  writeSync(2, "error: an agent does not pause and cannot be stopped: the process is killed\n");
  process.kill(process.pid, "SIGKILL");
}
