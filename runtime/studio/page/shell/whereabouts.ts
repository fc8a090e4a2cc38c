import { effect } from "@preact/signals";
import { listOf, type Place, type ScreenName } from "../address.js";
import { place } from "../state.js";
import { kept } from "./kept.js";

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";

export const railIsShown = kept("rail", true, isBoolean);
export const drawerIsShown = kept("drawer", true, isBoolean);

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
