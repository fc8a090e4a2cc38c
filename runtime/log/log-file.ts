import { dirname } from "node:path";
import pino from "pino";
import { makeFolder } from "../../compiler/files/make-folder.js";

/** So many bytes wait for a disk that is full; what comes then is lost. */
const UNWRITTEN = 1_000_000;

/**
 * Opens a file that lines are added to. One that cannot be written is told once, as a line for people, and stops nobody.
 */
export function createLogFile(path: string, tell: (line: string) => void) {
  let destination = open(path, tell);
  return {
    /** Lines that come after the file was closed go nowhere: a run may end later than its server. */
    write: (line: string) => void destination?.write(line),
    isOpen: () => destination !== null,
    /** Opens the path again: another program has given the file another name. */
    reopen: () => {
      const next = open(path, tell);
      // The old file takes the lines until there is a new one.
      if (next === null) return;
      destination?.destroy();
      destination = next;
    },
    /** Every line is written at once. What a full disk has not taken is not waited for: flushing would never end. */
    close: () => {
      destination?.destroy();
      destination = null;
    },
  };
}

function open(path: string, tell: (line: string) => void): ReturnType<typeof pino.destination> | null {
  let told = false;
  const fail = (error: unknown): void => {
    if (told) return;
    told = true;
    tell(`warn  the log file cannot be written: ${error instanceof Error ? error.message : "unknown"}\n`);
  };
  try {
    makeFolder(dirname(path));
    const destination = pino.destination({
      dest: path,
      sync: true,
      append: true,
      mode: 0o600,
      maxLength: UNWRITTEN,
    });
    destination.on("error", fail);
    return destination;
  } catch (error) {
    fail(error);
    return null;
  }
}
