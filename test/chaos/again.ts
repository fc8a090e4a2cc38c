import { setTimeout as pause } from "node:timers/promises";

const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/** Repeats a call while the database is away. */
export async function again<T>(call: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await pause(PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
