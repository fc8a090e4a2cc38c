import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogView {
  readonly label: string;
  readonly kind: string;
  readonly closed: () => void;
  readonly children: ComponentChildren;
}

/** Above all else until it is closed: by Esc, or by a press beside it. The focus then goes back. */
export function Dialog({ label, kind, closed, children }: DialogView) {
  const host = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = host.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const onClick = ({ target }: MouseEvent): void => {
    if (target === host.current) closed();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it.
    <dialog class={`dialog ${kind}`} aria-label={label} ref={host} onClose={closed} onClick={onClick}>
      {children}
    </dialog>
  );
}

/** Whether one is open: keys are its own then. */
export const isDialogOpen = (): boolean => document.querySelector("dialog[open]") !== null;
