import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Box, Way } from "../../../draw/svg/geometry.js";
import { theme } from "../theme.js";
import { type Frame, sizeOf } from "./frame.js";
import type { Notes } from "./notes.js";
import type { Scene, SceneShape } from "./scene.js";

interface AfarView {
  readonly scene: Scene;
  readonly notes: Notes;
  readonly frame: Frame;
  readonly chosen: Box | null;
}

/** The whole graph from afar, on one canvas: thousands of elements would make all the rest of the page slow. */
export function Afar({ scene, notes, frame, chosen }: AfarView) {
  const host = useRef<HTMLCanvasElement>(null);
  const strokes = useMemo(() => strokesOf(scene, notes), [scene, notes]);
  const fills = useMemo(() => fillsOf(scene, notes), [scene, notes]);
  const { width, height } = sizeOf(frame);
  const dense = devicePixelRatio;
  useLayoutEffect(() => {
    const canvas = host.current;
    const pen = canvas?.getContext("2d") ?? null;
    if (canvas === null || pen === null) return;
    canvas.width = Math.ceil(width * dense);
    canvas.height = Math.ceil(height * dense);
    const scale = frame.scale * dense;
    pen.setTransform(scale, 0, 0, scale, -frame.left * scale, -frame.top * scale);
    paint(pen, canvas, { strokes, fills, chosen, dot: 1 / frame.scale });
  }, [strokes, fills, frame, chosen, theme.value]);
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas takes no focus.
  return <canvas ref={host} aria-hidden="true" style={{ width: `${width}px`, height: `${height}px` }} />;
}

/** Paths by the name of their colour in the style. */
type Paths = ReadonlyMap<string, Path2D>;

interface Painting {
  readonly strokes: Paths;
  readonly fills: Paths;
  readonly chosen: Box | null;
  /** One pixel, in units of the drawing. */
  readonly dot: number;
}

function paint(
  pen: CanvasRenderingContext2D,
  host: Element,
  { strokes, fills, chosen, dot }: Painting,
): void {
  const style = getComputedStyle(host);
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  for (const [name, path] of strokes) {
    const isTaken = name === "accent";
    pen.globalAlpha = isTaken ? 1 : 0.45;
    pen.lineWidth = isTaken ? 3 * dot : Math.min(3, dot);
    pen.strokeStyle = color(name);
    pen.stroke(path);
  }
  pen.lineWidth = dot;
  for (const [name, path] of fills) {
    const isLoud = name.endsWith("!");
    pen.globalAlpha = 1;
    pen.fillStyle = color("panel");
    pen.fill(path);
    pen.fillStyle = color(name.replace("!", ""));
    pen.strokeStyle = pen.fillStyle;
    pen.globalAlpha = isLoud ? 1 : 0.3;
    pen.fill(path);
    pen.globalAlpha = 1;
    pen.stroke(path);
  }
  if (chosen === null) return;
  const { x, y, width, height } = chosen;
  const around = 3 * dot;
  pen.strokeStyle = color("accent");
  pen.lineWidth = 2.5 * dot;
  pen.strokeRect(x - width / 2 - around, y - height / 2 - around, width + 2 * around, height + 2 * around);
}

const FAMILIES = new Set(["people", "model", "choice", "data", "custom"]);
const MARK_COLORS = { done: "good!", waits: "wait!", failed: "error!", running: "accent!" } as const;

function add(paths: Map<string, Path2D>, name: string): Path2D {
  const path = paths.get(name) ?? new Path2D();
  paths.set(name, path);
  return path;
}

/** What a run has taken is painted last. */
function strokesOf({ ways }: Scene, { taken }: Notes): Paths {
  const paths = new Map<string, Path2D>();
  for (const { way } of ways) if (!taken.has(way)) trace(add(paths, wayColor(way)), way);
  for (const way of taken) trace(add(paths, "accent"), way);
  return paths;
}

const wayColor = ({ edge }: Way): string =>
  edge?.on === "failure" ? "error" : edge?.on === "success" ? "good" : "way";

function trace(path: Path2D, { start, steps }: Way): void {
  path.moveTo(start.x, start.y);
  for (const { to, control } of steps) {
    if (control === null) path.lineTo(to.x, to.y);
    else path.bezierCurveTo(control[0].x, control[0].y, control[1].x, control[1].y, to.x, to.y);
  }
}

function fillsOf({ shapes }: Scene, notes: Notes): Paths {
  const paths = new Map<string, Path2D>();
  for (const scene of shapes) {
    const { x, y, width, height } = scene.shape.box;
    const path = add(paths, shapeColor(scene, notes));
    if (scene.shape.kind === "node") path.roundRect(x - width / 2, y - height / 2, width, height, 6);
    else path.rect(x - width / 2, y - height / 2, width, height);
  }
  return paths;
}

function shapeColor({ node, shape }: SceneShape, { marks, wrong }: Notes): string {
  if (node === null) return shape.kind === "end" ? "way" : "text!";
  const mark = marks.get(node.record);
  if (mark !== undefined) return MARK_COLORS[mark];
  if (wrong.has(node.record)) return "error!";
  return FAMILIES.has(node.family) ? node.family : "family";
}
