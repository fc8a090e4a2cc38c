import type { Box, Drawing, Point } from "../../../draw/svg/geometry.js";

/** What of a drawing is in view: the point in the middle, and pixels per unit. */
export interface Sight extends Point {
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const LEAST = 0.1;
const MOST = 2;
/** A small graph is not blown up. */
const FITTED_MOST = 1;
const STEP = 1.25;
const EDGE = 24;

/** Space around the figures of a drawing, of which a small window leaves some out: letters are larger then. */
const SPARE = 36;

/** What the buttons in the lower right corner take. */
const CORNER: Size = { width: 112, height: 44 };
/** A lower window has no room to spare for them. */
const ROOMY = 320;

/** The whole drawing, beside the buttons. */
export function wholeOf(drawing: Drawing, host: Size): Sight {
  const whole = fitted(drawing, host);
  const far = (side: "width" | "height"): boolean =>
    ((drawing[side] - SPARE) * whole.scale) / 2 > host[side] / 2 - CORNER[side];
  if (host.height < ROOMY || !far("width") || !far("height")) return whole;
  const higher = fitted(drawing, { ...host, height: host.height - CORNER.height });
  return { ...higher, y: higher.y + CORNER.height / 2 / higher.scale };
}

function fitted({ width, height }: Drawing, host: Size): Sight {
  const fits = Math.min(host.width / (width - SPARE), host.height / (height - SPARE), FITTED_MOST);
  return { x: width / 2, y: height / 2, scale: Math.max(fits, 0.005) };
}

/** Nearer or farther by steps, about a point that stays where it is: pixels from the middle of the host. */
export function zoomed(sight: Sight, whole: Sight, steps: number, about: Point = { x: 0, y: 0 }): Sight {
  const least = Math.min(LEAST, whole.scale);
  const scale = Math.max(least, Math.min(MOST, sight.scale * STEP ** steps));
  const kept = 1 / sight.scale - 1 / scale;
  return { x: sight.x + about.x * kept, y: sight.y + about.y * kept, scale };
}

export const moved = (sight: Sight, dx: number, dy: number): Sight => ({
  ...sight,
  x: sight.x - dx / sight.scale,
  y: sight.y - dy / sight.scale,
});

/** Moves only as far as needed to have a box in view. */
export function showing(sight: Sight, box: Box, host: Size): Sight {
  const within = (at: number, of: number, half: number, room: number): number => {
    const least = of + half - room;
    const most = of - half + room;
    return least > most ? of : Math.max(least, Math.min(most, at));
  };
  const roomOf = (pixels: number): number => (pixels / 2 - EDGE) / sight.scale;
  return {
    ...sight,
    x: within(sight.x, box.x, box.width / 2, roomOf(host.width)),
    y: within(sight.y, box.y, box.height / 2, roomOf(host.height)),
  };
}

/** The point of the drawing under a point of the host: pixels from its middle. */
export const pointAt = (sight: Sight, { x, y }: Point): Point => ({
  x: sight.x + x / sight.scale,
  y: sight.y + y / sight.scale,
});
