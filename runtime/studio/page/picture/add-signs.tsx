import type { Point } from "../../../draw/svg/geometry.js";
import { addStepOn, canAddStepOn } from "../editing/add-step.js";
import type { EdgeOfGraph } from "../engine/messages.js";
import type { Scene } from "./scene.js";

/** A way on which a step can be put, and where the sign for that stands. */
export interface AddPlace extends Point {
  readonly edge: EdgeOfGraph;
}

/** Before the arrow of a way, where no other way is. */
const BEFORE = 20;
const RADIUS = 9;

/** The ways that leave a node on which a step can be put: to those, and to the end. */
export function addPlaces({ graph, drawing: { ways, shapes } }: Scene, node: number): readonly AddPlace[] {
  const places: AddPlace[] = [];
  for (const { edge, steps, start, heading, from, toBar } of ways) {
    if (edge === null || edge.from !== node || toBar || heading === "left") continue;
    if (shapes[from]?.kind === "join" || !canAddStepOn(edge, graph)) continue;
    const { x, y } = steps.at(-1)?.to ?? start;
    places.push({ edge, x, y: heading === "down" ? y - BEFORE : y + BEFORE });
  }
  return places;
}

/** So many pixels from its middle a sign can be pressed. */
const REACH = 12;

/** The sign under a point, if any. */
export function addUnder(places: readonly AddPlace[], point: Point, scale: number): AddPlace | undefined {
  const reach = Math.max(RADIUS, REACH / scale);
  return places.find(({ x, y }) => Math.hypot(x - point.x, y - point.y) <= reach);
}

export const addStep = ({ graph }: Scene, { edge }: AddPlace): void => addStepOn(edge, graph);

export function AddSigns({ places }: { readonly places: readonly AddPlace[] }) {
  return (
    <>
      {places.map(({ x, y, edge }) => (
        <g key={`${edge.to} ${edge.on}`} class="add" transform={`translate(${x} ${y})`}>
          <circle r={RADIUS} />
          <path d="M-4,0H4M0,-4V4" />
        </g>
      ))}
    </>
  );
}
