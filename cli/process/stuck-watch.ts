// Runs in a worker thread; see watchdog.ts.
import { writeSync } from "node:fs";
import { type Debugger, Session } from "node:inspector";
import { parentPort, workerData } from "node:worker_threads";
import type { Stuck, WatchOrder } from "./watchdog.js";

/** The main thread counts as stuck when it does not answer within this time. */
const PATIENCE_MS = 1_000;
/** Shorter, because a person who pressed Ctrl-C is waiting. */
const HURRY_MS = 400;
/** The debugger gets this time to pause the main thread. */
const PAUSE_MS = 2_000;
const SIGINT = 2;

const { timeoutMs, files, key } = workerData as WatchOrder;
let answered = false;
let ending = false;

parentPort?.on("message", (message: unknown) => {
  if (message === "done") watch("done");
  else answered = true;
});
if (timeoutMs !== null) setTimeout(() => watch("timeout"), Math.min(timeoutMs, 2 ** 31 - 1));
watchInterrupts();

/** Node documents no way to receive signals in a worker thread. Without this one, the main thread gets Ctrl-C. */
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

/** From now on the main thread must answer: it has work that a blocked event loop would delay. */
function watch(why: Stuck): void {
  const patience = why === "interrupt" ? HURRY_MS : PATIENCE_MS;
  const ask = (): void => {
    answered = false;
    parentPort?.postMessage("are you there?");
    setTimeout(() => (answered ? ask() : end(why)), patience);
  };
  ask();
}

/** Pauses the main thread with the debugger, and makes it end the process. */
function end(why: Stuck): void {
  if (ending) return;
  ending = true;
  setTimeout(endByForce, PAUSE_MS);
  const session = new Session();
  session.connectToMainThread();
  const scripts = new Map<string, string>();
  session.on("Debugger.scriptParsed", ({ params }) => scripts.set(params.scriptId, params.url));
  session.on("Debugger.paused", ({ params }) => {
    const call = [key, why, placeIn(params.callFrames, scripts)].map((one) => JSON.stringify(one));
    session.post("Runtime.evaluate", {
      expression: `globalThis[Symbol.for(${call[0]})](${call[1]}, ${call[2]})`,
    });
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
}

/** The paused place in the project's own code; null when it is unknown, as in a bundle. */
function placeIn(frames: readonly Debugger.CallFrame[], scripts: ReadonlyMap<string, string>): string | null {
  for (const { location } of frames) {
    const url = scripts.get(location.scriptId) ?? "";
    if (!url.startsWith(files) || /\/(?:\.flowsheet|node_modules)\//.test(url)) continue;
    const path = decodeURIComponent(url.slice(files.length).replace(/\?.*/, ""));
    return `${path}:${location.lineNumber + 1}`;
  }
  return null;
}

/** The debugger cannot pause a system call, so the whole process is killed. */
function endByForce(): void {
  writeSync(2, "error: an agent does not pause and cannot be stopped: the process is killed\n");
  process.kill(process.pid, "SIGKILL");
}
