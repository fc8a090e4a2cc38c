import type { Box, Point, Way } from "../../../draw/svg/geometry.js";

export interface Extent {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const extentOf = ({ x, y, width, height }: Box): Extent => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
});

/** No curve leaves the points that control it. */
export function extentOfWay({ start, steps, label }: Way): Extent {
  const points: Point[] = [start];
  for (const { to, control } of steps) points.push(to, ...(control ?? []));
  const own = label === null ? null : extentOf(label.box);
  return {
    left: Math.min(own?.left ?? Infinity, ...points.map(({ x }) => x)),
    right: Math.max(own?.right ?? -Infinity, ...points.map(({ x }) => x)),
    top: Math.min(own?.top ?? Infinity, ...points.map(({ y }) => y)),
    bottom: Math.max(own?.bottom ?? -Infinity, ...points.map(({ y }) => y)),
  };
}

export const meet = (one: Extent, other: Extent): boolean =>
  one.left <= other.right && one.right >= other.left && one.top <= other.bottom && one.bottom >= other.top;
