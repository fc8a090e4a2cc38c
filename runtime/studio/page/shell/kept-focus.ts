import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * When what has the focus is taken out of a part of the page, that part gets it: keys go on from there. A press of
 * Start takes the form away, and a fix its problem.
 */
export function useKeptFocus<Part extends HTMLElement>(): RefObject<Part | null> {
  const ref = useRef<Part>(null);
  useEffect(() => (ref.current === null ? undefined : keepFocusIn(ref.current)), []);
  return ref;
}

function keepFocusIn(part: HTMLElement): () => void {
  let last: Node | null = null;
  const come = ({ target }: FocusEvent): void => {
    last = target instanceof Node ? target : null;
  };
  const go = ({ target }: FocusEvent): void => {
    // What is taken out may tell of it while it is still in the page.
    queueMicrotask(() => {
      if (last === target && part.contains(last)) last = null;
    });
  };
  const watcher = new MutationObserver(() => {
    if (last === null || part.contains(last)) return;
    last = null;
    if (document.activeElement === document.body) part.focus({ preventScroll: true });
  });
  part.addEventListener("focusin", come);
  part.addEventListener("focusout", go);
  watcher.observe(part, { childList: true, subtree: true });
  return () => {
    watcher.disconnect();
    part.removeEventListener("focusin", come);
    part.removeEventListener("focusout", go);
  };
}
