import { type Signal, signal } from "@preact/signals";
import type { Box, Drawing, Point } from "../../../draw/svg/geometry.js";
import { detailOf, type Frame, frameOf, isEnough, transformOf } from "./frame.js";
import { moved, type Sight, type Size, showing, wholeOf, zoomed } from "./sight.js";

/** What was painted is moved and scaled at once; it is painted anew when nothing has moved for so long. */
const SHARP_AFTER_MS = 120;

/** Where a person looks at a drawing. Most moves only move what is painted. */
export class Looking {
  /** What is to be painted; null until the host has a size. */
  readonly frame: Signal<Frame | null> = signal(null);
  #drawing: Drawing;
  /** Null: the whole graph, whatever the size of the host. */
  #sight: Sight | null = null;
  #host: Size = { width: 0, height: 0 };
  #layer: HTMLElement | null = null;
  #timer = 0;

  constructor(drawing: Drawing) {
    this.#drawing = drawing;
  }

  get sight(): Sight {
    return this.#sight ?? wholeOf(this.#drawing, this.#host);
  }

  /** What is painted can be read. */
  get isNear(): boolean {
    const frame = this.frame.peek();
    return frame !== null && detailOf(frame) !== "afar";
  }

  show(drawing: Drawing): void {
    if (drawing === this.#drawing) return;
    this.#drawing = drawing;
    this.#look(this.#sight);
  }

  resize({ width, height }: Size): void {
    this.#host = { width, height };
    this.#look(this.#sight);
  }

  /** What is painted is put in its place, as soon as it is there. */
  hang(layer: HTMLElement | null): void {
    this.#layer = layer;
    this.#place();
  }

  showAll(): void {
    this.#look(null);
  }

  move(dx: number, dy: number): void {
    this.#look(moved(this.sight, dx, dy));
  }

  zoom(steps: number, about?: Point): void {
    this.#look(zoomed(this.sight, wholeOf(this.#drawing, this.#host), steps, about));
  }

  /** Brings a box into view; the whole graph stays as it is. */
  bring(box: Box): void {
    if (this.#sight !== null) this.#look(showing(this.#sight, box, this.#host));
  }

  #look(sight: Sight | null): void {
    this.#sight = sight;
    if (this.#host.width === 0 || this.#host.height === 0) return;
    const frame = this.frame.peek();
    clearTimeout(this.#timer);
    if (frame === null || !isEnough(frame, this.sight, this.#host)) {
      this.#paint();
      return;
    }
    this.#place();
    if (frame.scale !== this.sight.scale)
      this.#timer = window.setTimeout(() => this.#paint(), SHARP_AFTER_MS);
  }

  #paint(): void {
    this.frame.value = frameOf(this.sight, this.#host);
  }

  #place(): void {
    const frame = this.frame.peek();
    if (frame !== null && this.#layer !== null)
      this.#layer.style.transform = transformOf(frame, this.sight, this.#host);
  }
}
