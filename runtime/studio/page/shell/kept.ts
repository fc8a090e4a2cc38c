import { type Signal, signal } from "@preact/signals";

/** A signal whose value this browser keeps. What is kept and is no such value is left alone. */
export function kept<T>(name: string, first: T, isValue: (value: unknown) => value is T): Signal<T> {
  const key = `flowsheet-studio-${name}`;
  const made = signal(keptValue(key, isValue) ?? first);
  made.subscribe((value) => {
    if (value !== first || localStorage.getItem(key) !== null)
      localStorage.setItem(key, JSON.stringify(value));
  });
  return made;
}

function keptValue<T>(key: string, isValue: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    return isValue(value) ? value : null;
  } catch {
    return null;
  }
}
