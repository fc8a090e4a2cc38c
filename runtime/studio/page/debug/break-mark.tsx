import type { TableRow } from "../engine/messages.js";
import { graph } from "../state.js";
import { hasBreak, mayDebug } from "./debug-state.js";
import { changeBreak } from "./lead.js";

/** Beside the number of a row: whether runs that are led step by step stop before its node. A press changes it. */
export function BreakMark({ row }: { readonly row: TableRow }) {
  const { node } = row;
  if (node === null || row.graph !== graph.value?.name || !mayDebug()) return null;
  const isThere = hasBreak(node);
  return (
    <span
      class={isThere ? "break there" : "break"}
      aria-hidden={!isThere}
      title="F9"
      onClick={() => changeBreak(node)}
    >
      {isThere ? <span class="unseen">, break</span> : null}
    </span>
  );
}
