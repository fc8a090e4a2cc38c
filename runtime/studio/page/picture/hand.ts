import type { Point } from "../../../draw/svg/geometry.js";
import type { Looking } from "./looking.js";

/** A press that moves no further than this is a click. */
const CLICK_REACH = 4;
/** How many steps nearer one goes when two fingers double their distance. */
const STEPS_OF_DOUBLE = 3.1;
const LINE_HEIGHT = 16;
const WHEEL = { usual: 1 / 200, pinch: 1 / 25 } as const;

/** Moves and zooms by pointer: one drags, two pinch, the wheel zooms. */
export class Hand {
  readonly #looking: Looking;
  readonly #points = new Map<number, Point>();
  #way = 0;

  constructor(looking: Looking) {
    this.#looking = looking;
  }

  /** True after a press that was no click. */
  get hasDragged(): boolean {
    return this.#way > CLICK_REACH;
  }

  readonly down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    if (this.#points.size === 0) this.#way = 0;
    this.#points.set(event.pointerId, pointOf(event));
  };

  readonly move = (event: PointerEvent): void => {
    const [before, now] = [this.#points.get(event.pointerId), pointOf(event)];
    if (before === undefined) return;
    const other = [...this.#points].find(([id]) => id !== event.pointerId)?.[1];
    this.#way += Math.hypot(now.x - before.x, now.y - before.y);
    if (!this.hasDragged) return;
    const host = event.currentTarget as HTMLElement;
    host.setPointerCapture(event.pointerId);
    this.#points.set(event.pointerId, now);
    const share = other === undefined ? 1 : 0.5;
    this.#looking.move((now.x - before.x) * share, (now.y - before.y) * share);
    if (other === undefined) return;
    const grown = distance(now, other) / Math.max(1, distance(before, other));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.#looking.zoom(Math.log2(grown) * STEPS_OF_DOUBLE, fromMiddle(middle, host));
  };

  readonly up = (event: PointerEvent): void => {
    this.#points.delete(event.pointerId);
  };

  readonly wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_HEIGHT : 1;
    if (event.shiftKey || event.deltaX !== 0) {
      this.#looking.move(-(event.deltaX + (event.shiftKey ? event.deltaY : 0)) * unit, 0);
      return;
    }
    const steps = -event.deltaY * unit * (event.ctrlKey ? WHEEL.pinch : WHEEL.usual);
    this.#looking.zoom(steps, fromMiddle(pointOf(event), event.currentTarget as HTMLElement));
  };
}

const pointOf = ({ clientX, clientY }: MouseEvent): Point => ({ x: clientX, y: clientY });

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

/** A point of the window as pixels from the middle of the host. */
export function fromMiddle({ x, y }: Point, host: HTMLElement): Point {
  const { left, top, width, height } = host.getBoundingClientRect();
  return { x: x - left - width / 2, y: y - top - height / 2 };
}
