import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Box } from "../../../draw/svg/geometry.js";
import { chooseNode } from "../choose.js";
import { counted } from "../counted.js";
import type { GraphOfSheet } from "../engine/messages.js";
import { run } from "../run/run-state.js";
import { chosen, type Drawn, problemsByRecord } from "../state.js";
import { missed } from "../tests/test-state.js";
import { type AddPlace, addPlaces, addStep, addUnder } from "./add-signs.js";
import { Afar } from "./afar.js";
import { detailOf } from "./frame.js";
import { fromMiddle, Hand } from "./hand.js";
import { Looking } from "./looking.js";
import { Near } from "./near.js";
import { notesOf } from "./notes.js";
import { nodeUnder, type Scene, sceneOf } from "./scene.js";
import { pointAt } from "./sight.js";
import { sayWalk, walk } from "./walk.js";
import { Zooms } from "./zooms.js";

interface DrawnView {
  readonly drawn: Drawn;
  /** It is of another graph, or of what the graph was: dimmed until the right one comes. */
  readonly isOld: boolean;
}

export function DrawingView({ drawn, isOld }: DrawnView) {
  const { drawing, graph } = drawn;
  const host = useRef<HTMLDivElement>(null);
  const [looking] = useState(() => new Looking(drawing));
  const [hand] = useState(() => new Hand(looking));
  const [said, say] = useState("");
  const scene = useMemo(() => sceneOf(drawing, graph), [drawn]);
  const at = graph.nodes.findIndex(({ record }) => record === chosen.value?.record);
  const box = scene.boxes.get(at)?.box ?? null;
  const places = isOld ? [] : addPlaces(scene, at);
  useSize(host, looking);
  useLayoutEffect(() => looking.show(drawing), [drawing]);
  useLayoutEffect(() => {
    if (box !== null) looking.bring(box);
  }, [at]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [place] = places;
    const act =
      event.key === "Insert" && place !== undefined
        ? () => addStep(scene, place)
        : keysOf(looking)[event.key];
    const step = walk(graph, at, event.key);
    if (act === undefined && step === null) return;
    event.preventDefault();
    act?.();
    const record = graph.nodes[step?.node ?? -1]?.record;
    if (step === null) return;
    if (record !== undefined) chooseNode(record);
    say(sayWalk(graph, step));
  };
  const onClick = (event: MouseEvent): void => {
    if (hand.hasDragged) return;
    const middle = fromMiddle({ x: event.clientX, y: event.clientY }, event.currentTarget as HTMLElement);
    const point = pointAt(looking.sight, middle);
    const place = looking.isNear ? addUnder(places, point, looking.sight.scale) : undefined;
    const record = nodeUnder(scene, point)?.record;
    if (place !== undefined) addStep(scene, place);
    else if (record !== undefined) chooseNode(record);
  };
  return (
    <>
      <div
        class={`drawn${isOld ? " old" : ""}`}
        role="group"
        aria-label="Picture: arrows follow the edges"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is walked by keys.
        tabIndex={0}
        ref={host}
        {...{ onKeyDown, onClick }}
        onWheel={hand.wheel}
        onPointerDown={hand.down}
        onPointerMove={hand.move}
        onPointerUp={hand.up}
        onPointerCancel={hand.up}
      >
        <div class="layer" role="img" aria-label={nameOf(graph)}>
          <Painted {...{ scene, looking, box, places }} />
        </div>
      </div>
      <Zooms looking={looking} />
      <output class="unseen">{said}</output>
    </>
  );
}

interface PaintedView {
  readonly scene: Scene;
  readonly looking: Looking;
  readonly box: Box | null;
  readonly places: readonly AddPlace[];
}

/** The graph as it was painted last, in its place. */
function Painted({ scene, looking, box, places }: PaintedView) {
  const layer = useRef<HTMLDivElement>(null);
  const frame = looking.frame.value;
  const [now, problems, untested] = [run.value, problemsByRecord.value, missed.value];
  const notes = useMemo(() => notesOf(scene, now, problems, untested), [scene, now, problems, untested]);
  useLayoutEffect(() => looking.hang(layer.current), [frame]);
  if (frame === null) return null;
  const view = { scene, notes, frame, chosen: box };
  return (
    <div class="painted" ref={layer}>
      {detailOf(frame) === "afar" ? <Afar {...view} /> : <Near {...view} places={places} />}
    </div>
  );
}

function useSize(host: RefObject<HTMLElement | null>, looking: Looking): void {
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      if (entry !== undefined) looking.resize(entry.contentRect);
    });
    if (host.current !== null) watch.observe(host.current);
    return () => watch.disconnect();
  }, []);
}

const nameOf = ({ name, nodes }: GraphOfSheet): string =>
  `${name}: ${counted(nodes.length, "node")}, from ${nodes[0]?.name ?? "nowhere"}`;

type Keys = { readonly [key: string]: (() => void) | undefined };

const keysOf = (looking: Looking): Keys => ({
  "+": () => looking.zoom(1),
  "=": () => looking.zoom(1),
  "-": () => looking.zoom(-1),
  "0": () => looking.showAll(),
  Enter: () => document.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')?.focus(),
});
