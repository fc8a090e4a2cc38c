import { effect, signal } from "@preact/signals";
import { listOf, type Place, type ScreenName } from "../address.js";
import { place } from "../state.js";
import { kept } from "./kept.js";
import type { Command } from "./key-line.js";

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";

export const railIsShown = kept("rail", true, isBoolean);
export const drawerIsShown = kept("drawer", true, isBoolean);

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/** In pixels. */
export const DRAWER_HEIGHTS = { least: 120, most: 900 };
export const drawerHeight = kept("drawer-height", 264, isNumber);
/** The rows' part of the width, in hundredths; the picture has the rest. */
export const ROWS_SHARES = { least: 15, most: 85 };
export const rowsShare = kept("rows-share", 64, isNumber);

/** What can be found by its name; its owner is the table of keys. */
export const commands = signal<readonly Command[]>([]);
export const findIsOpen = signal(false);
export const keysAreShown = signal(false);

/** Where each screen was left. */
const left = new Map<ScreenName, Place>();

effect(() => {
  left.set(place.value.screen, place.value);
});

/** A screen begins where it was left; the link to the present one leads to its list. */
export function lastPlace(screen: ScreenName): Place {
  const list = listOf(screen);
  return place.value.screen === screen ? list : (left.get(screen) ?? list);
}
