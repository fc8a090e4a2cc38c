import { type Signal, signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** For so long after a card has moved nothing is answered: the hand was on its way to another one. */
const SETTLE_MS = 600;

/** True while a card has just moved. */
export const hasMoved: Signal<boolean> = signal(false);

let timer: ReturnType<typeof setTimeout> | undefined;

function tellMove(): void {
  hasMoved.value = true;
  clearTimeout(timer);
  timer = setTimeout(() => {
    hasMoved.value = false;
  }, SETTLE_MS);
}

/** Watches the places of cards. One that comes, and scrolling, moves none. */
export function useWatchedCards(): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null);
  const before = useRef<ReadonlyMap<string, number>>(new Map());
  useLayoutEffect(() => {
    const places = new Map(
      [...(ref.current?.querySelectorAll<HTMLElement>("[data-card]") ?? [])].map(
        (card) => [card.dataset["card"] ?? "", card.offsetTop] as const,
      ),
    );
    const isMoved = [...places].some(([key, top]) => (before.current.get(key) ?? top) !== top);
    before.current = places;
    if (isMoved) tellMove();
  });
  return ref;
}
