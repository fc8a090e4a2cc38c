import type { Json, JsonEntry, JsonSpot } from "../../ir.js";
import type { Checked } from "./checked.js";
import { isTooLong, SHORT_ENOUGH } from "./longest.js";
import { reportUnknownEntry } from "./unknown-settings.js";

const PEOPLE = 'a user, "role:name", a list of these, or {"input": "name"}';

export function checkAssignee({ item, bad }: Checked): void {
  checkPeople(item.name, item.spot, bad);
}

/** A value of another shape than a list, an object or text is left to the check of shapes. */
function checkPeople(name: string, spot: JsonSpot, bad: Checked["bad"]): void {
  const { value, items, entries } = spot;
  if (items !== undefined) {
    if (items.length === 0) bad(PEOPLE, { name, spot, found: "empty" });
    for (const one of items) if (!isPerson(one.value)) bad('a user or "role:name"', { name, spot: one });
  } else if (entries !== undefined) {
    const [only, ...others] = entries;
    const isInput = only?.key === "input" && typeof only.spot.value === "string" && others.length === 0;
    if (!isInput) bad(PEOPLE, { name, spot });
  } else if (typeof value === "string" && !isPerson(value)) bad(PEOPLE, { name, spot });
}

/** `role:` stands before the name of a role, without a space. `{name}` would be the name of nobody. */
const isPerson = (value: Json): boolean =>
  typeof value === "string" && /^(?!role:\s*$|role:\s)\s*\S/.test(value) && !/\{.*\}/s.test(value);

export const PARTS = ["after_ms", "assignee"];

/** `{"after_ms": 86400000, "assignee": "role:director"}`, beside those who were asked first. */
export function checkEscalate(checked: Checked): void {
  const { item, bad, node } = checked;
  const { entries } = item.spot;
  if (entries === undefined) return;
  const missing = PARTS.find((part) => !entries.some(({ key }) => key === part));
  if (missing !== undefined)
    bad('{"after_ms": number, "assignee": …}', { found: `one without ${JSON.stringify(missing)}` });
  if (node.settings["assignee"] === undefined)
    bad('beside "assignee"', { found: "alone: without it everybody may answer" });
  for (const entry of entries) checkPart(checked, entry);
}

function checkPart(checked: Checked, entry: JsonEntry): void {
  const { bad } = checked;
  const { key, spot } = entry;
  const name = `escalate.${key}`;
  if (key === "after_ms") {
    if (typeof spot.value !== "number" || spot.value <= 0) bad("a number, more than 0", { name, spot });
    if (isTooLong(spot.value)) bad(SHORT_ENOUGH, { name, spot });
  } else if (key === "assignee") {
    const isShaped = typeof spot.value === "string" || typeof spot.value === "object";
    if (isShaped && spot.value !== null) checkPeople(name, spot, bad);
    else bad(PEOPLE, { name, spot });
  } else {
    reportUnknownEntry(checked, entry, PARTS);
  }
}
