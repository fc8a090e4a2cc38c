import { signal } from "@preact/signals";

export const rowPanelIsOpen = signal(false);
