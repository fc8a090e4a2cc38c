import fc from "fast-check";
import { END, type RefGraph, type RefNode, type Target } from "../../reference/graph.js";
import { chance, maybe } from "./chance.js";
import { finish, type GraphSize, spiceArb } from "./spice.js";

/** Graphs without any order: each node leads anywhere, mostly forward. */
export function wildGraph(options: GraphSize): fc.Arbitrary<RefGraph> {
  const list = fc.array(fc.record({ pick: fc.nat(40), back: chance(options.acyclic ? 0 : 12) }), {
    maxLength: 3,
  });
  const wild = fc.record({
    spice: spiceArb(options.agents),
    next: list,
    success: maybe(25, list),
    failure: maybe(35, list),
    limit: maybe(options.acyclic ? 0 : 15, fc.nat(40)),
  });
  return fc.array(wild, { minLength: 1, maxLength: options.maxNodes }).map((rows) => ({
    nodes: rows.map(({ spice, ...row }, at) => {
      const place = { at, size: rows.length };
      const targets = (items: typeof row.next | null) => targetsOf(items ?? [], place);
      const next = targets(row.next);
      const switches = spice.agent === "switch" && next.some((to) => to !== END);
      const around = { bodies: rows.length, handlers: [] };
      const part: Partial<RefNode> = switches
        ? { next: next.filter((to) => to !== END), onFailure: targets(row.failure).slice(0, 1) }
        : { next, onSuccess: targets(row.success), onFailure: targets(row.failure) };
      const limited = row.limit === null || options.acyclic ? {} : { maxVisits: spice.maxVisits };
      const onLimit = targetsOf([{ pick: row.limit ?? 0, back: false }], place)[0] ?? END;
      return finish(
        { spice, part: { ...part, ...limited, onLimit, ...(switches ? { agent: "switch" } : {}) }, at },
        around,
      );
    }),
  }));
}

function targetsOf(
  items: readonly { readonly pick: number; readonly back: boolean }[],
  { at, size }: { at: number; size: number },
): readonly Target[] {
  const forward = (pick: number): Target => at + 1 + (pick % Math.min(size - at, 5));
  const picked = items.map(({ pick, back }) => (back ? pick % size : forward(pick)));
  return [...new Set(picked.map((to) => (to >= size ? END : to)))];
}
