import type { DurableStore } from "./store.js";
import { StoreError } from "./store-error.js";

/** A store whose calls say so when it has been closed, whatever its driver would say. Closing it again does nothing. */
export function closable(place: string, { carrierOf, close, ...calls }: DurableStore): DurableStore {
  let closed: Promise<void> | null = null;
  const refusal = (cause?: unknown): StoreError =>
    new StoreError("store_unusable", `the run store ${place} has been closed`, { cause });
  const asked = Object.entries(calls as Calls).map(([name, call]) => [
    name,
    (...given: readonly unknown[]) =>
      closed !== null
        ? Promise.reject(refusal())
        : call(...given).catch((error: unknown) => {
            throw closed === null || error instanceof StoreError ? error : refusal(error);
          }),
  ]);
  return {
    ...(Object.fromEntries(asked) as DurableStore),
    ...(carrierOf === undefined ? {} : { carrierOf }),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

interface Calls {
  readonly [name: string]: (...given: readonly unknown[]) => Promise<unknown>;
}
