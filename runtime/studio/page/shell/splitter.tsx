import type { Signal } from "@preact/signals";

interface SplitterView {
  readonly name: string;
  /** How it lies: a vertical one is moved to the left and to the right. */
  readonly lies: "vertical" | "horizontal";
  readonly value: Signal<number>;
  readonly least: number;
  readonly most: number;
  /** How far one arrow moves it; negative where the pane behind it has the size. */
  readonly step: number;
  /** The value at a point of the pane that holds both. */
  readonly valueAt: (pointer: PointerEvent, frame: DOMRect) => number;
}

const WAYS: { readonly [key: string]: number } = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Between two panes: moved by a pointer or by arrows. */
export function Splitter({ name, lies, value, least, most, step, valueAt }: SplitterView) {
  const set = (wanted: number): void => {
    value.value = Math.round(Math.max(least, Math.min(most, wanted)));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const ends: { readonly [key: string]: number } = { Home: least, End: most };
    const to = ends[event.key] ?? (WAYS[event.key] ?? Number.NaN) * step + value.value;
    if (Number.isNaN(to)) return;
    event.preventDefault();
    set(to);
  };
  const onPointerDown = (event: PointerEvent): void => {
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent): void => {
    const frame = (event.currentTarget as HTMLElement).parentElement?.getBoundingClientRect();
    if (event.buttons === 1 && frame !== undefined) set(valueAt(event, frame));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      role="separator"
      class={`splitter ${lies}`}
      data-stop
      tabIndex={0}
      aria-label={name}
      aria-orientation={lies}
      aria-valuenow={value.value}
      aria-valuemin={least}
      aria-valuemax={most}
      {...{ onKeyDown, onPointerDown, onPointerMove }}
    />
  );
}
