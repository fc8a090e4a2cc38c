import type { ComponentChildren } from "preact";
import type { Column } from "../engine/messages.js";

interface HeadView {
  readonly columns: readonly Column[];
  readonly widths: readonly number[];
  readonly children: ComponentChildren;
}

export function Head({ columns, widths, children }: HeadView) {
  return (
    <div role="row" class="heads" aria-rowindex={1}>
      <div role="columnheader" class="number" aria-colindex={1}>
        #
      </div>
      {columns.map(({ name, header, isNode, index }, i) => (
        <div
          key={index}
          role="columnheader"
          class={isNode ? "headcell pinned" : "headcell"}
          aria-colindex={i + 2}
          title={header}
          style={{ width: `${widths[i]}px` }}
        >
          {name}
        </div>
      ))}
      {children}
    </div>
  );
}
