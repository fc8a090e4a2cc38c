import type { Service } from "../../http/service.js";
import { Hub } from "./hub.js";
import { createRunWatch } from "./watch-runs.js";
import { type SheetWatch, watchSheets } from "./watch-sheets.js";

/** Runs are looked at so often, and sheets each tenth time, as a disk may tell of no changes. */
const LOOK_MS = 500;
const SHEETS_EACH = 10;
/** Whoever comes back in this time has missed nothing. */
const LINGER_MS = 30_000;

/** Watches while somebody reads. */
class EventRoom {
  readonly hub = new Hub();
  readonly #service: Service;
  #readers = 0;
  #watching: Promise<() => Promise<void>> | null = null;
  #leaving: NodeJS.Timeout | undefined;

  constructor(service: Service) {
    this.#service = service;
  }

  /** Resolves when nothing that happens from now on is missed. The function that it gives ends that. */
  async enter(): Promise<() => void> {
    clearTimeout(this.#leaving);
    this.#watching ??= this.#watch().catch((error: unknown) => {
      this.#watching = null;
      throw error;
    });
    this.#readers++;
    await this.#watching.catch((error: unknown) => {
      this.#readers--;
      throw error;
    });
    return () => {
      this.#readers--;
      if (this.#readers > 0) return;
      this.#leaving = setTimeout(() => void this.#close(), LINGER_MS).unref();
    };
  }

  async #watch(): Promise<() => Promise<void>> {
    const runs = createRunWatch(this.#service, this.hub);
    // A store that cannot be read now is looked at again.
    const looking = runs.look().catch(() => {});
    const sheets: SheetWatch = await watchSheets(this.#service, this.hub);
    await looking;
    let looks = 0;
    let isLooking = false;
    const timer = setInterval(() => {
      this.hub.stir();
      if (this.#service.slots.isClosed()) void this.#close();
      if (isLooking || this.#watching === null) return;
      isLooking = true;
      looks++;
      const looking = [runs.look(), ...(looks % SHEETS_EACH === 0 ? [sheets.look()] : [])];
      void Promise.allSettled(looking).then(() => {
        isLooking = false;
      });
    }, LOOK_MS).unref();
    return async () => {
      clearInterval(timer);
      await sheets.close();
    };
  }

  async #close(): Promise<void> {
    const watching = this.#watching;
    this.#watching = null;
    this.hub.forget();
    await (await watching)?.();
  }
}

const rooms = new WeakMap<Service, EventRoom>();

export function roomOf(service: Service): EventRoom {
  const room = rooms.get(service) ?? new EventRoom(service);
  rooms.set(service, room);
  return room;
}
