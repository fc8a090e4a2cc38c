import { clip, visible } from "../visible.js";
import { error, type Meant, meant, quote } from "./rule.js";

/** Test sheets. */
export const ofTests = {
  "bad-case": error<{ why: string; cure: string }>(
    (p) => visible(clip(p.why, 300)),
    (p) => p.cure,
  ),
  "duplicate-case": error<{ name: string; graph: string; row: number }>(
    (p) => `graph ${quote(p.graph)} already has a case ${quote(p.name)} in row ${p.row}`,
    () => "give one of the two another name",
  ),
  // A warning when a case gives it, because a run would accept it, too.
  "unknown-field": error<Meant & { field: string; graph: string }>(
    (p) => `graph ${quote(p.graph)} has no field ${quote(p.field)}`,
    (p) => meant(p) ?? "correct the name, or let a node write the field",
  ),
};
