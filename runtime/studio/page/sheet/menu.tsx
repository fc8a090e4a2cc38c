import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface MenuItem {
  readonly title: string;
  readonly keys?: string;
  readonly act: () => void;
}

interface OpenMenu {
  readonly label: string;
  readonly at: { readonly left: number; readonly top: number };
  readonly items: readonly MenuItem[];
  /** Gets the focus when the menu is closed. */
  readonly from: Element | null;
}

export const openMenu = signal<OpenMenu | null>(null);

/** A list of things to do, at a place of the page. The first one has the focus. */
export function showMenu(label: string, at: OpenMenu["at"], items: readonly MenuItem[]): void {
  openMenu.value = { label, at, items, from: document.activeElement };
}

function close(menu: OpenMenu, isChosen = false): void {
  openMenu.value = null;
  if (!isChosen && menu.from instanceof HTMLElement) menu.from.focus();
}

const STEPS: { readonly [key: string]: number } = { ArrowDown: 1, ArrowUp: -1 };

export function Menu() {
  const menu = openMenu.value;
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = host;
    if (current === null || menu === null) return;
    const { innerWidth, innerHeight } = window;
    const { width, height } = current.getBoundingClientRect();
    current.style.left = `${Math.max(8, Math.min(menu.at.left, innerWidth - width - 8))}px`;
    current.style.top = `${Math.max(8, Math.min(menu.at.top, innerHeight - height - 8))}px`;
    current.querySelector("button")?.focus();
  }, [menu]);
  if (menu === null) return null;
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      close(menu);
    }
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...(host.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
  return (
    <div role="menu" class="menu" aria-label={menu.label} tabIndex={-1} ref={host} onKeyDown={onKeyDown}>
      {menu.items.map(({ title, keys, act }) => (
        <button
          key={title}
          type="button"
          role="menuitem"
          class="plain"
          onClick={() => {
            close(menu, true);
            act();
          }}
          onBlur={({ relatedTarget }) => {
            if (!host.current?.contains(relatedTarget as Node | null) && openMenu.value === menu)
              openMenu.value = null;
          }}
        >
          {title}
          {keys === undefined ? null : <kbd>{keys}</kbd>}
        </button>
      ))}
    </div>
  );
}
