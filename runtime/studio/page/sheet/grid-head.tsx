import type { ComponentChildren } from "preact";
import type { Column } from "../engine/messages.js";

interface HeadView {
  readonly columns: readonly Column[];
  readonly widths: readonly number[];
  readonly children: ComponentChildren;
}

/** Whether the file's word says no more than the page's. */
const isSame = (name: string, header: string): boolean =>
  header.trim().toLowerCase().replaceAll("_", " ") === name.toLowerCase();

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
          title={`${name}: ${header} in the file`}
          style={{ width: `${widths[i]}px` }}
        >
          {name}
          {isSame(name, header) ? null : (
            <span class="of-file" aria-hidden="true">
              {header}
            </span>
          )}
        </div>
      ))}
      {children}
    </div>
  );
}
