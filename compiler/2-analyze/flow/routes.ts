import type { Fix } from "../../diagnostics/diagnostic.js";
import { isSpelling, suggest } from "../../diagnostics/suggest.js";
import {
  type CellSpan,
  type ColumnName,
  END,
  type JsonSpot,
  type NameItem,
  type SettingItem,
  type Target,
} from "../../ir.js";
import {
  type Draft,
  type DraftNode,
  LOST,
  type Routes,
  reportAt,
  settingAt,
  spotSpan,
  writeFix,
} from "../draft.js";
import { writeSetting } from "../settings/setting-fix.js";
import { isOfColumn } from "../settings/settings.js";

const NO_CASES: Routes["cases"] = [];

/** Resolves every name of a node or graph that a row mentions. Linear, with hashed names. */
export function resolveRoutes(draft: Draft, node: DraftNode): Routes {
  const { row } = node;
  const setting = (name: string): SettingItem | undefined => row.settings.find((item) => item.name === name);
  const one = (item: SettingItem | undefined): Target | null =>
    item === undefined ? null : resolveSpot(draft, node, item, item.spot);
  const choosing = node.facts?.chooses === true;
  checkGraphName(draft, node, setting("graph"));
  return {
    next: resolveList(draft, node, row.next, "next_node"),
    success: resolveList(draft, node, row.onSuccess, "next_on_success"),
    failure: resolveList(draft, node, row.onFailure, "next_on_failure"),
    cases: choosing ? resolveCases(draft, node, setting("cases")) : NO_CASES,
    otherwise: choosing ? one(setting("default") ?? setting("default_target")) : null,
    onLimit: one(setting("on_limit")) ?? END,
  };
}

const NO_TARGETS: readonly Target[] = [];

/** The targets of a list, each once: two different names may recover to one node. */
function resolveList(
  draft: Draft,
  node: DraftNode,
  items: readonly NameItem[],
  column: ColumnName,
): readonly Target[] {
  const [first] = items;
  if (first === undefined) return NO_TARGETS;
  const found = items.length === 1 ? draft.byName.get(first.name) : undefined;
  if (found !== undefined) return [found];
  const targets = items.flatMap(({ name, at: span }) =>
    findTargets(draft, node, { name, span, column, where: column, written: (text) => text }),
  );
  return [...new Set(targets)];
}

function resolveCases(draft: Draft, node: DraftNode, item: SettingItem | undefined): Routes["cases"] {
  if (item === undefined || node.facts?.settings["cases"] === undefined) return [];
  const cases = (item.spot.entries ?? []).map(({ key, spot }) => {
    return { value: key, target: resolveSpot(draft, node, item, spot) ?? LOST };
  });
  return cases.filter(({ target }) => target !== LOST);
}

function resolveSpot(draft: Draft, node: DraftNode, item: SettingItem, spot: JsonSpot): Target | null {
  if (typeof spot.value !== "string") return null;
  // The cell of a setting's own column holds a name as it is, JSON holds it in quotes.
  const isPlain = isOfColumn(item) && spot === item.spot;
  return findTarget(draft, node, {
    name: spot.value.trim(),
    span: spotSpan(item.cell, spot),
    column: "context",
    where: `setting "${item.name}"`,
    written: isPlain ? (text) => text : JSON.stringify,
  });
}

interface Mention {
  readonly name: string;
  readonly span: CellSpan;
  readonly column: ColumnName;
  readonly where: string;
  /** Another name as that cell writes it. */
  readonly written: (name: string) => string;
}

/** The target of an entry of a list; several after a report when other signs than `|` stand between their names. */
function findTargets(draft: Draft, node: DraftNode, mention: Mention): readonly Target[] {
  const { name, span, column, where } = mention;
  const names = joinedNames(draft, name);
  if (names === null) return [findTarget(draft, node, mention)];
  const suggestion = names.join("|");
  const params = { where, name, graph: draft.name, suggestion, row: null };
  const fix = writeFix(draft, span, suggestion, true);
  reportAt(draft, node, "unknown-node", params, { span, column, fix });
  return names.map((one) => draft.byName.get(one) ?? END);
}

/** The names that an unknown one is made of, when commas or semicolons stand between nothing but targets. */
function joinedNames(draft: Draft, name: string): readonly string[] | null {
  if (draft.byName.has(name) || !/[,;]/.test(name)) return null;
  const parts = name.split(/[,;]/).map((part) => part.trim());
  const names = parts.filter((part) => part !== "").map((part) => surelyMeant(draft, part));
  return names.every((one) => one !== null) ? names : null;
}

/** A target, or the one that a name surely stands for; null when there is none. */
function surelyMeant({ byName, suggestNode, isSurely }: Draft, name: string): string | null {
  if (name === "END" || byName.has(name)) return name;
  const suggestion = suggestNode(name);
  return suggestion !== null && isSurely(name, suggestion) ? suggestion : null;
}

/** A node's number, `END`, or after a report the node that the author probably meant. */
function findTarget(draft: Draft, node: DraftNode, mention: Mention): Target {
  const { name, span, column, where } = mention;
  const found = draft.byName.get(name);
  if (found !== undefined) return found;
  if (name === "END") return END;
  const suggestion = draft.suggestNode(name);
  const meant = suggestion === null ? undefined : draft.byName.get(suggestion);
  const row = meant === undefined ? null : (draft.nodes[meant] as DraftNode).row.record + 1;
  const params = { where, name, graph: draft.name, suggestion, row };
  const fix = suggestion === null ? null : meantFix(draft, mention, suggestion);
  reportAt(draft, node, "unknown-node", params, { span, column, fix });
  // Going on with the node that was meant keeps one slip from looking like many.
  if (suggestion === "END") return END;
  return meant ?? LOST;
}

function meantFix(draft: Draft, { name, span, written }: Mention, suggestion: string): Fix {
  const title = `write ${JSON.stringify(suggestion)}`;
  return { ...writeFix(draft, span, written(suggestion), draft.isSurely(name, suggestion)), title };
}

function checkGraphName(draft: Draft, node: DraftNode, item: SettingItem | undefined): void {
  if (item === undefined || node.facts?.settings["graph"] === undefined) return;
  const { graphNames, graphsNamed, world } = draft.analysis;
  const name = item.spot.value;
  if (typeof name !== "string" || graphNames.has(name)) return;
  if (world.otherGraphs === null || world.otherGraphs.has(name)) return;
  const { near, known, fullName } = graphsNamed();
  // Several sheets have a graph of that name: which is meant must be said.
  const suggestion = fullName(name) ?? suggest(name, near(name));
  const isSafe = suggestion !== null && isSpelling(name, suggestion, near(name));
  const fix = suggestion === null ? null : writeSetting(draft, item, item.spot, suggestion, isSafe);
  reportAt(draft, node, "unknown-graph", { name, known: known(), suggestion }, { ...settingAt(item), fix });
}
