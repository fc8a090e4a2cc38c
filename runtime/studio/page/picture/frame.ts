import type { Extent } from "./extents.js";
import type { Sight, Size } from "./sight.js";

/** A part of the drawing as it was last painted: more than is in view, so that most moves need no painting. */
export interface Frame extends Extent {
  /** Pixels per unit. */
  readonly scale: number;
}

/** So much of the host's size is painted around it. */
const AROUND = 0.35;
/** Below this, boxes are too small to be read: the graph is painted on a canvas. */
const AFAR = 0.28;
/** Below this, only names can be read. */
const MIDDLE = 0.6;

export const detailOf = ({ scale }: Frame): "afar" | "middle" | "near" =>
  scale < AFAR ? "afar" : scale < MIDDLE ? "middle" : "near";

function inView({ x, y, scale }: Sight, { width, height }: Size, around: number): Extent {
  const [dx, dy] = [((0.5 + around) * width) / scale, ((0.5 + around) * height) / scale];
  return { left: x - dx, right: x + dx, top: y - dy, bottom: y + dy };
}

export const frameOf = (sight: Sight, host: Size): Frame => ({
  ...inView(sight, host, AROUND),
  scale: sight.scale,
});

/** True while moving and scaling what is painted shows all that is in view, as sharp as can be seen while it moves. */
export function isEnough(frame: Frame, sight: Sight, host: Size): boolean {
  const { left, right, top, bottom } = inView(sight, host, 0);
  const grown = sight.scale / frame.scale;
  const covers = frame.left <= left && frame.right >= right && frame.top <= top && frame.bottom >= bottom;
  return covers && grown < 2 && grown > 0.5;
}

/** Puts what was painted where the sight wants it. */
export function transformOf(frame: Frame, sight: Sight, { width, height }: Size): string {
  const x = (frame.left - sight.x) * sight.scale + width / 2;
  const y = (frame.top - sight.y) * sight.scale + height / 2;
  const grown = sight.scale / frame.scale;
  return `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px)${grown === 1 ? "" : ` scale(${grown})`}`;
}

export const sizeOf = ({ left, right, top, bottom, scale }: Frame): Size => ({
  width: (right - left) * scale,
  height: (bottom - top) * scale,
});
