import { signal } from "@preact/signals";
import type { JSX } from "preact";

type Parts = typeof import("../parts.js");

const parts = signal<Parts | null>(null);
const isFailing = signal(false);
const AGAIN_MS = 2_000;
let isLoading = false;

/** Loads what is not seen at first. Without a connection it is tried again. */
export async function loadParts(): Promise<void> {
  if (isLoading || parts.value !== null) return;
  isLoading = true;
  try {
    parts.value = await import("../parts.js");
    isFailing.value = false;
  } catch {
    isFailing.value = true;
    setTimeout(() => void loadParts(), AGAIN_MS);
  }
  isLoading = false;
}

/** A view of those parts: nothing stands there for the moment until it is loaded. */
export const later = (name: keyof Parts) => (): JSX.Element | null => {
  const View = parts.value?.[name];
  if (View !== undefined) return <View />;
  void loadParts();
  return isFailing.value ? <p class="message">The server does not answer. This comes when it does.</p> : null;
};
