/** Settings of nodes: their names and their values, in JSON and in columns of their own. */

import { parseContext, parseSetting } from "../../1-parse/cells/context.js";
import { GENERAL, isRecord, shapeOf } from "../../2-analyze/settings/settings.js";
import { expectation } from "../../2-analyze/settings/shapes.js";
import { foldName } from "../../diagnostics/suggest.js";
import type { Range } from "../../ir.js";
import type { AgentFacts } from "../../world.js";
import type { Offer, Offers } from "./completion.js";
import type { Here } from "./here.js";
import { type JsonWords, jsonOffers } from "./json-offers.js";
import { keysIn, valuesAt } from "./setting-values.js";

/** The cell `context`: JSON, or nothing yet. */
export function contextOffers(here: Here): Offers | null {
  const { text, at } = here.caret;
  return jsonOffers(text, at, {
    keys: (path) => (path.length === 0 ? settingOffers(here) : keysIn(here, path)),
    values: (path, range) => valuesAt(path[0] === "default_action" ? besides(here, range) : here, path),
  });
}

/** With the settings around a value that is still to be written: without it, no JSON could be read. */
function besides(here: Here, { start, end }: Range): Here {
  const { text } = here.caret;
  const value = parseContext(`${text.slice(0, start)}null${text.slice(end)}`).spot?.value;
  if (here.node === null || !isRecord(value)) return here;
  return { ...here, node: { ...here.node, settings: { ...here.node.settings, ...value } } };
}

/** The cell of a setting's own column: one value, which needs no quotes, or JSON. */
export function settingCellOffers(here: Here, written: string): Offers | null {
  const { text, at } = here.caret;
  const name = settingName(here.facts, written);
  const isJson = /^\s*[{[]/.test(text);
  const words: JsonWords = {
    keys: (path) => keysIn(here, [name, ...path]),
    values: (path) => valuesAt(here, [name, ...path]),
  };
  if (isJson || (valuesAt(here, [name]).length === 0 && keysIn(here, [name]).length > 0))
    return jsonOffers(text, at, words);
  const offers = valuesAt(here, [name]).filter(({ label, text: json }) => isPlain(label, json));
  return { start: 0, end: text.length, offers: offers.map(({ text: _, ...offer }) => offer) };
}

/** A text that a column would read as something else cannot be written there. */
function isPlain(label: string, json: string | undefined): boolean {
  const value = parseSetting(label).spot?.value;
  return json === undefined ? value === label : JSON.stringify(value) === json;
}

function settingName(facts: AgentFacts | null, written: string): string {
  const names = [...Object.keys(GENERAL), ...Object.keys(facts?.settings ?? {})];
  return names.find((name) => foldName(name) === foldName(written)) ?? written;
}

/** The settings of the node: those of its agent come first. */
function settingOffers({ facts, about }: Here): readonly Offer[] {
  const general = Object.keys(GENERAL).filter((name) => !Object.hasOwn(facts?.settings ?? {}, name));
  const own = Object.keys(facts?.settings ?? {});
  const offer = (name: string, rank: number): Offer => {
    const shape = shapeOf(name, facts);
    const documentation = about?.agents[facts?.type ?? ""]?.settings[name] ?? about?.everyNode[name] ?? "";
    return {
      label: name,
      kind: "setting",
      detail: shape === undefined ? "" : expectation(shape),
      documentation,
      rank,
    };
  };
  return [...own.map((name) => offer(name, 0)), ...general.map((name) => offer(name, 1))];
}

/** A setting as the header of a column names it, with what is said of it. */
export function settingColumns(facts: readonly AgentFacts[], about: Here["about"]): readonly Offer[] {
  const general = Object.keys(GENERAL).map(
    (name): Offer => ({ label: name, kind: "setting", detail: about?.everyNode[name] ?? "", rank: 1 }),
  );
  const names = new Map<string, Offer>();
  for (const { type, settings } of facts)
    for (const name of Object.keys(settings)) {
      const detail = about?.agents[type]?.settings[name] ?? "";
      if (!Object.hasOwn(GENERAL, name) && !names.has(name))
        names.set(name, { label: name, kind: "setting", detail, rank: 2 });
    }
  return [...general, ...names.values()];
}
