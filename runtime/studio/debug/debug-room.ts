import { randomUUID } from "node:crypto";
import { HttpProblem } from "../../http/request/problem.js";
import type { Service } from "../../http/service.js";
import type { DebugSession } from "./debug-session.js";

/** So many runs are debugged at a time. */
const MOST = 4;
/** A debugger that nobody reads ends after this time. */
const LINGER_MS = 30_000;

interface Place {
  readonly session: DebugSession;
  readers: number;
  leaving: NodeJS.Timeout | undefined;
}

/** The debuggers of a service. */
export class DebugRoom {
  readonly #places = new Map<string, Place>();
  readonly #lingerMs: number;

  constructor(lingerMs = LINGER_MS) {
    this.#lingerMs = lingerMs;
  }

  /** Asked before a run is opened for one more. */
  mustHaveRoom(): void {
    const open = [...this.#places.values()].filter(({ session }) => !session.told.isOver);
    if (open.length < MOST) return;
    throw new HttpProblem("too_many_debuggers", { detail: `${MOST} are open: end one of them first` });
  }

  add(session: DebugSession): string {
    this.mustHaveRoom();
    const id = randomUUID();
    const place: Place = { session, readers: 0, leaving: undefined };
    this.#places.set(id, place);
    this.#leave(id, place);
    return id;
  }

  mustHave(id: string): void {
    this.#placeOf(id);
  }

  /** The debugger of this id, for a reader. The function that comes with it says that the reader has gone. */
  read(id: string): { readonly session: DebugSession; readonly leave: () => void } {
    const place = this.#placeOf(id);
    clearTimeout(place.leaving);
    place.readers += 1;
    const leave = (): void => {
      place.readers -= 1;
      if (place.readers === 0) this.#leave(id, place);
    };
    return { session: place.session, leave };
  }

  /** The debugger of this id, while its run goes on. */
  find(id: string): DebugSession {
    const { session } = this.#placeOf(id);
    if (session.told.isOver) throw new HttpProblem("debugger_not_found", { detail: "its run is over" });
    return session;
  }

  #placeOf(id: string): Place {
    const place = this.#places.get(id);
    if (place === undefined) throw new HttpProblem("debugger_not_found");
    return place;
  }

  #leave(id: string, place: Place): void {
    const end = (): void => {
      this.#places.delete(id);
      place.session.end();
    };
    place.leaving = setTimeout(end, this.#lingerMs).unref();
  }
}

const rooms = new WeakMap<Service, DebugRoom>();

export function debugRoomOf(service: Service): DebugRoom {
  const room = rooms.get(service) ?? new DebugRoom();
  rooms.set(service, room);
  return room;
}
