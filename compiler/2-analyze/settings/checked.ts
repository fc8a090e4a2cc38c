import type { Fix } from "../../diagnostics/diagnostic.js";
import type { Json, JsonSpot, SettingItem } from "../../ir.js";
import type { Draft, DraftNode } from "../draft.js";

export interface Checked {
  readonly draft: Draft;
  readonly node: DraftNode;
  readonly item: SettingItem;
  readonly spot: JsonSpot;
  /** Reports the setting, or a part of it, as something else than what is expected. */
  readonly bad: (expected: string, part?: Part) => void;
}

interface Part {
  /** Its name in the setting, as in `retry.attempts`. */
  readonly name?: string;
  readonly spot?: { readonly start: number; readonly end: number; readonly value?: Json };
  /** Describes the faulty part, where its value does not say it. */
  readonly found?: string;
  readonly fix?: Fix | null;
}
