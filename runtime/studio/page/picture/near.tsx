import { useMemo } from "preact/hooks";
import type { Box } from "../../../draw/svg/geometry.js";
import { type AddPlace, AddSigns } from "./add-signs.js";
import { meet } from "./extents.js";
import { detailOf, type Frame, sizeOf } from "./frame.js";
import type { Notes } from "./notes.js";
import type { Scene } from "./scene.js";
import { Halo, NodeBox, Sign, WayLabel, WayLine } from "./shapes.js";

interface NearView {
  readonly scene: Scene;
  readonly notes: Notes;
  readonly frame: Frame;
  /** The box of the chosen node. */
  readonly chosen: Box | null;
  /** Where a step can be put behind it. */
  readonly places: readonly AddPlace[];
}

/** The part of the graph in a frame, as SVG. */
export function Near({ scene, notes, frame, chosen, places }: NearView) {
  const detail = detailOf(frame);
  const isSmall = detail === "middle";
  // Made once: what is the same object is not compared again when the frame moves.
  const { ways, labels, shapes } = useMemo(() => elementsOf(scene, notes, isSmall), [scene, notes, isSmall]);
  const waysInView = [...scene.ways.keys()].filter((i) => meet(scene.ways[i]!.extent, frame));
  const shapesInView = [...scene.shapes.keys()].filter((i) => meet(scene.shapes[i]!.extent, frame));
  const box = `${frame.left} ${frame.top} ${frame.right - frame.left} ${frame.bottom - frame.top}`;
  return (
    <svg data-detail={detail} aria-hidden="true" viewBox={box} {...sizeOf(frame)}>
      {waysInView.map((i) => ways[i])}
      {waysInView.map((i) => labels[i])}
      {chosen === null ? null : <Halo box={chosen} />}
      {shapesInView.map((i) => shapes[i])}
      <AddSigns places={places} />
    </svg>
  );
}

function elementsOf(scene: Scene, { marks, wrong, taken, untested, untestedWays }: Notes, isSmall: boolean) {
  return {
    ways: scene.ways.map(({ way }, i) => (
      <WayLine key={`w${i}`} way={way} isTaken={taken.has(way)} isUntested={untestedWays.has(way)} />
    )),
    labels: scene.ways.map(({ way }, i) =>
      way.label === null ? null : <WayLabel key={`l${i}`} way={way} label={way.label} />,
    ),
    shapes: scene.shapes.map(({ shape, node }, i) => {
      if (node === null) return <Sign key={`s${i}`} shape={shape} />;
      const mark = marks.get(node.record) ?? null;
      const [isWrong, isUntested] = [wrong.has(node.record), untested.has(node.record)];
      return <NodeBox key={`s${i}`} {...{ shape, node, mark, isWrong, isUntested, isSmall }} />;
    }),
  };
}
