/** A key with those held down beside it, such as `Ctrl+Shift+Z`. The Command key counts as Ctrl. */
export function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase();
  const held = [
    ctrlKey || metaKey ? "Ctrl+" : "",
    altKey ? "Alt+" : "",
    // The sign itself says that shift was held.
    shiftKey && !isSign ? "Shift+" : "",
  ];
  return held.join("") + (key.length === 1 ? key.toUpperCase() : key);
}

/** One letter or sign: it means something else where a person writes. */
export const isPlain = (chord: string): boolean => chord.length === 1;

export const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
