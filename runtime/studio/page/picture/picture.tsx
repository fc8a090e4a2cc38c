import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { chooseNode } from "../choose.js";
import { counted } from "../counted.js";
import type { GraphOfSheet } from "../engine/messages.js";
import { chosen, type Drawn, drawn, graph, opened } from "../state.js";
import { NodeShapes } from "./node-shapes.js";
import { WayLabel, WayLine } from "./shapes.js";
import { moved, type Sight, type Size, showing, viewBoxOf, wholeOf, zoomed } from "./sight.js";
import { sayWalk, walk } from "./walk.js";

/** The graph as a picture. What it shows stands in the grid, too, which is its text. */
export function Picture() {
  const [now, shown] = [graph.value, drawn.value];
  if (now === null)
    return opened.value?.isUnderstood === false ? null : (
      <p class="nothing">There is no graph to draw yet.</p>
    );
  if (shown === null || shown.drawing === null) return null;
  return (
    <GraphDrawing key={shown.graph} graph={now} drawing={shown.drawing} isOld={shown.graph !== now.name} />
  );
}

interface DrawnView {
  readonly graph: GraphOfSheet;
  readonly drawing: NonNullable<Drawn["drawing"]>;
  /** It is of another graph, which is dimmed until the right one comes. */
  readonly isOld: boolean;
}

function GraphDrawing({ graph, drawing, isOld }: DrawnView) {
  const host = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  // Null: the whole graph, whatever the size of the window.
  const [chosenSight, setSight] = useState<Sight | null>(null);
  const [said, say] = useState("");
  const sight = chosenSight ?? wholeOf(drawing, size);
  const at = graph.nodes.findIndex(({ record }) => record === chosen.value?.record);

  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize(entry.contentRect);
    });
    if (host.current !== null) watch.observe(host.current);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    const box = drawing.shapes.find(({ kind, node }) => kind === "node" && node === at)?.box;
    if (chosenSight !== null && box !== undefined) setSight(showing(chosenSight, box, size));
  }, [at]);

  const zoom = (steps: number): void => setSight(zoomed(sight, steps));
  const onKeyDown = (event: KeyboardEvent): void => {
    const zooms: { readonly [key: string]: () => void } = {
      "+": () => zoom(1),
      "-": () => zoom(-1),
      "0": () => setSight(null),
      Enter: () => document.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')?.focus(),
    };
    const to = walk(graph, at, event.key);
    const record = to === null ? undefined : graph.nodes[to.node]?.record;
    if (to === null && zooms[event.key] === undefined) return;
    event.preventDefault();
    zooms[event.key]?.();
    if (to === null || record === undefined) return;
    chooseNode(record);
    say(sayWalk(graph, to));
  };
  const drag = (event: PointerEvent): void => {
    if (event.buttons === 1) setSight(moved(sight, event.movementX, event.movementY));
  };
  const onClick = ({ target }: MouseEvent): void => {
    const node = (target as Element).closest<SVGElement>("[data-node]");
    if (node !== null) chooseNode(Number(node.dataset["node"]));
  };
  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    zoom(-Math.sign(event.deltaY) / 2);
  };
  const name = `${graph.name}: ${counted(graph.nodes.length, "node")}, from ${graph.nodes[0]?.name ?? "nowhere"}`;
  return (
    <>
      <div
        class={`drawn${isOld ? " old" : ""}`}
        role="group"
        aria-label="Picture: arrows follow the edges"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is walked by keys.
        tabIndex={0}
        ref={host}
        {...{ onKeyDown, onWheel, onClick }}
        onPointerMove={drag}
      >
        <svg role="img" aria-label={name} viewBox={size.width === 0 ? "0 0 1 1" : viewBoxOf(sight, size)}>
          {drawing.ways.map((way, i) => (
            <WayLine key={i} way={way} />
          ))}
          {drawing.ways.map((way, i) =>
            way.label === null ? null : <WayLabel key={i} way={way} label={way.label} />,
          )}
          <NodeShapes graph={graph} shapes={drawing.shapes} chosen={at} />
        </svg>
      </div>
      <div class="zooms">
        <button type="button" class="plain" aria-label="Zoom in" onClick={() => zoom(1)}>
          +
        </button>
        <button type="button" class="plain" aria-label="Zoom out" onClick={() => zoom(-1)}>
          −
        </button>
        <button type="button" class="plain" aria-label="Fit the whole graph" onClick={() => setSight(null)}>
          Fit
        </button>
      </div>
      <output class="unseen">{said}</output>
    </>
  );
}
