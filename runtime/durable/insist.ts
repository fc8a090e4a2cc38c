import { setTimeout as pause } from "node:timers/promises";
import { StoreError } from "./store-error.js";

/** The pauses before a call of the store is repeated. */
const PATIENCE_MS: readonly number[] = [20, 100, 500];

/** Repeats a call of the store. It may have been done, although its acknowledgement was lost. */
export async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (const ms of PATIENCE_MS) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof StoreError && error.code !== "store_busy") throw error;
      await pause(ms);
    }
  }
  return call();
}
