/** Away from the window's edges. */
const EDGE = 8;
const GAP = 3;
/** A list that is shorter would show nothing. */
const LEAST = 96;

/** Puts what belongs to a field beneath it, or above it where there is more room: over all panes, and within the window. */
export function placeBeneath(field: HTMLElement, panel: HTMLElement): void {
  const { top, bottom, left } = field.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  panel.style.maxHeight = "";
  const { width, height } = panel.getBoundingClientRect();
  const [above, below] = [top - GAP - EDGE, innerHeight - bottom - GAP - EDGE];
  const isAbove = height > below && above > below;
  panel.style.maxHeight = `${Math.max(LEAST, isAbove ? above : below)}px`;
  panel.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
  panel.style.top = isAbove ? "" : `${bottom + GAP}px`;
  panel.style.bottom = isAbove ? `${innerHeight - top + GAP}px` : "";
}
