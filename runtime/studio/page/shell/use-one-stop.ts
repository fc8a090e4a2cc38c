import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { oneStop, walkInside } from "./stops.js";

interface OneStop<E extends HTMLElement> {
  readonly ref: RefObject<E | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocusIn: () => void;
}

/** Makes one Tab stop of what holds several things to press. */
export function useOneStop<E extends HTMLElement>(): OneStop<E> {
  const ref = useRef<E>(null);
  const settle = (): void => oneStop(ref.current);
  useLayoutEffect(settle);
  return { ref, onKeyDown: walkInside, onFocusIn: settle };
}
