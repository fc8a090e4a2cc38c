import type { FieldIR, NodeIR, SplitIR } from "../ir.js";
import { describeField, describeNode } from "./describe.js";
import type { Routes } from "./draft.js";
import { checkTypes } from "./fields/check-types.js";
import { checkChoices, checkSpelling } from "./fields/checks.js";
import { inferTypes } from "./fields/field-types.js";
import { gatherFields, settleFields } from "./fields/fields.js";
import { checkPrompt, findAfterFailure } from "./fields/placeholders.js";
import { checkWriteConflicts } from "./fields/write-conflicts.js";
import { createBranches } from "./flow/branches.js";
import { findWays } from "./flow/edges.js";
import type { Routed } from "./flow/failing.js";
import { once } from "./flow/once.js";
import { checkCycles, findReachable } from "./flow/reach.js";
import { findSplits } from "./flow/splits.js";
import { checkUnusedEdges } from "./flow/unused-edges.js";
import { checkNodeFormula } from "./formulas/check-formulas.js";
import { checkNeeds } from "./settings/check-needs.js";
import { checkScheduled } from "./settings/check-schedule.js";
import { checkSecrets } from "./settings/check-secrets.js";
import { checkSettings } from "./settings/check-settings.js";
import { checkInputUse, checkPromptUse } from "./settings/check-use.js";
import { checkStatement } from "./statements/check-statement.js";

/** What analysis finds out of one graph. Descriptions are made when they are first read. */
export interface Details {
  readonly splits: readonly SplitIR[];
  readonly nodes: () => readonly NodeIR[];
  readonly fields: () => readonly FieldIR[];
}

/** Understands one graph and reports what is wrong with it. Graphs that it runs are understood before it. */
export function analyzeGraph({ draft, routes }: Routed): Details {
  const ways = findWays(draft, routes);
  const reachable = findReachable(draft, ways.written);
  const splits = findSplits(draft, routes, ways);
  checkCycles(draft, routes, ways, reachable, splits);
  const branches = createBranches(draft.nodes.length, splits);
  const fields = gatherFields(draft, ways);
  const uses = [...fields.byName.values()];
  checkWriteConflicts(draft, uses, splits, branches);
  settleFields(draft, fields, ways, splits);
  checkSpelling(draft, uses);
  const types = inferTypes(draft, fields, { splits, branches, graph: ways.written });
  checkTypes(draft, uses, types);
  const afterFailure = findAfterFailure(ways);
  checkUnusedEdges(draft, routes, ways);
  for (const node of draft.nodes) {
    checkSettings(draft, node);
    if (node.formula !== null || node.facts?.type === "formula")
      checkNodeFormula(draft, node, types.computed(node));
    // A misspelt placeholder explains an unused input, so only the placeholder is reported.
    if (!checkPrompt(draft, node, afterFailure[node.index] === 1)) checkInputUse(draft, node);
    checkPromptUse(draft, node);
    checkStatement(draft, node);
    checkNeeds(draft, node, reachable);
    checkSecrets(draft, node);
    checkChoices(draft, node, routes[node.index] as Routes, types);
  }
  // A check of a large sheet reads no descriptions.
  const nodes = once(() =>
    draft.nodes.map((node, v) => {
      const reads = fields.readsOf[v] ?? [];
      return describeNode(draft, node, routes[v] as Routes, { reads, types, reachable: reachable[v] === 1 });
    }),
  );
  const described = once(() => uses.map((use) => describeField(draft, use, types)));
  checkScheduled(draft, described);
  // What graphs that call each other know of each other depends on their order.
  if (draft.nodes.some(({ facts }) => facts?.type === "graph")) {
    nodes();
    described();
  }
  return { splits, nodes, fields: described };
}
